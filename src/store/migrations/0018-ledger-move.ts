/** Moving a log into the database: appends are blocked until the move is complete. */
export const statements = `
alter table waybill.ledger_state add column is_moving boolean not null default false;
comment on column waybill.ledger_state.is_moving is 'Whether a log is being moved here; until that has ended nobody else appends.';
comment on column waybill.ledger_entries.gateway_time is
  'When it was appended, in milliseconds since 1970; never before the entry ahead of it. Entries that were moved here together have the time of the last of them.';
comment on column waybill.ledger_entries.erased_at is 'When a tombstone took the place of its content in this database.';

create or replace function waybill.keep_ledger_growing() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $keep$
begin
  if new.size < old.size or new.origin <> old.origin or new.gateway_time < old.gateway_time
    or (new.size = old.size and new.frontier <> old.frontier)
  then
    raise exception 'the log goes on and never back: update is refused' using errcode = 'insufficient_privilege';
  end if;
  -- Whoever moves a log says so in each transaction.
  if old.is_moving and current_setting('waybill.moving', true) is distinct from 'on' then
    raise exception 'a log is being moved into this database' using errcode = 'WB001';
  end if;
  return new;
end
$keep$;
comment on function waybill.keep_ledger_growing() is
  'Refuses to take the log back to what it was, to give it another name, and to append to one that is being moved here.';
`
