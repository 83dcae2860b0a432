/** Cancelled tasks leave the queue, and decisions on write-backs are immutable. */
export const statements = `
create function waybill.dequeue_tasks(mission uuid, tasks text[], attempts integer[]) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $dequeue$
declare
  tenant text := nullif(current_setting('waybill.tenant', true), '');
  now_ms bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  taken integer;
begin
  if tenant is null or mission is null then
    raise exception 'tasks are taken from the queue for a tenant, with their mission'
      using errcode = 'null_value_not_allowed';
  end if;
  -- As the queue's own cancellation has it; what a worker has taken is ended by that worker.
  update dbos.workflow_status
  set status = 'CANCELLED', queue_name = null, deduplication_id = null, started_at_epoch_ms = null,
    updated_at = now_ms, completed_at = now_ms
  where status in ('ENQUEUED', 'DELAYED') and workflow_uuid in (
    select json_build_array(tenant, mission, t.task, t.attempt)::text from unnest(tasks, attempts) as t (task, attempt));
  get diagnostics taken = row_count;
  return taken;
end
$dequeue$;
comment on function waybill.dequeue_tasks(uuid, text[], integer[]) is
  'Takes attempts at tasks of the current tenant from the queue that no worker has taken yet, in the current transaction. Answers how many.';

create trigger only_its_entry before update on waybill.proposal_decisions for each row
  when (old.entry is not null or to_jsonb(new) - 'entry' is distinct from to_jsonb(old) - 'entry')
  execute function waybill.refuse_change();
`
