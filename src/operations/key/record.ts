import { WaybillError } from '../../error.ts'
import {
  type Gateway,
  holdersText,
  type KeyChange,
  keysFolder,
  openKeys,
  type Rotation,
  readTrust,
  recordKeyChanges,
} from '../../governance/index.ts'
import { CONFIG_FILE, holdLock, loadConfig } from '../../workspace/index.ts'
import { withGateway } from '../gateway/open.ts'
import type { App } from '../operation.ts'

/**
 * Changes keys under a lock, so that two processes here do not overwrite each other's change.
 *
 * @param change Receives the current time in milliseconds since the epoch, once it has the lock.
 */
export async function inTurn<T>(app: App, change: (now: number) => Promise<T>): Promise<T> {
  // Refuse an invalid configuration before the lock creates files.
  readTrust(await loadConfig(app.root))
  const { release } = await holdLock(app.root, keysFolder(app.root))
  try {
    return await change(app.clock?.() ?? app.now)
  } finally {
    release()
  }
}

/**
 * Records changes to keys in the log; returns the gateway time afterwards, if they were recorded.
 *
 * Without a log or a signing key nothing can be recorded: the configuration has the change, and the user is warned.
 */
export async function recordChanges(
  changes: readonly KeyChange[],
  app: App,
): Promise<number | undefined> {
  try {
    return await withOwnLog(app, async gateway => {
      await recordKeyChanges(gateway, changes)
      return gateway.time()
    })
  } catch (error) {
    // Keys may be lost or revoked where no log is: that must not fail.
    if (!(error instanceof WaybillError) || error.code !== 'configuration') throw error
    app.tell?.(`the change is in ${CONFIG_FILE} but not in the log: ${error.message}`)
    return undefined
  }
}

/** Changes keys and records it; changes nothing if the log has errors, and undoes the change if recording fails. */
export async function changeAndRecord(
  make: (begins: () => number) => Promise<Rotation>,
  app: App,
): Promise<KeyChange> {
  const last = (await withOwnLog(app, ({ log }) => log.lastClock()))?.time ?? 0
  // Signatures made in this millisecond belong to the old key.
  const now = () => (app.clock ? app.clock() + 1 : app.now)
  const rotation = await make(() => Math.max(now(), last + 1))
  let isRecorded = false
  // Warnings about the log were already reported above.
  const { tell: _, ...quiet } = app
  try {
    await withOwnLog(quiet, async gateway => {
      await recordKeyChanges(gateway, [rotation.change])
      isRecorded = true
    })
  } catch (error) {
    if (!isRecorded) takeBack(rotation, error)
    throw error
  }
  return rotation.change
}

/** Undoes a change that was not recorded; if that fails too, reports both reasons. */
function takeBack({ change, undo }: Rotation, why: unknown): void {
  try {
    undo()
  } catch (error) {
    if (!(error instanceof WaybillError) || !(why instanceof WaybillError)) throw error
    const key = `the new key ${change.keyid} of ${holdersText([change.holder])}`
    throw new WaybillError(
      why.code,
      `${why.message}; ${key} is not in the log and could not be removed: ${error.message}`,
      {
        hint: `${why.hint ?? 'fix the first problem'}; then check ${CONFIG_FILE} and rotate the key again`,
        cause: why,
      },
    )
  }
}

/** Opens this repository's own log for some work; does nothing if there is none. */
async function withOwnLog<T>(
  app: App,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T | undefined> {
  const config = await loadConfig(app.root)
  if (openKeys(app.root, readTrust(config)).origin === undefined) return undefined
  return withGateway(app, config, work)
}
