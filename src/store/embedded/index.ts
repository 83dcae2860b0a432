import { realpathSync } from 'node:fs'
import { chooseBinaries } from './choose.ts'
import { dataVersion, placeOf } from './place.ts'
import { readRecord } from './record.ts'
import { nameOf } from './run-as.ts'
import { findRunning } from './running.ts'
import { type EmbeddedOptions, type Step, startServer } from './start.ts'
import { stopServer } from './stop.ts'

export type { EmbeddedOptions, Step }

/** A PostgreSQL server of our own that runs: one for each folder of local state, shared by all processes. */
export interface EmbeddedServer {
  /** The address, with the role that owns the database and its password. */
  readonly url: string
  readonly pid: number
  readonly binaries: 'bundled' | 'system'
}

/**
 * Starts the server of a `.waybill` folder, or joins the one that runs.
 *
 * It goes on when this process ends, and stops when nobody has been connected for some time: whoever needs it longer
 * keeps a connection.
 */
export async function startEmbedded(
  folder: string,
  options: EmbeddedOptions,
): Promise<EmbeddedServer> {
  const place = placeOf(folder)
  const { url, pid } = await startServer(place, options)
  return { url, pid, binaries: readRecord(place)?.binaries ?? 'bundled' }
}

/** Stops the server of a `.waybill` folder, whoever is connected; gives whether there was one. */
export function stopEmbedded(folder: string): Promise<boolean> {
  return stopServer(placeOf(folder))
}

/** How the embedded database of a folder stands. */
export interface EmbeddedState {
  /** Where the data are, and the major version that made them; absent where there are none yet. */
  readonly data?: { readonly folder: string; readonly version: string }
  /** The server that runs. */
  readonly running?: {
    readonly pid: number
    readonly port: number
    /** Milliseconds since the epoch. */
    readonly since: number
    readonly isGuarded: boolean
    /** Unknown where the record of the start is gone. */
    readonly started?: Started | undefined
  }
  /** What would be started where none runs. */
  readonly choice?: Started & { readonly bin: string }
}

/** Which programs run, and as whom. */
export interface Started {
  readonly binaries: 'bundled' | 'system'
  readonly version: string
  readonly as: string
}

/** Looks at the embedded database of a folder without starting or changing anything. */
export async function describeEmbedded(
  folder: string,
  options: Pick<EmbeddedOptions, 'path' | 'binaries' | 'way' | 'copies'>,
): Promise<EmbeddedState> {
  const place = placeOf(folder)
  const version = dataVersion(place)
  const data = version === undefined ? {} : { data: { folder: realpathSync(place.data), version } }
  const found = await findRunning(place)
  if (found.state === 'up') {
    const { pid, port, since, isGuarded } = found.server
    const started = readRecord(place)
    return { ...data, running: { pid, port, since, isGuarded, started } }
  }
  if (found.state === 'closed') throw found.problem
  const {
    binaries,
    as,
    version: chosen,
  } = await chooseBinaries(place, {
    ...options,
    prepare: false,
  })
  const { origin, bin } = binaries
  return { ...data, choice: { binaries: origin, bin, version: chosen, as: nameOf(as) } }
}
