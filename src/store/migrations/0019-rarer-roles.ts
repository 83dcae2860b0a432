/** An index of tasks of other roles than worker, for drawing large missions. */
export const statements = `
-- It is partial, so that no reference check can choose it instead of the key.
create index colony_tasks_of_rarer_roles
  on waybill.colony_tasks (tenant_id, mission_id, role_type, task_id) where role_type <> 'worker';
`
