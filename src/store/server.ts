import type { Client } from 'pg'
import { connected } from './connection.ts'
import { asWaybillError } from './faults.ts'
import { APPLICATION, DURABLE, type Isolation, isolationOf } from './roles.ts'

/** The state of a server, readable for any login. */
export interface ServerState {
  /** For example 18.4. */
  readonly version: string
  readonly database: string
  readonly user: string
  readonly isolation: Isolation
  /** Whether the application role was created after the last migration, and lacks rights. */
  readonly lacksRights: boolean
  /** Whether the user can create the isolation roles, or grant existing ones. */
  readonly mayCreateRoles: boolean
  /** Whether a newer Waybill migrated the database. */
  readonly isAhead: boolean
  /** Whether the database lacks migrations, as far as the user can see. */
  readonly isBehind: boolean
  /** Whether the user can read the migration tables, which missions require; true when there are none. */
  readonly mayLook: boolean
}

/** Inspects a server without changing anything. */
export async function describeServer(url: string): Promise<ServerState> {
  try {
    return await connected(url, async client => {
      const { rows } = await client.query(
        `select split_part(current_setting('server_version'), ' ', 1) as version,
                current_database() as database, current_user as user,
                rolsuper or rolcreaterole and (
                  current_setting('server_version_num')::integer < 160000
                  -- Since version 16 only members of a role may grant it.
                  or not exists (select from pg_roles made where made.rolname = any($1)
                    and not pg_has_role(current_user, made.oid, 'member'))
                ) as "mayCreateRoles",
                exists (select from pg_namespace place, pg_roles application
                  where nspname = 'waybill' and application.rolname = $2
                    and not has_schema_privilege(application.oid, place.oid, 'usage')
                ) as "lacksRights"
           from pg_roles where rolname = current_user`,
        [[APPLICATION, DURABLE], APPLICATION],
      )
      return { ...rows[0], ...(await migrationsIn(client)), isolation: await isolationOf(client) }
    })
  } catch (error) {
    throw asWaybillError(error)
  }
}

async function migrationsIn(
  client: Client,
): Promise<Pick<ServerState, 'isAhead' | 'isBehind' | 'mayLook'>> {
  // Naming tables of a schema without usage rights would fail.
  const { rows } = await client.query(
    `select relname as name,
            has_schema_privilege(place.oid, 'usage') and has_table_privilege(made.oid, 'select') as "mayRead"
       from pg_class made join pg_namespace place on place.oid = relnamespace
      where relname in ('migrations', 'migration_lock') and nspname = 'waybill'`,
  )
  const mayLook = rows.every(({ mayRead }) => mayRead)
  const table = rows.find(({ name }) => name === 'migrations')
  if (!table?.mayRead) return { isAhead: false, isBehind: table === undefined, mayLook }
  const { migrations } = await import('./migrations.generated.ts')
  const ran = await client.query('select name from waybill.migrations')
  const known = new Set(migrations.map(([name]) => name))
  const others = ran.rows.filter(({ name }) => !known.has(name)).length
  return { isAhead: others > 0, isBehind: ran.rows.length - others < known.size, mayLook }
}
