import { existsSync } from 'node:fs'
import { counted } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { openTrusted } from '../audit/checkpoint.ts'
import { auditTrustOf } from '../audit/trust.ts'
import type { Trust } from '../trust/trust.ts'
import { guardFiles } from './guards.ts'
import { isMovedAway, type LogHead, type LogStorage, textIfThere } from './storage.ts'

/** Which log is meant, and whose keys sign for it. */
interface OwnLog {
  readonly origin: string
  readonly trust: Trust
}

/**
 * What is known of the log of a repository; nothing where there never was one.
 *
 * @throws WaybillError where a copy of its checkpoint says that there was one, or that it had more entries: what is gone
 * was not never there.
 */
export async function findLog(
  root: string,
  { origin, trust }: OwnLog,
  storage: LogStorage,
  stateHome: string | undefined,
): Promise<LogHead | undefined> {
  // The guards come first: another process may be making entries, and brings them into the log before it tells the guards.
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
 * The same for whoever verifies the log, and says by themselves what of it the guards show to be wrong.
 *
 * @throws WaybillError where the log is gone.
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
 * The same for whoever only makes things ready, and neither opens nor reads the log.
 *
 * @throws WaybillError where the log is gone; also how another one is begun then.
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
    `${storage.restore}; if that log is lost, move .waybill/keys away and begin another one: waybill init --new-log`,
  )
}

/** Whether the log is somewhere, as far as can be told: of what cannot be reached nobody knows that it is gone. */
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

/** Whoever puts back an older log takes away the quarantines and answers since; who only reads must see that too. */
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
      : `${file} holds no checkpoint of it: ${kept.detail}`
  throw new WaybillError('ledger-tampered', `the ledger was changed or damaged: ${why}`, {
    hint: `waybill log verify says more; ${restore}`,
  })
}
