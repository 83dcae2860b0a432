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
 * Changes keys while nobody else here does: of two who list new keys at once each would see the other's, and give up.
 *
 * @param change Gets the time at which its turn has come.
 */
export async function inTurn<T>(app: App, change: (now: number) => Promise<T>): Promise<T> {
  // What cannot be changed is refused before a lock leaves files in the folder.
  readTrust(await loadConfig(app.root))
  const { release } = await holdLock(app.root, keysFolder(app.root))
  try {
    return await change(app.clock?.() ?? app.now)
  } finally {
    release()
  }
}

/**
 * Records what became of keys; gives the gateway time afterwards, if it was recorded.
 *
 * Where there is no log, or gateway or log are left without a key, nothing can be recorded: the change itself stands in
 * the committed configuration all the same, and that the log does not have it is told.
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
    // Lost keys are revoked where they were lost; for whoever has to, that is no reason to fail.
    if (!(error instanceof WaybillError) || error.code !== 'configuration') throw error
    app.tell?.(`it stands in ${CONFIG_FILE}, and not in the log: ${error.message}`)
    return undefined
  }
}

/**
 * Makes a change of keys and records it. The log is looked at first; where it is at fault, or nothing can be signed for
 * it, nothing is changed, and what is changed and cannot be recorded is taken back.
 */
export async function changeAndRecord(
  make: (begins: () => number) => Promise<Rotation>,
  app: App,
): Promise<KeyChange> {
  const last = (await withOwnLog(app, ({ log }) => log.lastClock()))?.time ?? 0
  // What was signed at this very moment is by the key from before.
  const now = () => (app.clock ? app.clock() + 1 : app.now)
  const rotation = await make(() => Math.max(now(), last + 1))
  let isRecorded = false
  // What there is to say about the log was said when it was looked at.
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

/** Takes back what was not recorded; where that fails as well, both reasons are told. */
function takeBack({ change, undo }: Rotation, why: unknown): void {
  try {
    undo()
  } catch (error) {
    if (!(error instanceof WaybillError) || !(why instanceof WaybillError)) throw error
    const key = `the new key ${change.keyid} of ${holdersText([change.holder])}`
    throw new WaybillError(
      why.code,
      `${why.message}; ${key}, which the log does not have, could not be taken back: ${error.message}`,
      {
        hint: `${why.hint ?? 'mend what was told first'}; then look at ${CONFIG_FILE} and rotate the key again`,
        cause: why,
      },
    )
  }
}

/** Works with the log that is here; not at all where there is none of ours. */
async function withOwnLog<T>(
  app: App,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T | undefined> {
  const config = await loadConfig(app.root)
  if (openKeys(app.root, readTrust(config)).origin === undefined) return undefined
  return withGateway(app, config, work)
}
