/** How artifacts of this sort are found. */
export const artifact = {
  name: 'policy_decision',
  table: 'colony_policy_decisions',
  key: 'decision_id',
  hasTask: false,
} as const

/** Made from the published schema of the contract by `npm run new artifact`. */
export const statements = String.raw`
create or replace function waybill.is_policy_decision(payload jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $check$
declare
  part1 jsonb;
begin
  if (jsonb_typeof(payload) = 'object') is not true then return false; end if;
  part1 := payload -> '$schema';
  if part1 is not null then
    if (jsonb_typeof(part1) = 'string') is not true then return false; end if;
  end if;
  part1 := payload -> 'schema_name';
  if (part1 in ('"policy_decision"')) is not true then return false; end if;
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
  part1 := payload -> 'decision_id';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'decision_type';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'subject';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'decision';
  if (part1 in ('"allow"', '"deny"')) is not true then return false; end if;
  part1 := payload -> 'reason';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  return true;
end
$check$;
comment on function waybill.is_policy_decision(jsonb) is 'Whether a payload has the structure that policy-decision.v1 asks for.';
create table waybill.colony_policy_decisions (
  tenant_id text not null default current_setting('waybill.tenant', true),
  digest text not null,
  payload jsonb,
  tombstone jsonb,
  recorded_at timestamptz not null default clock_timestamp(),
  mission_id uuid not null generated always as ((coalesce(payload, tombstone) ->> 'mission_id')::uuid) stored,
  created_at timestamptz not null generated always as (waybill.instant(coalesce(payload, tombstone) ->> 'created_at')) stored,
  decision_id text not null generated always as (coalesce(payload, tombstone) ->> 'decision_id') stored,
  decision_type text not null generated always as (coalesce(payload, tombstone) ->> 'decision_type') stored,
  subject text not null generated always as (coalesce(payload, tombstone) ->> 'subject') stored,
  decision text not null generated always as (coalesce(payload, tombstone) ->> 'decision') stored,
  primary key (tenant_id, mission_id, decision_id),
  foreign key (tenant_id, mission_id) references waybill.colony_missions,
  constraint tenant_is_named check (tenant_id <> ''),
  constraint digest_is_sha256 check (digest ~ '^[0-9a-f]{64}$'),
  constraint policy_decision_is_sound check (coalesce(case when payload is null then waybill.is_tombstone(tombstone) else tombstone is null and waybill.is_policy_decision(payload) end, false)),
  constraint policy_decision_is_of_its_tenant check (coalesce(payload ->> 'tenant_id', tenant_id) = tenant_id)
);
comment on table waybill.colony_policy_decisions is 'One explicit yes or no of the guard plane. Append-only.';
comment on column waybill.colony_policy_decisions.tenant_id is 'Whose row it is; the tenant of the transaction where nothing is said.';
comment on column waybill.colony_policy_decisions.digest is 'Hex SHA-256 of the canonical JSON of the payload.';
comment on column waybill.colony_policy_decisions.payload is 'The artifact, as canonical JSON; nothing once it is erased.';
comment on column waybill.colony_policy_decisions.tombstone is 'What stays of an erased payload, and when, by whom and why it was erased.';
comment on column waybill.colony_policy_decisions.recorded_at is 'When the database took it.';
comment on column waybill.colony_policy_decisions.mission_id is 'The mission that the artifact belongs to, a UUID.';
comment on column waybill.colony_policy_decisions.created_at is 'When the artifact was written.';
comment on column waybill.colony_policy_decisions.decision_id is 'What the decision is called.';
comment on column waybill.colony_policy_decisions.decision_type is 'What sort of thing is decided on, such as tool_scope or writeback.';
comment on column waybill.colony_policy_decisions.subject is 'What is allowed or denied.';
comment on column waybill.colony_policy_decisions.decision is 'The decision itself.';
comment on constraint tenant_is_named on waybill.colony_policy_decisions is 'The tenant has a name.';
comment on constraint digest_is_sha256 on waybill.colony_policy_decisions is 'The digest is 64 hexadecimal digits in lower case.';
comment on constraint policy_decision_is_sound on waybill.colony_policy_decisions is 'The payload has the structure that policy-decision.v1 asks for, or a tombstone stands in its place.';
comment on constraint policy_decision_is_of_its_tenant on waybill.colony_policy_decisions is 'Where the payload names a tenant, it is the one whose row it is.';
alter table waybill.colony_policy_decisions enable row level security;
alter table waybill.colony_policy_decisions force row level security;
create policy own_tenant on waybill.colony_policy_decisions
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
create trigger no_removal before delete or truncate on waybill.colony_policy_decisions
  for each statement execute function waybill.refuse_change();
create trigger only_erasure after update on waybill.colony_policy_decisions
  for each row execute function waybill.refuse_all_but_erasure();
`
