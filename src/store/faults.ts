import { type ErrorCode, WaybillError } from '../error.ts'

/** What a database answers when it refuses, as the driver tells it. */
interface Refused extends Error {
  readonly code?: string
  readonly constraint?: string
  readonly table?: string
  /** Where in the server it was noticed. */
  readonly routine?: string
  /** What the system was asked for. */
  readonly syscall?: string
}

/** Codes of PostgreSQL's class 08, of servers that start, stop or are full, and of transactions that idled, or went on, too long. */
const ABSENT = /^(?:08...|57P0[1-5]|53...|58...|25P0[34])$/
/** What a server says that only answers: a standby, or one that was set so, for a while or until another one has taken over. */
const READ_ONLY = '25006'
/** Codes of the system's calls to the network. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/
/** What the driver, and what builds statements, says without a code when a connection ends under it. */
const ENDED =
  /connection terminated|connection ended|connection error|not queryable|connection has been discarded/i
/** What it says, without a code, of a server that does not answer in time: a connection, a query, a place in the pool. */
const SILENT = /^(?:timeout expired|Query read timeout|timeout exceeded when trying to connect)$/
/** What the driver says, without a code, of a server that does not encrypt or does so in no way that it knows. */
const UNENCRYPTED =
  /^(?:The server does not support SSL connections|There was an error establishing an SSL connection)$/
/** What PgBouncer says to settings that come with a connection, under a code of connections that fail. */
const POOLED = /unsupported startup parameter/
/** Of two transactions that stand in each other's way, one is rolled back in full. */
const ROLLED_BACK = /^40(?:001|P01)$/
/** Here the server finds that a prepared statement would answer columns of other types than it did. */
const REVALIDATION = 'RevalidateCachedQuery'

/** Who logs in is not let in, or there is no database of that name. */
const REFUSED_ENTRY = /^(?:28...|3D000)$/
/** Tables, columns, functions and schemas that are not there. */
const UNMIGRATED = /^(?:42P01|42703|42883|3F000)$/

interface Meaning {
  readonly codes: RegExp
  readonly code: ErrorCode
  readonly says: (error: Refused) => string
  readonly hint: string
}

/** What codes of PostgreSQL mean to us; the first that fits. Details with values of rows are never repeated. */
const MEANINGS: readonly Meaning[] = [
  {
    codes: REFUSED_ENTRY,
    code: 'configuration',
    says: error => `the database cannot be entered: ${error.message}`,
    hint: 'look at DATABASE_URL: server, user, password and name of the database',
  },
  {
    codes: /^(?:ERR_(?:OSSL|SSL|TLS)_.*|.*_CERT(?:_.*)?|CERT_.*|UNABLE_TO_.*|EPROTO|NO_TLS)$/,
    code: 'configuration',
    says: error => `no encrypted connection to the database: ${error.message}`,
    hint: 'look at sslmode and sslrootcert in DATABASE_URL, and at the certificate of the server',
  },
  {
    codes: UNMIGRATED,
    code: 'configuration',
    says: () => 'the database has not the tables, columns and functions that this version needs',
    hint: 'start waybill mission work as its owner: it migrates the database before it works',
  },
  {
    codes: /^42501$/,
    code: 'configuration',
    says: error => `the database does not permit this: ${error.message}`,
    hint: 'start waybill mission work once as its owner: it migrates the database, and gives the roles their rights; a login for workers is given usage of the schema waybill, and select on its tables migrations and migration_lock, by the owner',
  },
  {
    codes: /^23505$/,
    code: 'conflict',
    says: error => `there is one already: ${nameOf(error)}`,
    hint: 'give it another id, or read the one that is there',
  },
  {
    codes: /^23503$/,
    code: 'not-found',
    says: error => `it names something that its mission does not have: ${nameOf(error)}`,
    hint: 'store the mission first, then its task graph, then what belongs to a task',
  },
  {
    // A code of our own, see the migration that moves a log.
    codes: /^WB001$/,
    code: 'conflict',
    says: () => 'the log is being moved into this database',
    hint: 'nothing was written; where that was interrupted, waybill log migrate --to postgres goes on with it',
  },
  {
    // The last class is of what is too large, such as a key for an index.
    codes: /^(?:23...|22...|54...)$/,
    code: 'usage',
    says: error => `the database refuses the value: ${nameOf(error)}`,
    hint: 'check it against its contract first',
  },
  {
    codes: ROLLED_BACK,
    code: 'conflict',
    says: () => 'others changed the same at the same time, and went first',
    hint: 'try again',
  },
  {
    codes: /^(?:55P03|57014)$/,
    code: 'conflict',
    says: () => 'the database took too long, because others hold what was asked for',
    hint: 'try again',
  },
]

/** A failure of the database as every surface answers it; what is no failure of the database stays as it is. */
export function asWaybillError(error: unknown): unknown {
  if (error instanceof WaybillError || !(error instanceof Error)) return error
  if (POOLED.test(error.message)) return pooled(error)
  const code = UNENCRYPTED.test(error.message) ? 'NO_TLS' : codeOf(error)
  if (isUnavailable(error)) return unavailable(error)
  const meaning = MEANINGS.find(({ codes }) => codes.test(code))
  if (!meaning) return error
  return new WaybillError(meaning.code, meaning.says(error), { hint: meaning.hint, cause: error })
}

/** The error for a database that cannot be reached, or went away. */
export function unavailable(error: Error, message = whyUnavailable(error)): WaybillError {
  const hint =
    codeOf(error) === READ_ONLY
      ? 'it is a standby, or default_transaction_read_only is on: let DATABASE_URL lead to the server that takes changes'
      : 'see whether the server runs and can be reached, then try again'
  return new WaybillError('store-unavailable', message, { hint, cause: error })
}

/** The error for something before the server that does not hand on the settings of a connection. */
export function pooled(cause?: Error): WaybillError {
  return new WaybillError(
    'configuration',
    'the settings of a connection do not reach the database: a pooler stands before it, as PgBouncer is one',
    { hint: 'let DATABASE_URL lead to the PostgreSQL server itself', cause },
  )
}

/** Tells whether a failure means that there is no connection any more, or none of use, whatever was asked. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error) || POOLED.test(error.message)) return false
  // A server that is stopped takes its socket in the file system with it, which is then not found.
  if ((error as Refused).syscall === 'connect') return true
  const code = codeOf(error)
  if (code !== '') return ABSENT.test(code) || UNREACHABLE.test(code) || code === READ_ONLY
  return ENDED.test(error.message) || SILENT.test(error.message)
}

/** Tells whether what a connection has prepared fits the database no more, or is gone; another one prepares it anew. */
export function isOutdated(error: unknown): boolean {
  const code = codeOf(error)
  // Messages are in the language of the server; the first code stands for much else.
  return code === '26000' || (code === '0A000' && (error as Refused).routine === REVALIDATION)
}

/** Tells whether a statement was refused only because one before it in the transaction had failed, which may be anything. */
export function isAfterFailure(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

/** Tells whether the database refuses a value, which it would do however often it is asked. */
export function isRefusedValue(error: unknown): boolean {
  return REFUSED_VALUE.test(codeOf(error instanceof WaybillError ? error.cause : error))
}

/** Classes of PostgreSQL: values that cannot be, that break a rule of a table, and that are too large. */
const REFUSED_VALUE = /^(?:22|23|54)/

/** Tells whether the server answers, and does not let in who asks: however long somebody waits, it stays so. */
export function isRefusedEntry(error: unknown): boolean {
  return error instanceof WaybillError && REFUSED_ENTRY.test(codeOf(error.cause))
}

/** Tells whether the database lacks what migrations make. */
export function isUnmigrated(error: unknown): boolean {
  return error instanceof WaybillError && UNMIGRATED.test(codeOf(error.cause))
}

/** Tells whether the database lacks what migrations make, or rights to it: these are given when all migrations have run. */
export function isUnprepared(error: unknown): boolean {
  return UNPREPARED.test(codeOf(error instanceof WaybillError ? error.cause : error))
}

/** Tables, columns, functions, schemas and rights that are not there. */
const UNPREPARED = /^(?:42P01|42703|42883|3F000|42501)$/

/** Tells whether the database says itself that it rolled a transaction back, and that the same may succeed again. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(codeOf(error))
}

/** The name of the constraint that a failure is about. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Refused).constraint : undefined
}

/** The code of PostgreSQL or of the system that a failure carries; empty where there is none. */
export function codeOf(error: unknown): string {
  const { code } = error instanceof Error ? (error as Refused) : {}
  return typeof code === 'string' ? code : ''
}

function nameOf({ constraint, table, message }: Refused): string {
  const name = constraint ?? table
  // Messages of cast errors repeat the value, which may be a secret.
  return name ?? message.replace(/: ".*$/s, '')
}

function whyUnavailable(error: Error): string {
  if (codeOf(error) === READ_ONLY) return `the database takes no changes: ${error.message}`
  const isSilent = SILENT.test(error.message) && codeOf(error) === ''
  const why = isSilent ? 'it does not answer' : error.message || codeOf(error)
  return `the database cannot be reached: ${why}`
}
