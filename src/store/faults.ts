import { type ErrorCode, WaybillError } from '../error.ts'

/** An error of the database driver. */
interface Refused extends Error {
  readonly code?: string
  readonly constraint?: string
  readonly table?: string
  /** The server routine that raised it. */
  readonly routine?: string
  /** The failed system call. */
  readonly syscall?: string
}

/** SQLSTATE codes of lost connections, servers that start, stop or are full, and transaction timeouts. */
const ABSENT = /^(?:08...|57P0[1-5]|53...|58...|25P0[34])$/
/** A read-only server: a standby, or one configured read-only. */
const READ_ONLY = '25006'
/** Error codes of the network. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/
/** Driver messages without a code for a lost connection. */
const ENDED =
  /connection terminated|connection ended|connection error|not queryable|connection has been discarded/i
/** Driver messages without a code for timeouts of a connection, a query or the pool. */
const SILENT = /^(?:timeout expired|Query read timeout|timeout exceeded when trying to connect)$/
/** Driver messages without a code for missing or failing encryption. */
const UNENCRYPTED =
  /^(?:The server does not support SSL connections|There was an error establishing an SSL connection)$/
/** PgBouncer's message for connection settings, sent under a connection error code. */
const POOLED = /unsupported startup parameter/
/** The transaction was rolled back because of a conflict. */
const ROLLED_BACK = /^40(?:001|P01)$/
/** The server routine that finds a prepared statement with outdated result types. */
const REVALIDATION = 'RevalidateCachedQuery'

/** The login was refused, or the database does not exist. */
const REFUSED_ENTRY = /^(?:28...|3D000)$/
/** Missing tables, columns, functions or schemas. */
const UNMIGRATED = /^(?:42P01|42703|42883|3F000)$/

interface Meaning {
  readonly codes: RegExp
  readonly code: ErrorCode
  readonly says: (error: Refused) => string
  readonly hint: string
}

/** The meanings of codes; the first match counts. Details with row values are never repeated. */
const MEANINGS: readonly Meaning[] = [
  {
    codes: REFUSED_ENTRY,
    code: 'configuration',
    says: error => `the database refused the connection: ${error.message}`,
    hint: 'check DATABASE_URL: server, user, password and database name',
  },
  {
    codes: /^(?:ERR_(?:OSSL|SSL|TLS)_.*|.*_CERT(?:_.*)?|CERT_.*|UNABLE_TO_.*|EPROTO|NO_TLS)$/,
    code: 'configuration',
    says: error => `no encrypted connection to the database: ${error.message}`,
    hint: 'check sslmode and sslrootcert in DATABASE_URL, and the certificate of the server',
  },
  {
    codes: UNMIGRATED,
    code: 'configuration',
    says: () => 'the database lacks tables, columns or functions that this version needs',
    hint: 'run waybill mission work as the database owner: it migrates the database at start',
  },
  {
    codes: /^42501$/,
    code: 'configuration',
    says: error => `the database denied permission: ${error.message}`,
    hint: 'run waybill mission work once as the database owner: it migrates the database and grants rights to its roles; the owner must grant a worker login usage on the schema waybill and select on its tables migrations and migration_lock',
  },
  {
    codes: /^23505$/,
    code: 'conflict',
    says: error => `it already exists: ${nameOf(error)}`,
    hint: 'use another id, or read the existing one',
  },
  {
    codes: /^23503$/,
    code: 'not-found',
    says: error => `it refers to something that its mission does not have: ${nameOf(error)}`,
    hint: 'store the mission first, then its task graph, then the artifacts of tasks',
  },
  {
    // Our own code, raised while a log is moved into the database.
    codes: /^WB001$/,
    code: 'conflict',
    says: () => 'the log is being moved into this database',
    hint: 'nothing was written; if the move was interrupted, continue it with waybill log migrate --to postgres',
  },
  {
    // Class 54: limits exceeded, such as an index key that is too long.
    codes: /^(?:23...|22...|54...)$/,
    code: 'usage',
    says: error => `the database refused the value: ${nameOf(error)}`,
    hint: 'check it against its contract first',
  },
  {
    codes: ROLLED_BACK,
    code: 'conflict',
    says: () => 'another transaction changed the same rows first',
    hint: 'try again',
  },
  {
    codes: /^(?:55P03|57014)$/,
    code: 'conflict',
    says: () => 'the database timed out waiting for a lock',
    hint: 'try again',
  },
]

/** Converts an error of the database to a WaybillError; returns other errors unchanged. */
export function asWaybillError(error: unknown): unknown {
  if (error instanceof WaybillError || !(error instanceof Error)) return error
  if (POOLED.test(error.message)) return pooled(error)
  const code = UNENCRYPTED.test(error.message) ? 'NO_TLS' : codeOf(error)
  if (isUnavailable(error)) return unavailable(error)
  const meaning = MEANINGS.find(({ codes }) => codes.test(code))
  if (!meaning) return error
  return new WaybillError(meaning.code, meaning.says(error), { hint: meaning.hint, cause: error })
}

/** The error for an unavailable database. */
export function unavailable(error: Error, message = whyUnavailable(error)): WaybillError {
  const hint =
    codeOf(error) === READ_ONLY
      ? 'the server is a standby, or default_transaction_read_only is on: set DATABASE_URL to the primary server'
      : 'check that the server is running and reachable, then try again'
  return new WaybillError('store-unavailable', message, { hint, cause: error })
}

/** The error for a pooler that drops connection settings. */
export function pooled(cause?: Error): WaybillError {
  return new WaybillError(
    'configuration',
    'connection settings do not reach the database: a pooler such as PgBouncer drops them',
    { hint: 'set DATABASE_URL to the PostgreSQL server itself', cause },
  )
}

/** Reports whether an error means that the connection is lost or useless. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error) || POOLED.test(error.message)) return false
  // A stopped server removes its Unix socket, so connect fails with ENOENT.
  if ((error as Refused).syscall === 'connect') return true
  const code = codeOf(error)
  if (code !== '') return ABSENT.test(code) || UNREACHABLE.test(code) || code === READ_ONLY
  return ENDED.test(error.message) || SILENT.test(error.message)
}

/** Reports whether a connection's prepared statements are outdated or gone; a new connection helps. */
export function isOutdated(error: unknown): boolean {
  const code = codeOf(error)
  // Messages are localized, and 0A000 has other meanings.
  return code === '26000' || (code === '0A000' && (error as Refused).routine === REVALIDATION)
}

/** Reports whether a statement failed only because an earlier one in its transaction had failed. */
export function isAfterFailure(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

/** Reports whether the database refuses a value permanently. */
export function isRefusedValue(error: unknown): boolean {
  return REFUSED_VALUE.test(codeOf(error instanceof WaybillError ? error.cause : error))
}

/** SQLSTATE classes of invalid values, violated constraints and exceeded limits. */
const REFUSED_VALUE = /^(?:22|23|54)/

/** Reports whether the server refuses the login, which does not change by waiting. */
export function isRefusedEntry(error: unknown): boolean {
  return error instanceof WaybillError && REFUSED_ENTRY.test(codeOf(error.cause))
}

/** Reports whether the database lacks migrations. */
export function isUnmigrated(error: unknown): boolean {
  return error instanceof WaybillError && UNMIGRATED.test(codeOf(error.cause))
}

/** Reports whether the database lacks migrations, or rights that they grant. */
export function isUnprepared(error: unknown): boolean {
  return UNPREPARED.test(codeOf(error instanceof WaybillError ? error.cause : error))
}

/** Missing tables, columns, functions, schemas or rights. */
const UNPREPARED = /^(?:42P01|42703|42883|3F000|42501)$/

/** Reports whether a transaction was rolled back because of a conflict, so that a retry may succeed. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(codeOf(error))
}

/** The constraint that an error names. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Refused).constraint : undefined
}

/** The SQLSTATE or system code of an error; empty when it has none. */
export function codeOf(error: unknown): string {
  const { code } = error instanceof Error ? (error as Refused) : {}
  return typeof code === 'string' ? code : ''
}

function nameOf({ constraint, table, message }: Refused): string {
  const name = constraint ?? table
  // Cast errors repeat the value, which may be confidential.
  return name ?? message.replace(/: ".*$/s, '')
}

function whyUnavailable(error: Error): string {
  if (codeOf(error) === READ_ONLY) return `the database is read-only: ${error.message}`
  const isSilent = SILENT.test(error.message) && codeOf(error) === ''
  const why = isSilent ? 'the server does not answer' : error.message || codeOf(error)
  return `the database is unreachable: ${why}`
}
