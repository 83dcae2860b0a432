import { realpathSync } from 'node:fs'
import { chooseBinaries } from './choose.ts'
import { dataVersion, placeOf } from './place.ts'
import { readRecord } from './record.ts'
import { nameOf } from './run-as.ts'
import { findRunning } from './running.ts'
import { type EmbeddedOptions, type Step, startServer } from './start.ts'
import { stopServer } from './stop.ts'

export type { EmbeddedOptions, Step }

/** The embedded PostgreSQL server: one for each state folder, shared by all processes. */
export interface EmbeddedServer {
  /** The URL with the owner role and its password. */
  readonly url: string
  readonly pid: number
  readonly binaries: 'bundled' | 'system'
}

/**
 * Starts the server of a `.waybill` folder, or joins the running one. It outlives this process and stops after some
 * time without connections; keep a connection to keep it running.
 */
export async function startEmbedded(
  folder: string,
  options: EmbeddedOptions,
): Promise<EmbeddedServer> {
  const place = placeOf(folder)
  const { url, pid } = await startServer(place, options)
  return { url, pid, binaries: readRecord(place)?.binaries ?? 'bundled' }
}

/** Stops the server of a `.waybill` folder despite connections; returns whether one was running. */
export function stopEmbedded(folder: string): Promise<boolean> {
  return stopServer(placeOf(folder))
}

/** The state of an embedded database. */
export interface EmbeddedState {
  /** The data folder and its major version; absent before initialization. */
  readonly data?: { readonly folder: string; readonly version: string }
  /** The running server. */
  readonly running?: {
    readonly pid: number
    readonly port: number
    /** Milliseconds since the epoch. */
    readonly since: number
    readonly isGuarded: boolean
    /** Unknown when the record of the start is missing. */
    readonly started?: Started | undefined
  }
  /** What would be started; absent when one is running. */
  readonly choice?: Started & { readonly bin: string }
}

/** The programs and the user that they run as. */
export interface Started {
  readonly binaries: 'bundled' | 'system'
  readonly version: string
  readonly as: string
}

/** Inspects the embedded database of a folder without changing anything. */
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
