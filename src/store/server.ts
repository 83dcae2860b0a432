import { connected } from './connection.ts'
import { asWaybillError } from './faults.ts'
import { type Isolation, isolationOf } from './roles.ts'

/** What a server says of itself to whoever may log in. */
export interface ServerState {
  /** Such as 18.4. */
  readonly version: string
  readonly database: string
  readonly user: string
  readonly isolation: Isolation
  /** Whether the user can make the roles that keep tenants apart. */
  readonly mayCreateRoles: boolean
}

/** Asks the server at an address what it is; nothing is changed there. */
export async function describeServer(url: string): Promise<ServerState> {
  try {
    return await connected(url, async client => {
      const { rows } = await client.query(
        `select split_part(current_setting('server_version'), ' ', 1) as version,
                current_database() as database, current_user as user,
                rolsuper or rolcreaterole as "mayCreateRoles"
           from pg_roles where rolname = current_user`,
      )
      return { ...rows[0], isolation: await isolationOf(client) }
    })
  } catch (error) {
    throw asWaybillError(error)
  }
}
