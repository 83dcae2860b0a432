/** The function by which the application enqueues tasks, without rights in the schema of the queue. */
export const statements = `
create function waybill.enqueue_task(mission uuid, task text, attempt integer, delay_ms bigint default 0)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $enqueue$
declare
  tenant text := nullif(current_setting('waybill.tenant', true), '');
begin
  if tenant is null or mission is null or task is null or attempt is null or delay_ms is null then
    raise exception 'a task is enqueued for a tenant, with mission, task, attempt and delay'
      using errcode = 'null_value_not_allowed';
  end if;
  return dbos.enqueue_workflow(
    workflow_name => 'task',
    queue_name => 'tasks',
    positional_args => array[to_json(tenant), to_json(mission), to_json(task), to_json(attempt)],
    workflow_id => json_build_array(tenant, mission, task, attempt)::text,
    delay_until_epoch_ms => case
      when delay_ms > 0 then (extract(epoch from clock_timestamp()) * 1000)::bigint + delay_ms
    end
  );
end
$enqueue$;
comment on function waybill.enqueue_task(uuid, text, integer, bigint) is
  'Enqueues an attempt at a task of the current tenant, in the current transaction. Asking twice enqueues once. Answers the name of the workflow.';
`
