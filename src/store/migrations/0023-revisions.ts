/** Mission revisions, to detect concurrent changes, and graphs of one answer that refer to each other's tasks. */
export const statements = `
alter table waybill.mission_runs add column revision integer not null default 0;
comment on column waybill.mission_runs.revision is
  'How often artifacts were added that all others are examined with: graphs, reviews and proposals.';
create function waybill.raise_revision() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $raise$
begin
  update waybill.mission_runs set revision = revision + 1
    where tenant_id = new.tenant_id and mission_id = new.mission_id;
  return null;
end
$raise$;
comment on function waybill.raise_revision() is 'Tells workers of every version that a mission has more that others are examined with.';
create trigger raise_revision after insert on waybill.colony_task_graphs
  for each row execute function waybill.raise_revision();
create trigger raise_revision after insert on waybill.colony_review_packets
  for each row execute function waybill.raise_revision();
create trigger raise_revision after insert on waybill.colony_writeback_proposals
  for each row execute function waybill.raise_revision();
alter table waybill.colony_task_dependencies
  alter constraint colony_task_dependencies_tenant_id_mission_id_depends_on_fkey deferrable;
`
