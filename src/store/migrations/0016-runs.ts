/** The mutable state of missions, tasks and workers. */
export const statements = `
create table waybill.mission_runs (
  tenant_id text not null constraint tenant_is_named check (tenant_id <> ''),
  mission_id uuid not null,
  state text not null,
  template text,
  deadline timestamptz,
  token_budget bigint,
  tokens_used bigint not null default 0,
  open_tasks integer not null default 0,
  active_tasks integer not null default 0,
  reason jsonb,
  started_at timestamptz not null default clock_timestamp(),
  paused_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, mission_id),
  foreign key (tenant_id, mission_id) references waybill.colony_missions,
  constraint run_state_is_known check (state in ('running', 'paused', 'finished', 'failed', 'cancelled')),
  constraint run_counts check (open_tasks >= 0 and active_tasks >= 0 and active_tasks <= open_tasks and tokens_used >= 0)
);
comment on table waybill.mission_runs is 'How far each mission is: what changes while it runs, beside its artifacts, which do not.';
comment on column waybill.mission_runs.tenant_id is 'Whose row it is.';
comment on column waybill.mission_runs.mission_id is 'The mission.';
comment on column waybill.mission_runs.state is 'What the mission does.';
comment on column waybill.mission_runs.template is 'The template that it was made from, if it was.';
comment on column waybill.mission_runs.deadline is 'When its time budget is used up; moved on by as long as it was paused.';
comment on column waybill.mission_runs.token_budget is 'How many tokens its agents may use together.';
comment on column waybill.mission_runs.tokens_used is 'How many they have used, as far as runners tell.';
comment on column waybill.mission_runs.open_tasks is 'How many tasks are not done.';
comment on column waybill.mission_runs.active_tasks is 'How many are queued, running or waiting.';
comment on column waybill.mission_runs.reason is 'Why it ended before its end: a code and a sentence.';
comment on column waybill.mission_runs.started_at is 'When it was submitted.';
comment on column waybill.mission_runs.paused_at is 'Since when it is paused.';
comment on column waybill.mission_runs.ended_at is 'When it was over.';
comment on constraint run_state_is_known on waybill.mission_runs is 'A mission runs, is paused, or has finished, failed or been cancelled.';
comment on constraint run_counts on waybill.mission_runs is 'Counts fit each other.';
comment on constraint tenant_is_named on waybill.mission_runs is 'The tenant has a name.';
create index mission_runs_newest on waybill.mission_runs (tenant_id, started_at desc, mission_id);

alter table waybill.mission_runs enable row level security;
alter table waybill.mission_runs force row level security;
create policy own_tenant on waybill.mission_runs
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));

create table waybill.task_runs (
  tenant_id text not null constraint tenant_is_named check (tenant_id <> ''),
  mission_id uuid not null,
  task_id text not null,
  position integer not null,
  agent text not null,
  prompt text,
  state text not null,
  attempt integer not null default 0,
  failures integer not null default 0,
  losses integer not null default 0,
  retries jsonb not null default '{}',
  open_dependencies integer not null,
  worker_id uuid,
  waiting_for text,
  token jsonb,
  answer jsonb,
  handoff_id uuid,
  tokens_used bigint not null default 0,
  reason jsonb,
  queued_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, mission_id, task_id),
  foreign key (tenant_id, mission_id) references waybill.mission_runs,
  foreign key (tenant_id, mission_id, task_id) references waybill.colony_tasks,
  constraint task_state_is_known check (state in ('blocked', 'queued', 'running', 'waiting', 'done', 'failed', 'cancelled')),
  constraint task_counts check (attempt >= 0 and failures >= 0 and losses >= 0 and open_dependencies >= 0 and tokens_used >= 0),
  constraint task_is_run_by_one check ((state = 'running') = (worker_id is not null))
);
comment on table waybill.task_runs is 'How far each task is.';
comment on column waybill.task_runs.tenant_id is 'Whose row it is.';
comment on column waybill.task_runs.mission_id is 'The mission.';
comment on column waybill.task_runs.task_id is 'The task.';
comment on column waybill.task_runs.position is 'Its place among all tasks of the mission, in the order of the graphs.';
comment on column waybill.task_runs.agent is 'The agent that does it, by its canonical id.';
comment on column waybill.task_runs.prompt is 'The template of its prompts, and its version, if one was named.';
comment on column waybill.task_runs.state is 'What the task does.';
comment on column waybill.task_runs.attempt is 'The number of its newest start. Whoever comes with an older one is refused: the fence.';
comment on column waybill.task_runs.failures is 'How often it has failed.';
comment on column waybill.task_runs.losses is 'How often its worker was lost.';
comment on column waybill.task_runs.retries is 'How often and when it is tried again.';
comment on column waybill.task_runs.open_dependencies is 'How many tasks that it depends on are not done.';
comment on column waybill.task_runs.worker_id is 'The worker that does it.';
comment on column waybill.task_runs.waiting_for is 'Whom it waits for.';
comment on column waybill.task_runs.token is 'What its runner goes on with.';
comment on column waybill.task_runs.answer is 'The answer of whoever was waited for, until it is an artifact.';
comment on column waybill.task_runs.handoff_id is 'The handoff by which its newest start was handed over.';
comment on column waybill.task_runs.tokens_used is 'How many tokens its agent has used.';
comment on column waybill.task_runs.reason is 'Why it failed last: a code, a sentence and what was found.';
comment on column waybill.task_runs.queued_at is 'When it was last ready.';
comment on column waybill.task_runs.started_at is 'When it was last started.';
comment on column waybill.task_runs.ended_at is 'When it was over.';
comment on constraint task_state_is_known on waybill.task_runs is 'A task is blocked by others, queued, running, waiting for somebody, done, failed or cancelled.';
comment on constraint task_counts on waybill.task_runs is 'Nothing is counted below 0.';
comment on constraint task_is_run_by_one on waybill.task_runs is 'Whoever runs has a worker, and nobody else.';
comment on constraint tenant_is_named on waybill.task_runs is 'The tenant has a name.';
create index task_runs_by_state on waybill.task_runs (tenant_id, mission_id, state, position);

alter table waybill.task_runs enable row level security;
alter table waybill.task_runs force row level security;
create policy own_tenant on waybill.task_runs
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));

create table waybill.task_outputs (
  tenant_id text not null constraint tenant_is_named check (tenant_id <> ''),
  mission_id uuid not null,
  task_id text not null,
  position integer not null,
  schema_name text not null,
  artifact_id text not null,
  digest text not null,
  primary key (tenant_id, mission_id, task_id, position),
  foreign key (tenant_id, mission_id, task_id) references waybill.task_runs
);
comment on table waybill.task_outputs is 'Which task has produced which artifact.';
comment on column waybill.task_outputs.tenant_id is 'Whose row it is.';
comment on column waybill.task_outputs.mission_id is 'The mission.';
comment on column waybill.task_outputs.task_id is 'The task.';
comment on column waybill.task_outputs.position is 'The place of the artifact among those of the task.';
comment on column waybill.task_outputs.schema_name is 'What sort of artifact it is.';
comment on column waybill.task_outputs.artifact_id is 'Its own id; a graph has its digest.';
comment on column waybill.task_outputs.digest is 'Hex SHA-256 of its canonical JSON.';
comment on constraint tenant_is_named on waybill.task_outputs is 'The tenant has a name.';

alter table waybill.task_outputs enable row level security;
alter table waybill.task_outputs force row level security;
create policy own_tenant on waybill.task_outputs
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
create trigger no_change before update or delete or truncate on waybill.task_outputs
  for each statement execute function waybill.refuse_change();

create table waybill.tool_calls (
  tenant_id text not null constraint tenant_is_named check (tenant_id <> ''),
  mission_id uuid not null,
  task_id text not null,
  ref text not null,
  attempt integer not null,
  tool text not null,
  server text,
  decision text not null,
  policies text[] not null,
  arguments_digest text,
  result_digest text,
  result_bytes bigint not null,
  is_cut boolean not null,
  is_error boolean not null,
  started_at timestamptz not null,
  ms integer not null,
  primary key (tenant_id, mission_id, ref),
  foreign key (tenant_id, mission_id, task_id) references waybill.task_runs,
  constraint call_was_decided check (decision in ('allow', 'deny'))
);
comment on table waybill.tool_calls is 'Every call of a tool that an agent made or tried, without what was said: digests alone.';
comment on column waybill.tool_calls.tenant_id is 'Whose row it is.';
comment on column waybill.tool_calls.mission_id is 'The mission.';
comment on column waybill.tool_calls.task_id is 'The task.';
comment on column waybill.tool_calls.ref is 'The name of the call, as worker results refer to it.';
comment on column waybill.tool_calls.attempt is 'The start of the task that it was made in.';
comment on column waybill.tool_calls.tool is 'The tool, as missions name it.';
comment on column waybill.tool_calls.server is 'The server that has it.';
comment on column waybill.tool_calls.decision is 'Whether the guard let it through.';
comment on column waybill.tool_calls.policies is 'The policies that determined that.';
comment on column waybill.tool_calls.arguments_digest is 'Hex SHA-256 of the canonical JSON of its arguments; nothing where they were none.';
comment on column waybill.tool_calls.result_digest is 'Hex SHA-256 of its result; nothing where there was none.';
comment on column waybill.tool_calls.result_bytes is 'How large the result was.';
comment on column waybill.tool_calls.is_cut is 'Whether the agent was given less than all of it.';
comment on column waybill.tool_calls.is_error is 'Whether it failed.';
comment on column waybill.tool_calls.started_at is 'When it was made.';
comment on column waybill.tool_calls.ms is 'How long it took, in milliseconds.';
comment on constraint call_was_decided on waybill.tool_calls is 'A call is let through or not.';
comment on constraint tenant_is_named on waybill.tool_calls is 'The tenant has a name.';

alter table waybill.tool_calls enable row level security;
alter table waybill.tool_calls force row level security;
create policy own_tenant on waybill.tool_calls
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
create trigger no_change before update or delete or truncate on waybill.tool_calls
  for each statement execute function waybill.refuse_change();

create table waybill.workers (
  worker_id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default clock_timestamp(),
  renewed_at timestamptz not null default clock_timestamp()
);
comment on table waybill.workers is 'The workers that are there. A worker that does not renew its row is taken for dead, and its tasks go on elsewhere.';
comment on column waybill.workers.worker_id is 'The worker; the queue knows it by the same id.';
comment on column waybill.workers.host is 'The machine that it runs on.';
comment on column waybill.workers.pid is 'Its process there.';
comment on column waybill.workers.started_at is 'When it began.';
comment on column waybill.workers.renewed_at is 'When it last said that it is there, by the clock of the database.';
`
