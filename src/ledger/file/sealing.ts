import type { SignedCheckpoint } from '../log.ts'
import { Integrator } from './integrator.ts'
import type { FileLogOptions } from './options.ts'
import { placesIn } from './paths.ts'
import { type Seal, sealFolder } from './seal.ts'
import { Session } from './session.ts'

/**
 * Publishes all promised entries, runs the move while no one can append, then seals the folder. If the move fails, the
 * log continues here.
 */
export async function sealFileLog(
  folder: string,
  options: FileLogOptions,
  work: (signed: SignedCheckpoint) => Promise<Seal>,
): Promise<void> {
  const held = await options.lock.hold()
  const integrator = new Integrator(options.worker)
  try {
    const places = placesIn(folder)
    const session = await Session.open({ places, options, integrator, held, known: undefined })
    try {
      sealFolder(folder, await work(await session.integrate()))
    } finally {
      session.close()
    }
  } finally {
    await integrator.close()
    held.release()
  }
}
