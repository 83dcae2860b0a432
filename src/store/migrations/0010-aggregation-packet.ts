/** How artifacts of this sort are found. */
export const artifact = {
  name: 'aggregation_packet',
  table: 'colony_aggregation_packets',
  key: 'packet_id',
  hasTask: false,
} as const

/** Made from the published schema of the contract by `npm run new artifact`. */
export const statements = String.raw`
create or replace function waybill.is_aggregation_packet(payload jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $check$
declare
  part1 jsonb;
  part2 jsonb;
  part3 jsonb;
  part4 jsonb;
begin
  if (jsonb_typeof(payload) = 'object') is not true then return false; end if;
  part1 := payload -> '$schema';
  if part1 is not null then
    if (jsonb_typeof(part1) = 'string') is not true then return false; end if;
  end if;
  part1 := payload -> 'schema_name';
  if (part1 in ('"aggregation_packet"')) is not true then return false; end if;
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
  part1 := payload -> 'packet_id';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'summary';
  if (jsonb_typeof(part1) = 'string' and part1 <> '""') is not true then return false; end if;
  part1 := payload -> 'evidence_matrix';
  if (jsonb_typeof(part1) = 'array') is not true then return false; end if;
  for i2 in 0 .. jsonb_array_length(part1) - 1 loop
    part2 := part1 -> i2;
    if (jsonb_typeof(part2) = 'object') is not true then return false; end if;
    part3 := part2 -> 'claim';
    if (jsonb_typeof(part3) = 'string' and part3 <> '""') is not true then return false; end if;
    part3 := part2 -> 'support_refs';
    if (jsonb_typeof(part3) = 'array') is not true then return false; end if;
    for i4 in 0 .. jsonb_array_length(part3) - 1 loop
      part4 := part3 -> i4;
      if (jsonb_typeof(part4) = 'string' and part4 <> '""') is not true then return false; end if;
    end loop;
  end loop;
  part1 := payload -> 'contradictions';
  if (jsonb_typeof(part1) = 'array') is not true then return false; end if;
  part1 := payload -> 'coverage_gaps';
  if (jsonb_typeof(part1) = 'array') is not true then return false; end if;
  part1 := payload -> 'recommended_output';
  if (jsonb_typeof(part1) = 'object') is not true then return false; end if;
  part2 := part1 -> 'format';
  if (jsonb_typeof(part2) = 'string' and part2 <> '""') is not true then return false; end if;
  return true;
end
$check$;
comment on function waybill.is_aggregation_packet(jsonb) is 'Whether a payload has the structure that aggregation-packet.v1 asks for.';
create table waybill.colony_aggregation_packets (
  tenant_id text not null default current_setting('waybill.tenant', true),
  digest text not null,
  payload jsonb,
  tombstone jsonb,
  recorded_at timestamptz not null default clock_timestamp(),
  mission_id uuid not null generated always as ((coalesce(payload, tombstone) ->> 'mission_id')::uuid) stored,
  created_at timestamptz not null generated always as (waybill.instant(coalesce(payload, tombstone) ->> 'created_at')) stored,
  packet_id text not null generated always as (coalesce(payload, tombstone) ->> 'packet_id') stored,
  primary key (tenant_id, mission_id, packet_id),
  foreign key (tenant_id, mission_id) references waybill.colony_missions,
  constraint tenant_is_named check (tenant_id <> ''),
  constraint digest_is_sha256 check (digest ~ '^[0-9a-f]{64}$'),
  constraint aggregation_packet_is_sound check (coalesce(case when payload is null then waybill.is_tombstone(tombstone) else tombstone is null and waybill.is_aggregation_packet(payload) end, false)),
  constraint aggregation_packet_is_of_its_tenant check (coalesce(payload ->> 'tenant_id', tenant_id) = tenant_id)
);
comment on table waybill.colony_aggregation_packets is 'The draft made from all results, before review. Append-only.';
comment on column waybill.colony_aggregation_packets.tenant_id is 'Whose row it is; the tenant of the transaction where nothing is said.';
comment on column waybill.colony_aggregation_packets.digest is 'Hex SHA-256 of the canonical JSON of the payload.';
comment on column waybill.colony_aggregation_packets.payload is 'The artifact, as canonical JSON; nothing once it is erased.';
comment on column waybill.colony_aggregation_packets.tombstone is 'What stays of an erased payload, and when, by whom and why it was erased.';
comment on column waybill.colony_aggregation_packets.recorded_at is 'When the database took it.';
comment on column waybill.colony_aggregation_packets.mission_id is 'The mission that the artifact belongs to, a UUID.';
comment on column waybill.colony_aggregation_packets.created_at is 'When the artifact was written.';
comment on column waybill.colony_aggregation_packets.packet_id is 'What the packet is called.';
comment on constraint tenant_is_named on waybill.colony_aggregation_packets is 'The tenant has a name.';
comment on constraint digest_is_sha256 on waybill.colony_aggregation_packets is 'The digest is 64 hexadecimal digits in lower case.';
comment on constraint aggregation_packet_is_sound on waybill.colony_aggregation_packets is 'The payload has the structure that aggregation-packet.v1 asks for, or a tombstone stands in its place.';
comment on constraint aggregation_packet_is_of_its_tenant on waybill.colony_aggregation_packets is 'Where the payload names a tenant, it is the one whose row it is.';
alter table waybill.colony_aggregation_packets enable row level security;
alter table waybill.colony_aggregation_packets force row level security;
create policy own_tenant on waybill.colony_aggregation_packets
  using (tenant_id = current_setting('waybill.tenant', true))
  with check (tenant_id = current_setting('waybill.tenant', true));
create trigger no_removal before delete or truncate on waybill.colony_aggregation_packets
  for each statement execute function waybill.refuse_change();
create trigger only_erasure after update on waybill.colony_aggregation_packets
  for each row execute function waybill.refuse_all_but_erasure();
`
