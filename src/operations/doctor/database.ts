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

/** Says which database missions would use, and how it is, without starting one. */
export async function examineDatabase(app: App): Promise<DoctorItem> {
  try {
    if (app.databaseUrl !== undefined) {
      return ofServer(await describeServer(await databaseUrl(app)), app)
    }
    const folder = stateFolder(app.root)
    const embedded = await describeEmbedded(folder, { path: pathOf(app) })
    if (!embedded.running) return ok('database', told(embedded, app))
    return ofEmbedded(await describeServer(await databaseUrl(app)), told(embedded, app))
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    const source = app.databaseUrl === undefined ? 'embedded' : `DATABASE_URL (${placeOf(app)})`
    // A server that is away may come back; a wrong password stays wrong.
    const isWrong = app.databaseUrl !== undefined && isRefusedEntry(cause)
    return (isWrong ? error : warning)(
      'database',
      `${source}: ${cause.message}`,
      cause.hint ?? 'only missions need it: start that server, or take DATABASE_URL away',
    )
  }
}

/** The embedded server that runs, which makes its own roles. */
function ofEmbedded(server: ServerState, message: string): DoctorItem {
  const { isolation, isAhead, isBehind, lacksRights } = server
  if (isAhead) return ahead(message)
  // Whoever uses it next makes it ready, be it only to look.
  const isReady = isolation.by === 'roles' && !isBehind && !lacksRights
  return ok('database', `${message}; ${isReady ? APART : NOT_READY}`)
}

function ahead(message: string): DoctorItem {
  return warning(
    'database',
    `${message}; it was migrated by a newer version of Waybill`,
    'use that version, or one that came after it',
  )
}

const APART = 'tenants are kept apart by roles'
const NOT_READY = 'it is made ready when it is first used'
/** A server that the environment names is not made ready by who only looks. */
const READY_BY_WORK =
  'it is not ready: whoever begins or does missions makes it so, as waybill mission work does, and nobody who only looks'

const pathOf = (app: App) => app.environment?.PATH ?? ''

/** Where an address leads, without who logs in there. */
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
      `${message}; it has not the tables and functions that this version needs`,
      'as the owner of the database: waybill mission work makes them when it starts',
    )
  if (isolation.by === 'roles' && server.lacksRights)
    return warning(
      'database',
      `${message}; its roles came after it was last migrated, and have no rights yet`,
      'as the owner of the database: waybill mission work gives them what they need when it starts',
    )
  if (isolation.by === 'roles' && !server.mayLook)
    return warning(
      'database',
      `${message}, who may not look how far it is migrated, and so neither begin nor do missions`,
      'as the owner of the database: grant usage on schema waybill to <login>; grant select on waybill.migrations, waybill.migration_lock to <login>',
    )
  if (isolation.by === 'roles') return ok('database', `${message}; ${APART}`)
  if (mayCreateRoles) return ok('database', `${message}; ${READY_BY_WORK}`)
  return warning(
    'database',
    `${message}; tenants are kept apart by queries alone, so there may be only one: ${isolation.why}`,
    isolation.remedy,
  )
}

const ORIGINS = { bundled: 'the bundled', system: "the system's" } as const

/** The embedded server: running or not, since when, where and as whom. */
function told({ running, choice, data }: EmbeddedState, { root }: App): string {
  const where = data
    ? `data of version ${data.version} in ${relative(root, data.folder) || data.folder}`
    : 'no data yet'
  if (running) {
    const { port, pid, since, started, isGuarded } = running
    const what = started
      ? `${ORIGINS[started.binaries]} PostgreSQL ${started.version} as ${started.as}`
      : 'PostgreSQL'
    const guarded = isGuarded ? '' : '; nothing stops it when nobody uses it'
    return `embedded: ${what} runs on 127.0.0.1:${port} (process ${pid}) since ${timeOf(since)}, ${where}${guarded}`
  }
  if (!choice) return `embedded: not running, ${where}`
  const { binaries, version, as, bin } = choice
  return `embedded: not running; ${ORIGINS[binaries]} PostgreSQL ${version} (${bin}) would run as ${as}, ${where}`
}

const timeOf = (milliseconds: number) =>
  new Date(milliseconds).toISOString().replace(/\.[0-9]+/, '')
