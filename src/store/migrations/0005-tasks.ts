/** The tasks of a mission and their dependencies, which the database derives from a graph when it is stored. */
export const statements = `
-- One index and no other: with two that begin alike, a reference check may read all tasks of the mission for each.
create table waybill.colony_tasks (
  tenant_id text not null constraint tenant_is_named check (tenant_id <> ''),
  mission_id uuid not null,
  graph_digest text not null,
  position integer not null constraint position_is_counted check (position >= 0),
  payload jsonb,
  tombstone jsonb,
  task_id text not null generated always as (coalesce(payload, tombstone) ->> 'task_id') stored,
  role_type text not null generated always as (coalesce(payload, tombstone) ->> 'role_type') stored,
  primary key (tenant_id, mission_id, task_id),
  foreign key (tenant_id, mission_id) references waybill.colony_missions,
  foreign key (tenant_id, mission_id, graph_digest) references waybill.colony_task_graphs,
  constraint task_is_sound check (coalesce(case
    when payload is null then waybill.is_tombstone(tombstone)
    else tombstone is null and jsonb_typeof(payload -> 'task_id') = 'string'
  end, false))
);
comment on table waybill.colony_tasks is
  'The task records of a mission, made from its graphs. Their ids are unique over all graphs of the mission. Append-only.';
comment on column waybill.colony_tasks.tenant_id is 'Whose row it is.';
comment on column waybill.colony_tasks.mission_id is 'The mission that the task belongs to.';
comment on column waybill.colony_tasks.payload is 'The task record as its graph has it; nothing once the graph is erased.';
comment on column waybill.colony_tasks.tombstone is 'What stays of an erased record, and when, by whom and why it was erased.';
comment on constraint tenant_is_named on waybill.colony_tasks is 'The tenant has a name.';
comment on constraint position_is_counted on waybill.colony_tasks is 'The position is not negative.';
comment on constraint task_is_sound on waybill.colony_tasks is 'The record has an id, or a tombstone stands in its place; the rest was checked with its graph.';
comment on column waybill.colony_tasks.graph_digest is 'The graph that the task stands in.';
comment on column waybill.colony_tasks.position is 'Where it stands there, counted from 0.';
comment on column waybill.colony_tasks.task_id is 'What the task is called.';
comment on column waybill.colony_tasks.role_type is 'The part that its agent plays.';

create table waybill.colony_task_dependencies (
  tenant_id text not null constraint tenant_is_named check (tenant_id <> ''),
  mission_id uuid not null,
  task_id text not null,
  depends_on text not null,
  primary key (tenant_id, mission_id, task_id, depends_on),
  foreign key (tenant_id, mission_id, task_id) references waybill.colony_tasks,
  foreign key (tenant_id, mission_id, depends_on) references waybill.colony_tasks,
  constraint task_waits_not_for_itself check (task_id <> depends_on)
);
comment on table waybill.colony_task_dependencies is
  'Which task waits for which, made from the graphs of a mission; each is a task that the mission has. Append-only.';
comment on column waybill.colony_task_dependencies.tenant_id is 'Whose row it is.';
comment on column waybill.colony_task_dependencies.mission_id is 'The mission that both tasks belong to.';
comment on constraint tenant_is_named on waybill.colony_task_dependencies is 'The tenant has a name.';
comment on constraint task_waits_not_for_itself on waybill.colony_task_dependencies is 'No task waits for itself.';
comment on column waybill.colony_task_dependencies.task_id is 'The task that waits.';
comment on column waybill.colony_task_dependencies.depends_on is 'The task that it waits for.';
create index colony_task_dependencies_waiting
  on waybill.colony_task_dependencies (tenant_id, mission_id, depends_on);

create function waybill.take_graph_apart() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
-- A session keeps the plans of its reference checks: one made while there were few tasks would read them all for each.
set enable_seqscan = off
as $take$
begin
  insert into waybill.colony_tasks (tenant_id, mission_id, graph_digest, position, payload)
    select new.tenant_id, new.mission_id, new.digest, ordinality - 1, task
    from jsonb_array_elements(new.payload -> 'tasks') with ordinality as tasks (task, ordinality);
  insert into waybill.colony_task_dependencies (tenant_id, mission_id, task_id, depends_on)
    select distinct new.tenant_id, new.mission_id, task ->> 'task_id', dependency
    from jsonb_array_elements(new.payload -> 'tasks') as task,
      jsonb_array_elements_text(task -> 'depends_on') as dependency;
  return null;
end
$take$;
comment on function waybill.take_graph_apart() is 'Makes the tasks of a new graph, and what they wait for.';
create trigger take_apart after insert on waybill.colony_task_graphs
  for each row execute function waybill.take_graph_apart();

create function waybill.erase_tasks() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $erase$
begin
  update waybill.colony_tasks set payload = null, tombstone = jsonb_build_object(
      'task_id', task_id, 'role_type', role_type, 'erased', new.tombstone -> 'erased')
    where tenant_id = new.tenant_id and mission_id = new.mission_id
      and graph_digest = new.digest and payload is not null;
  return null;
end
$erase$;
comment on function waybill.erase_tasks() is 'Takes the records of a graph''s tasks away with its payload.';
create trigger then_erase_tasks after update on waybill.colony_task_graphs
  for each row execute function waybill.erase_tasks();

alter table waybill.colony_tasks enable row level security;
alter table waybill.colony_tasks force row level security;
create policy own_tenant on waybill.colony_tasks
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
create trigger no_removal before delete or truncate on waybill.colony_tasks
  for each statement execute function waybill.refuse_change();
create trigger only_erasure after update on waybill.colony_tasks
  for each row execute function waybill.refuse_all_but_erasure();

alter table waybill.colony_task_dependencies enable row level security;
alter table waybill.colony_task_dependencies force row level security;
create policy own_tenant on waybill.colony_task_dependencies
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
create trigger no_change before update or delete or truncate on waybill.colony_task_dependencies
  for each statement execute function waybill.refuse_change();
`
