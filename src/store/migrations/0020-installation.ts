/** The installation that owns the database. */
export const statements = `
create table waybill.installation (
  is_the_only_one boolean primary key default true constraint one_installation check (is_the_only_one),
  origin text not null,
  since timestamptz not null default clock_timestamp()
);
comment on table waybill.installation is 'The repository whose missions are done here: the first that began or did one.';
comment on column waybill.installation.is_the_only_one is 'True: there is one.';
comment on column waybill.installation.origin is 'The name of its log.';
comment on column waybill.installation.since is 'Since when.';
comment on constraint one_installation on waybill.installation is 'A database belongs to one repository.';
`
