/** How artifacts of this sort are found. */
export const artifact = {
  name: 'worker_result',
  table: 'colony_worker_results',
  key: 'result_id',
  hasTask: true,
} as const

/** Made from the published schema of the contract by `npm run new artifact`. */
export const statements = String.raw`
create or replace function waybill.is_worker_result(payload jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $check$
declare
  part1 jsonb;
  part2 jsonb;
  part3 jsonb;
begin
  if (jsonb_typeof(payload) = 'object') is not true then return false; end if;
  part1 := payload -> '$schema';
  if part1 is not null then
    if (jsonb_typeof(part1) = 'string') is not true then return false; end if;
  end if;
  part1 := payload -> 'schema_name';
  if (part1 in ('"worker_result"')) is not true then return false; end if;
  part1 := payload -> 'schema_version';
  if (part1 in ('"v1"')) is not true then return false; end if;
  part1 := payload -> 'mission_id';
  if (jsonb_typeof(part1) = 'string' and (part1 #>> '{}') ~ '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$') is not true then return false; end if;
  part1 := payload -> 'created_at';
  if (jsonb_typeof(part1) = 'string' and (part1 #>> '{}') ~ '^(?:(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\u002e[0-9]+)?(?:Z|[\u002b\u002d](?:[01][0-9]|2[0-3]):[0-5][0-9])$') is not true then return false; end if;
  part1 := payload -> 'producer';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'tenant_id';
  if part1 is not null then
    if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  end if;
  part1 := payload -> 'actor_id';
  if part1 is not null then
    if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  end if;
  part1 := payload -> 'task_id';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'result_id';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'output_text';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'structured_output';
  if (jsonb_typeof(part1) = 'object') is not true then return false; end if;
  part1 := payload -> 'citations';
  if (jsonb_typeof(part1) = 'array') is not true then return false; end if;
  for i2 in 0 .. jsonb_array_length(part1) - 1 loop
    part2 := part1 -> i2;
    if (jsonb_typeof(part2) = 'object') is not true then return false; end if;
    part3 := part2 -> 'kind';
    if (jsonb_typeof(part3) = 'string' and part3 <> '""') is not true then return false; end if;
    part3 := part2 -> 'ref';
    if (jsonb_typeof(part3) = 'string' and part3 <> '""') is not true then return false; end if;
  end loop;
  part1 := payload -> 'confidence';
  if (jsonb_typeof(part1) = 'number') is not true then return false; end if;
  if (part1::numeric >= 0) is not true then return false; end if;
  if (part1::numeric <= 1) is not true then return false; end if;
  part1 := payload -> 'tool_trace_refs';
  if (jsonb_typeof(part1) = 'array') is not true then return false; end if;
  for i2 in 0 .. jsonb_array_length(part1) - 1 loop
    part2 := part1 -> i2;
    if (jsonb_typeof(part2) = 'string' and part2 <> '""') is not true then return false; end if;
  end loop;
  return true;
end
$check$;
comment on function waybill.is_worker_result(jsonb) is 'Whether a payload has the structure that worker-result.v1 asks for.';
create table waybill.colony_worker_results (
  tenant_id text not null default current_setting('waybill.tenant', true),
  digest text not null,
  payload jsonb,
  tombstone jsonb,
  recorded_at timestamptz not null default clock_timestamp(),
  mission_id uuid not null generated always as ((coalesce(payload, tombstone) ->> 'mission_id')::uuid) stored,
  created_at timestamptz not null generated always as (waybill.instant(coalesce(payload, tombstone) ->> 'created_at')) stored,
  task_id text not null generated always as (coalesce(payload, tombstone) ->> 'task_id') stored,
  result_id text not null generated always as (coalesce(payload, tombstone) ->> 'result_id') stored,
  primary key (tenant_id, mission_id, result_id),
  foreign key (tenant_id, mission_id) references waybill.colony_missions,
  foreign key (tenant_id, mission_id, task_id) references waybill.colony_tasks,
  constraint tenant_is_named check (tenant_id <> ''),
  constraint digest_is_sha256 check (digest ~ '^[0-9a-f]{64}$'),
  constraint worker_result_is_sound check (coalesce(case when payload is null then waybill.is_tombstone(tombstone) else tombstone is null and waybill.is_worker_result(payload) end, false)),
  constraint worker_result_is_of_its_tenant check (coalesce(payload ->> 'tenant_id', tenant_id) = tenant_id)
);
comment on table waybill.colony_worker_results is 'What one worker found out in one task. Append-only.';
comment on column waybill.colony_worker_results.tenant_id is 'Whose row it is; the tenant of the transaction where nothing is said.';
comment on column waybill.colony_worker_results.digest is 'Hex SHA-256 of the canonical JSON of the payload.';
comment on column waybill.colony_worker_results.payload is 'The artifact, as canonical JSON; nothing once it is erased.';
comment on column waybill.colony_worker_results.tombstone is 'What stays of an erased payload, and when, by whom and why it was erased.';
comment on column waybill.colony_worker_results.recorded_at is 'When the database took it.';
comment on column waybill.colony_worker_results.mission_id is 'The mission that the artifact belongs to, a UUID.';
comment on column waybill.colony_worker_results.created_at is 'When the artifact was written.';
comment on column waybill.colony_worker_results.task_id is 'The task that was done.';
comment on column waybill.colony_worker_results.result_id is 'What the result is called.';
comment on constraint tenant_is_named on waybill.colony_worker_results is 'The tenant has a name.';
comment on constraint digest_is_sha256 on waybill.colony_worker_results is 'The digest is 64 hexadecimal digits in lower case.';
comment on constraint worker_result_is_sound on waybill.colony_worker_results is 'The payload has the structure that worker-result.v1 asks for, or a tombstone stands in its place.';
comment on constraint worker_result_is_of_its_tenant on waybill.colony_worker_results is 'Where the payload names a tenant, it is the one whose row it is.';
alter table waybill.colony_worker_results enable row level security;
alter table waybill.colony_worker_results force row level security;
create policy own_tenant on waybill.colony_worker_results
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
create trigger no_removal before delete or truncate on waybill.colony_worker_results
  for each statement execute function waybill.refuse_change();
create trigger only_erasure after update on waybill.colony_worker_results
  for each row execute function waybill.refuse_all_but_erasure();
`
