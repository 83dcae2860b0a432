import { relative } from 'node:path'
import { WaybillError } from '../../error.ts'
import {
  describeEmbedded,
  describeServer,
  type EmbeddedState,
  isRefusedEntry,
  type ServerState,
} from '../../store/index.ts'
import { stateFolder } from '../../workspace/index.ts'
import { databaseUrl } from '../database/open.ts'
import type { App } from '../operation.ts'
import { error, ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

/** Checks the database that missions would use, without starting one. */
export async function examineDatabase(app: App): Promise<DoctorItem> {
  try {
    if (app.databaseUrl !== undefined) {
      return ofServer(await describeServer(await databaseUrl(app)), app)
    }
    const folder = stateFolder(app.root)
    const embedded = await describeEmbedded(folder, { path: pathOf(app) })
    if (!embedded.running) return ok('database', describe(embedded, app))
    return ofEmbedded(await describeServer(await databaseUrl(app)), describe(embedded, app))
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    const source = app.databaseUrl === undefined ? 'embedded' : `DATABASE_URL (${placeOf(app)})`
    // An unreachable server may come back; a wrong password stays wrong.
    const isWrong = app.databaseUrl !== undefined && isRefusedEntry(cause)
    return (isWrong ? error : warning)(
      'database',
      `${source}: ${cause.message}`,
      cause.hint ?? 'only missions need it: start the server, or unset DATABASE_URL',
    )
  }
}

/** Reports a running embedded server, which creates its own roles. */
function ofEmbedded(server: ServerState, message: string): DoctorItem {
  const { isolation, isAhead, isBehind, lacksRights } = server
  if (isAhead) return ahead(message)
  // The next use prepares it.
  const isReady = isolation.by === 'roles' && !isBehind && !lacksRights
  return ok('database', `${message}; ${isReady ? APART : NOT_READY}`)
}

function ahead(message: string): DoctorItem {
  return warning(
    'database',
    `${message}; it was migrated by a newer version of Waybill`,
    'use that version or a newer one',
  )
}

const APART = 'roles isolate tenants'
const NOT_READY = 'the first use prepares it'
/** For a server named by DATABASE_URL, which a read-only command does not prepare. */
const READY_BY_WORK =
  'it is not ready: starting or working on a mission prepares it, for example waybill mission work'

const pathOf = (app: App) => app.environment?.PATH ?? ''

/** Returns host and path of an address, without user and password. */
function placeOf({ databaseUrl = '' }: App): string {
  const url = URL.parse(databaseUrl)
  return url ? `${url.host}${url.pathname}` : 'no address'
}

function ofServer(server: ServerState, app: App): DoctorItem {
  const { version, user, isolation, mayCreateRoles } = server
  const message = `DATABASE_URL: PostgreSQL ${version} at ${placeOf(app)}, as ${user}`
  if (server.isAhead) return ahead(message)
  if (server.isBehind && mayCreateRoles) return ok('database', `${message}; ${READY_BY_WORK}`)
  if (server.isBehind && isolation.by === 'roles')
    return warning(
      'database',
      `${message}; tables and functions that this version needs are missing`,
      'as the owner of the database: run waybill mission work, which creates them',
    )
  if (isolation.by === 'roles' && server.lacksRights)
    return warning(
      'database',
      `${message}; its roles are newer than its last migration and have no rights yet`,
      'as the owner of the database: run waybill mission work, which grants them',
    )
  if (isolation.by === 'roles' && !server.mayLook)
    return warning(
      'database',
      `${message}, who may not read its migrations, and so cannot start or work on missions`,
      'as the owner of the database: grant usage on schema waybill to <login>; grant select on waybill.migrations, waybill.migration_lock to <login>',
    )
  if (isolation.by === 'roles') return ok('database', `${message}; ${APART}`)
  if (mayCreateRoles) return ok('database', `${message}; ${READY_BY_WORK}`)
  return warning(
    'database',
    `${message}; only queries isolate tenants, so only one tenant is allowed: ${isolation.why}`,
    isolation.remedy,
  )
}

const ORIGINS = { bundled: 'the bundled', system: "the system's" } as const

/** Describes the embedded server. */
function describe({ running, choice, data }: EmbeddedState, { root }: App): string {
  const where = data
    ? `data of version ${data.version} in ${relative(root, data.folder) || data.folder}`
    : 'no data yet'
  if (running) {
    const { port, pid, since, started, isGuarded } = running
    const what = started
      ? `${ORIGINS[started.binaries]} PostgreSQL ${started.version} as ${started.as}`
      : 'PostgreSQL'
    const guarded = isGuarded ? '' : '; no watchdog stops it when idle'
    return `embedded: ${what} runs on 127.0.0.1:${port} (process ${pid}) since ${timeOf(since)}, ${where}${guarded}`
  }
  if (!choice) return `embedded: not running, ${where}`
  const { binaries, version, as, bin } = choice
  return `embedded: not running; ${ORIGINS[binaries]} PostgreSQL ${version} (${bin}) would run as ${as}, ${where}`
}

const timeOf = (milliseconds: number) =>
  new Date(milliseconds).toISOString().replace(/\.[0-9]+/, '')
