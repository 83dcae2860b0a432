/** The basis of all artifact tables: timestamps, tombstones, and triggers that forbid changes. */
export const statements = `
-- Functions of checks and columns are in PL/pgSQL: those in SQL would be taken apart and planned anew for every insert.
create function waybill.instant(written text) returns timestamptz
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $instant$
begin
  return timezone('UTC',
    make_timestamp(
      substr(written, 1, 4)::integer, substr(written, 6, 2)::integer, substr(written, 9, 2)::integer,
      substr(written, 12, 2)::integer, substr(written, 15, 2)::integer,
      substring(written from '^.{17}([0-9]{2}(?:[.][0-9]{1,6})?)')::double precision
    )
    - case when right(written, 1) = 'Z' then interval '0' else make_interval(
        hours => left(right(written, 6), 3)::integer,
        mins => (left(right(written, 6), 1) || right(written, 2))::integer
      ) end);
end
$instant$;
comment on function waybill.instant(text) is
  'The moment that an ISO 8601 time with a zone names, to the microsecond, whatever the time zone of the session.';

create function waybill.is_tombstone(tombstone jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $check$
begin
  return coalesce(
    jsonb_typeof(tombstone -> 'erased') = 'object'
    and jsonb_typeof(tombstone -> 'erased' -> 'at') = 'string'
    and jsonb_typeof(tombstone -> 'erased' -> 'by') = 'string'
    and tombstone -> 'erased' ->> 'by' <> ''
    and jsonb_typeof(tombstone -> 'erased' -> 'why') = 'string'
    and tombstone -> 'erased' ->> 'why' <> '', false);
end
$check$;
comment on function waybill.is_tombstone(jsonb) is
  'Whether a value is what stays of an erased payload: the columns of its row, and when, by whom and why it was erased.';

create function waybill.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $refuse$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'insufficient_privilege', hint = 'a payload is taken away by waybill.erase alone';
end
$refuse$;
comment on function waybill.refuse_change() is 'Refuses to change an append-only table, for its owner too.';

create function waybill.refuse_all_but_erasure() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $refuse$
begin
  if old.payload is not null and new.payload is null and waybill.is_tombstone(new.tombstone)
    and to_jsonb(new) - array['payload', 'tombstone'] = to_jsonb(old) - array['payload', 'tombstone']
  then
    return null;
  end if;
  raise exception '% is append-only: update is refused', tg_table_name
    using errcode = 'insufficient_privilege', hint = 'a payload is taken away by waybill.erase alone';
end
$refuse$;
comment on function waybill.refuse_all_but_erasure() is
  'Refuses every change of a row but the one that puts a tombstone in the place of its payload.';

create function waybill.erase(tenant text, artifacts regclass, mission uuid, digest text, by text, why text)
returns boolean
language plpgsql set search_path = pg_catalog, pg_temp
as $erase$
declare
  before text := coalesce(current_setting('waybill.tenant', true), '');
  kept text[];
  erased bigint;
begin
  -- The columns that are made from the payload are made from what is kept of it.
  select array_agg(attname) into kept
    from pg_attribute where attrelid = artifacts and attgenerated = 's';
  perform set_config('waybill.tenant', tenant, true);
  execute format(
    'update %s as artifact set payload = null, tombstone = (
       select jsonb_object_agg(key, value) from jsonb_each(artifact.payload) where key = any($1)
     ) || jsonb_build_object(''erased'', $2)
     where tenant_id = $3 and mission_id = $4 and digest = $5 and payload is not null', artifacts)
    using kept,
      jsonb_build_object(
        'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'by', by, 'why', why),
      tenant, mission, digest;
  get diagnostics erased = row_count;
  perform set_config('waybill.tenant', before, true);
  return erased > 0;
end
$erase$;
comment on function waybill.erase(text, regclass, uuid, text, text, text) is
  'Takes the payload of one artifact away; its digest stays, and a tombstone says when, by whom and why. For the owner alone.';
`
