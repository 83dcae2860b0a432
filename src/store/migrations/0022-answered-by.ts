/** Records who answered a task, since that person must not approve its results. */
export const statements = `
alter table waybill.task_runs add column answered_by jsonb;
comment on column waybill.task_runs.answered_by is
  'The person who gave the answer that the task went on with, whether a key shows it, and the entry of the log that says so.';
`
