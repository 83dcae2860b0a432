import { existsSync } from 'node:fs'
import { counted } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { openTrusted } from '../audit/checkpoint.ts'
import { auditTrustOf } from '../audit/trust.ts'
import type { Trust } from '../trust/trust.ts'
import { guardFiles } from './guards.ts'
import { isMovedAway, type LogHead, type LogStorage, textIfThere } from './storage.ts'

/** A log, and the keys trusted for it. */
interface OwnLog {
  readonly origin: string
  readonly trust: Trust
}

/**
 * Returns the head of a repository's log; undefined if none was ever begun.
 *
 * @throws {WaybillError} 'ledger-tampered' when a guard shows that the log is gone, or had more entries.
 */
export async function findLog(
  root: string,
  { origin, trust }: OwnLog,
  storage: LogStorage,
  stateHome: string | undefined,
): Promise<LogHead | undefined> {
  // Read the guards first: concurrent appends publish entries before they update the guards.
  const guards = guardFiles(root, origin, stateHome).map(file => ({
    file,
    text: textIfThere(file),
  }))
  const head = await findLogToVerify(root, origin, storage, stateHome)
  const keys = auditTrustOf(trust, origin)
  for (const { file, text } of guards) {
    if (head && text) refuseOlder(head, file, openTrusted(text, keys, true), storage)
  }
  return head
}

/**
 * Like `findLog`, for an audit, which compares the guards itself.
 *
 * @throws {WaybillError} 'ledger-tampered' when the log is gone.
 */
export async function findLogToVerify(
  root: string,
  origin: string,
  storage: LogStorage,
  stateHome: string | undefined,
): Promise<LogHead | undefined> {
  const guard = guardFiles(root, origin, stateHome).find(file => existsSync(file))
  const head = await storage.head()
  if (head || guard === undefined) return head
  throw isGone(guard, storage.restore)
}

/**
 * Refuses a log that is gone, for setup, which neither opens nor reads the log.
 *
 * @throws {WaybillError} 'ledger-tampered' when the log is gone; the hint says how to start a new one.
 */
export async function refuseGone(
  root: string,
  origin: string,
  storage: LogStorage,
  stateHome: string | undefined,
): Promise<void> {
  const guard = guardFiles(root, origin, stateHome).find(file => existsSync(file))
  if (guard === undefined || (await isKept(root, storage))) return
  throw isGone(
    guard,
    `${storage.restore}; if that log is lost, move .waybill/keys away and start a new log: waybill init --new-log`,
  )
}

/** Whether the log may still exist: an unreachable store does not show that it is gone. */
async function isKept(root: string, storage: LogStorage): Promise<boolean> {
  if (storage.kind === 'file' && isMovedAway(root)) return true
  try {
    return await storage.isBegun()
  } catch (cause) {
    if (cause instanceof WaybillError && cause.code === 'store-unavailable') return true
    throw cause
  }
}

function isGone(guard: string, hint: string): WaybillError {
  return new WaybillError('ledger-tampered', `the ledger is gone: ${guard} holds its checkpoint`, {
    hint,
  })
}

/** An older log lacks later quarantines and answers, so readers must refuse it too. */
function refuseOlder(
  head: LogHead,
  file: string,
  kept: ReturnType<typeof openTrusted>,
  { restore }: LogStorage,
): void {
  if ('checkpoint' in kept && head.has(kept.checkpoint.size)) return
  const why =
    'checkpoint' in kept
      ? `it has ${counted(head.size, 'entry', 'entries')}, and ${file} was signed when it had ${kept.checkpoint.size}`
      : `${file} holds no valid checkpoint of it: ${kept.detail}`
  throw new WaybillError('ledger-tampered', `the ledger was changed or damaged: ${why}`, {
    hint: `run waybill log verify for details; ${restore}`,
  })
}
