/** The tenants, readable by the owner only: where queries alone isolate tenants, a second one is refused. */
export const statements = `
create table waybill.tenants (
  tenant_id text primary key constraint tenant_is_named check (tenant_id <> ''),
  first_seen timestamptz not null default clock_timestamp()
);
comment on table waybill.tenants is 'Every tenant that has had a mission.';
comment on column waybill.tenants.tenant_id is 'The tenant.';
comment on column waybill.tenants.first_seen is 'When its first mission came.';
comment on constraint tenant_is_named on waybill.tenants is 'The tenant has a name.';

create function waybill.note_tenant() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $note$
begin
  insert into waybill.tenants (tenant_id) values (new.tenant_id) on conflict (tenant_id) do nothing;
  return null;
end
$note$;
comment on function waybill.note_tenant() is 'Notes the tenant of a new mission.';

create trigger note_tenant after insert on waybill.colony_missions
  for each row execute function waybill.note_tenant();
`
