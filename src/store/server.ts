import { connected } from './connection.ts'
import { asWaybillError } from './faults.ts'
import { APPLICATION, DURABLE, type Isolation, isolationOf } from './roles.ts'

/** What a server says of itself to whoever may log in. */
export interface ServerState {
  /** Such as 18.4. */
  readonly version: string
  readonly database: string
  readonly user: string
  readonly isolation: Isolation
  /** Whether the user can make the roles that keep tenants apart, or take those that others have made. */
  readonly mayCreateRoles: boolean
}

/** Asks the server at an address what it is; nothing is changed there. */
export async function describeServer(url: string): Promise<ServerState> {
  try {
    return await connected(url, async client => {
      const { rows } = await client.query(
        `select split_part(current_setting('server_version'), ' ', 1) as version,
                current_database() as database, current_user as user,
                rolsuper or rolcreaterole and (
                  current_setting('server_version_num')::integer < 160000
                  -- Since then only who has a role may give it on, whoever may make others.
                  or not exists (select from pg_roles made where made.rolname = any($1)
                    and not pg_has_role(current_user, made.oid, 'member'))
                ) as "mayCreateRoles"
           from pg_roles where rolname = current_user`,
        [[APPLICATION, DURABLE]],
      )
      return { ...rows[0], isolation: await isolationOf(client) }
    })
  } catch (error) {
    throw asWaybillError(error)
  }
}
