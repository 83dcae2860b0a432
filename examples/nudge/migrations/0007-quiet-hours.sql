-- Quiet hours per clinic. Both columns may be null, which means the default of the service, so that the
-- release before this one goes on working with the new table and the migration can be taken back.
alter table clinics
  add column quiet_start time,
  add column quiet_end time,
  add constraint quiet_hours_come_in_pairs check ((quiet_start is null) = (quiet_end is null));

-- To take it back:
-- alter table clinics drop constraint quiet_hours_come_in_pairs, drop column quiet_start, drop column quiet_end;
