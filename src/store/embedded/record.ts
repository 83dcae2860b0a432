import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { WaybillError } from '../../error.ts'
import { type Place, readText } from './place.ts'

/** Who started the server that runs, or the last one that did. */
export interface ServerRecord {
  readonly binaries: 'bundled' | 'system'
  /** The version of PostgreSQL, such as 18.4. */
  readonly version: string
  /** The name of whom the server runs as. */
  readonly as: string
  readonly host: string
  /** What makes the numbers of processes mean the same: one boot of one machine, or of one container on it. */
  readonly world: string
}

/** The record of the last start; nothing where there is none, or none that can be read. */
export function readRecord({ record }: Place): ServerRecord | undefined {
  const text = readText(record)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** This machine, as a record names it. */
export function thisMachine(): Pick<ServerRecord, 'host' | 'world'> {
  return { host: hostname(), world: worldOf() }
}

function worldOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

/**
 * Refuses data that a server on another machine, or in another container, may have open: two servers would destroy it.
 *
 * The same name after a boot is the same machine, whose server has ended with the boot.
 */
export function refuseElsewhere(place: Place): void {
  const record = readRecord(place)
  const here = thisMachine()
  if (!record || record.host === here.host || record.world === here.world) return
  // It was stopped.
  if (readText(place.pidFile) === undefined) return
  throw new WaybillError(
    'conflict',
    `the database in ${place.folder} was started on another machine or in another container, ${record.host}`,
    {
      hint: `stop it there; if that machine is gone, delete ${place.pidFile}`,
    },
  )
}
