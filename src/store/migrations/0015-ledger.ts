/** The log of the installation: entries, keys, tree hashes, and the state row that serializes appends. */
export const statements = `
create table waybill.ledger_entries (
  index bigint primary key constraint ledger_index_is_a_place check (index >= 0),
  digest bytea not null constraint ledger_digest_is_sha256 check (octet_length(digest) = 32),
  leaf bytea not null constraint ledger_leaf_is_short check (octet_length(leaf) <= 65535),
  leaf_hash bytea not null generated always as (sha256('\\x00'::bytea || leaf)) stored,
  content text not null constraint ledger_content_is_a_line check (content <> '' and strpos(content, E'\\n') = 0),
  gateway_time bigint not null,
  erased_at timestamptz
);
comment on table waybill.ledger_entries is 'The entries of the log of this installation. It belongs to no tenant.';
comment on column waybill.ledger_entries.index is 'Its place in the log.';
comment on column waybill.ledger_entries.digest is 'SHA-256 that names the entry.';
comment on column waybill.ledger_entries.leaf is 'What stands in the tree.';
comment on column waybill.ledger_entries.leaf_hash is 'The hash of the leaf as RFC 6962 has it.';
comment on column waybill.ledger_entries.content is 'What stands beside the leaf, or the tombstone that took its place.';
comment on column waybill.ledger_entries.gateway_time is 'When it was appended, in milliseconds since 1970; never before the entry ahead of it.';
comment on column waybill.ledger_entries.erased_at is 'When a tombstone took the place of its content.';
comment on constraint ledger_index_is_a_place on waybill.ledger_entries is 'The first entry stands at 0.';
comment on constraint ledger_digest_is_sha256 on waybill.ledger_entries is 'The digest has 32 bytes.';
comment on constraint ledger_leaf_is_short on waybill.ledger_entries is 'A leaf has at most 65,535 bytes.';
comment on constraint ledger_content_is_a_line on waybill.ledger_entries is 'The content is one line of text.';

create table waybill.ledger_keys (
  key bytea not null constraint ledger_key_is_sha256 check (octet_length(key) = 32),
  index bigint not null,
  is_unique boolean not null,
  primary key (key, index)
);
create unique index ledger_unique_keys on waybill.ledger_keys (key) where is_unique;
comment on table waybill.ledger_keys is 'By what entries of the log are found again.';
comment on column waybill.ledger_keys.key is 'SHA-256 of the key.';
comment on column waybill.ledger_keys.index is 'The entry that has it.';
comment on column waybill.ledger_keys.is_unique is 'Whether no other entry may have it as a unique one.';
comment on constraint ledger_key_is_sha256 on waybill.ledger_keys is 'A key is kept as 32 bytes.';

create table waybill.ledger_nodes (
  level smallint not null constraint ledger_level_is_above check (level between 1 and 7),
  index bigint not null,
  hash bytea not null constraint ledger_node_is_sha256 check (octet_length(hash) = 32),
  primary key (level, index)
);
comment on table waybill.ledger_nodes is 'The roots of the full tiles of the tree: each is a hash in a tile of the level above.';
comment on column waybill.ledger_nodes.level is 'In tiles of which level it stands; those of level 0 are the hashes of leaves.';
comment on column waybill.ledger_nodes.index is 'Its place in that level.';
comment on column waybill.ledger_nodes.hash is 'The root of the tile.';
comment on constraint ledger_level_is_above on waybill.ledger_nodes is 'Level 0 stands with the entries.';
comment on constraint ledger_node_is_sha256 on waybill.ledger_nodes is 'A hash has 32 bytes.';

create table waybill.ledger_state (
  is_one boolean primary key default true constraint ledger_state_is_one check (is_one),
  origin text,
  size bigint not null default 0,
  frontier bytea not null default ''
    constraint ledger_frontier_fits check (octet_length(frontier) = 32 * bit_count(int8send(size))),
  gateway_time bigint,
  wall double precision,
  boot text,
  uptime double precision
);
insert into waybill.ledger_state default values;
comment on table waybill.ledger_state is 'How far the log has come: one row, and whoever appends holds it.';
comment on column waybill.ledger_state.is_one is 'There is one row.';
comment on column waybill.ledger_state.origin is 'The name of the log; nothing until its first entry or checkpoint.';
comment on column waybill.ledger_state.size is 'How many entries it has.';
comment on column waybill.ledger_state.frontier is 'The roots of its full subtrees, the largest first.';
comment on column waybill.ledger_state.gateway_time is 'When something was last appended, in milliseconds since 1970.';
comment on column waybill.ledger_state.wall is 'What the clock of that machine said, in milliseconds since 1970.';
comment on column waybill.ledger_state.boot is 'Which start of that machine it was.';
comment on column waybill.ledger_state.uptime is 'For how many milliseconds it had been running.';
comment on constraint ledger_state_is_one on waybill.ledger_state is 'There is one row.';
comment on constraint ledger_frontier_fits on waybill.ledger_state is 'There are as many roots as the size has binary ones.';

create table waybill.ledger_checkpoint (
  is_one boolean primary key default true constraint ledger_checkpoint_is_one check (is_one),
  size bigint not null,
  note text not null
);
comment on table waybill.ledger_checkpoint is 'The last published checkpoint of the log.';
comment on column waybill.ledger_checkpoint.is_one is 'There is one row, or none.';
comment on column waybill.ledger_checkpoint.size is 'How many entries it covers.';
comment on column waybill.ledger_checkpoint.note is 'The signed note.';
comment on constraint ledger_checkpoint_is_one on waybill.ledger_checkpoint is 'There is one row, or none.';

create function waybill.refuse_ledger_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $refuse$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'insufficient_privilege', hint = 'a content is taken away by waybill.ledger_erase alone';
end
$refuse$;
comment on function waybill.refuse_ledger_change() is 'Refuses to change what the log holds, for its owner too.';

create function waybill.keep_ledger_entry() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $keep$
begin
  if new.erased_at is null or new.erased_at is not distinct from old.erased_at
    or new.index <> old.index or new.digest <> old.digest or new.leaf <> old.leaf
    or new.gateway_time <> old.gateway_time
  then
    raise exception '% is append-only: update is refused', tg_table_name
      using errcode = 'insufficient_privilege', hint = 'a content is taken away by waybill.ledger_erase alone';
  end if;
  return new;
end
$keep$;
comment on function waybill.keep_ledger_entry() is 'Refuses every change of an entry but the one that puts a tombstone in the place of its content.';

create function waybill.keep_ledger_growing() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $keep$
begin
  if new.size < old.size or new.origin <> old.origin or new.gateway_time < old.gateway_time
    or (new.size = old.size and new.frontier <> old.frontier)
  then
    raise exception 'the log goes on and never back: update is refused' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$keep$;
comment on function waybill.keep_ledger_growing() is 'Refuses to take the log back to what it was, or to give it another name.';

create function waybill.keep_ledger_checkpoint() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $keep$
begin
  if new.size < old.size
    or (new.size = old.size and split_part(new.note, E'\\n\\n', 1) <> split_part(old.note, E'\\n\\n', 1))
  then
    raise exception 'a checkpoint goes on and never back: update is refused' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$keep$;
comment on function waybill.keep_ledger_checkpoint() is 'Refuses a smaller checkpoint, and another one of the same size; signatures may be added.';

create trigger keep_entry before update on waybill.ledger_entries
  for each row execute function waybill.keep_ledger_entry();
create trigger keep_growing before update on waybill.ledger_state
  for each row execute function waybill.keep_ledger_growing();
create trigger keep_checkpoint before update on waybill.ledger_checkpoint
  for each row execute function waybill.keep_ledger_checkpoint();
create trigger refuse_change before delete or truncate on waybill.ledger_entries
  for each statement execute function waybill.refuse_ledger_change();
create trigger refuse_change before update or delete or truncate on waybill.ledger_keys
  for each statement execute function waybill.refuse_ledger_change();
create trigger refuse_change before update or delete or truncate on waybill.ledger_nodes
  for each statement execute function waybill.refuse_ledger_change();
create trigger refuse_change before delete or truncate on waybill.ledger_state
  for each statement execute function waybill.refuse_ledger_change();
create trigger refuse_change before delete or truncate on waybill.ledger_checkpoint
  for each statement execute function waybill.refuse_ledger_change();

create function waybill.ledger_take() returns setof waybill.ledger_state
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $take$
begin
  -- What is promised must be on the disk, also where the server is told not to wait for that.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  return query select * from waybill.ledger_state for update;
end
$take$;
comment on function waybill.ledger_take() is
  'Waits until nobody else appends to the log, and answers how far it has come. It stays so until the transaction ends, which waits for the disk.';

create function waybill.ledger_append(
  log text, at bigint, digests bytea, leaves bytea, starts integer[], lengths integer[], contents text,
  keys bytea, key_entries integer[], unique_keys integer, seen_keys bytea, seen_last bigint[],
  machine_wall double precision, machine_boot text, machine_uptime double precision
) returns table (outcome text, key bytea, index bigint, digest bytea)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $append$
#variable_conflict use_column
declare
  state waybill.ledger_state;
  entries integer := cardinality(starts);
  clashes boolean;
  added bigint;
  grown bigint; roots bytea; node bytea;
  rest bigint; height integer;
begin
  select * into state from waybill.ledger_state for update;
  if state.origin <> log then
    raise exception 'the database has another log' using errcode = 'data_exception';
  end if;
  if state.gateway_time > at then
    return query select 'earlier', null::bytea, state.gateway_time, null::bytea;
    return;
  end if;
  return query
    select 'owner', owner.key, owner.index, entry.digest
      from generate_series(1, unique_keys) as n
      cross join lateral (select k.key, k.index from waybill.ledger_keys k
        where k.key = substring(keys from 32 * n - 31 for 32) and k.is_unique limit 1) as owner
      cross join lateral (select e.digest from waybill.ledger_entries e where e.index = owner.index limit 1) as entry;
  clashes := found;
  if cardinality(seen_last) > 0 then
    return query
      select 'newest', newest.key, newest.index, entry.digest
        from generate_series(1, cardinality(seen_last)) as n
        cross join lateral (select k.key, k.index from waybill.ledger_keys k
          where k.key = substring(seen_keys from 32 * n - 31 for 32) order by k.index desc limit 1) as newest
        cross join lateral (select e.digest from waybill.ledger_entries e where e.index = newest.index limit 1) as entry
        where newest.index <> seen_last[n];
    clashes := clashes or found;
  end if;
  if clashes then
    return;
  end if;
  insert into waybill.ledger_entries (index, digest, leaf, content, gateway_time)
    select state.size + n - 1, substring(digests from 32 * n::integer - 31 for 32),
        substring(leaves from starts[n] for lengths[n]), content, at
      from string_to_table(contents, E'\\n') with ordinality as lines (content, n);
  get diagnostics added = row_count;
  if added = 0 or added <> entries then
    raise exception 'a group has as many contents as leaves' using errcode = 'data_exception';
  end if;
  insert into waybill.ledger_keys (key, index, is_unique)
    select substring(keys from 32 * n - 31 for 32), state.size + key_entries[n], n <= unique_keys
      from generate_series(1, cardinality(key_entries)) as n;
  grown := state.size;
  roots := state.frontier;
  for n in 1 .. entries loop
    node := sha256('\\x00'::bytea || substring(leaves from starts[n] for lengths[n]));
    rest := grown;
    height := 0;
    -- Every trailing one of the size is a full subtree that the new leaf completes to a larger one.
    while rest % 2 = 1 loop
      node := sha256('\\x01'::bytea || substring(roots from octet_length(roots) - 31) || node);
      roots := substring(roots for octet_length(roots) - 32);
      rest := rest / 2;
      height := height + 1;
      if height % 8 = 0 then
        insert into waybill.ledger_nodes (level, index, hash) values (height / 8, grown >> height, node);
      end if;
    end loop;
    roots := roots || node;
    grown := grown + 1;
  end loop;
  update waybill.ledger_state as changed set origin = log, size = grown, frontier = roots,
    gateway_time = at, wall = machine_wall, boot = machine_boot, uptime = machine_uptime;
  return query select 'appended', null::bytea, state.size, null::bytea;
end
$append$;
comment on function waybill.ledger_append is
  'Appends a group of entries and answers the index of the first; or appends none of them, and answers which entries have their unique keys, which came after what they were decided on, or that time was later already.';

create function waybill.ledger_publish(log text, covered bigint, signed text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $publish$
declare
  state waybill.ledger_state;
begin
  select * into state from waybill.ledger_state for update;
  if state.origin is null then
    update waybill.ledger_state set origin = log;
  end if;
  if covered <> state.size or log <> coalesce(state.origin, log) then
    raise exception 'the log is not what the checkpoint says' using errcode = 'serialization_failure';
  end if;
  insert into waybill.ledger_checkpoint as published (size, note) values (covered, signed)
    on conflict (is_one) do update set size = excluded.size, note = excluded.note
      where published.size < excluded.size;
  return found;
end
$publish$;
comment on function waybill.ledger_publish(text, bigint, text) is 'Publishes a checkpoint of the whole log, if none of that size is published.';

create function waybill.ledger_cosign(published text, cosigned text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $cosign$
begin
  if split_part(published, E'\\n\\n', 1) <> split_part(cosigned, E'\\n\\n', 1) then
    raise exception 'cosignatures leave the text as it is' using errcode = 'insufficient_privilege';
  end if;
  update waybill.ledger_checkpoint set note = cosigned where note = published;
  return found;
end
$cosign$;
comment on function waybill.ledger_cosign(text, text) is 'Puts signatures under the published checkpoint, if it is still the one that they are for.';

create function waybill.ledger_erase(place bigint, tombstone text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp
as $erase$
begin
  update waybill.ledger_entries set content = tombstone, erased_at = clock_timestamp() where index = place;
  return found;
end
$erase$;
comment on function waybill.ledger_erase(bigint, text) is
  'Puts a tombstone in the place of what stands beside a leaf. For the owner alone.';
`
