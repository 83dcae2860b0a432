/** Who examines an answer beside others sees whether the mission is still as it was; and graphs of one answer may name each other's tasks. */
export const statements = `
alter table waybill.mission_runs add column revision integer not null default 0;
comment on column waybill.mission_runs.revision is
  'How often artifacts were added that all others are examined with: graphs, reviews and proposals.';
alter table waybill.colony_task_dependencies
  alter constraint colony_task_dependencies_tenant_id_mission_id_depends_on_fkey deferrable;
`
