import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { WaybillError } from '../../error.ts'
import { type Place, readText } from './place.ts'

/** The record of the last server start. */
export interface ServerRecord {
  readonly binaries: 'bundled' | 'system'
  /** The version of PostgreSQL, for example 18.4. */
  readonly version: string
  /** The user that the server runs as. */
  readonly as: string
  readonly host: string
  /** The scope of process ids: one boot of one machine or container. */
  readonly world: string
}

/** Reads the record of the last start; undefined when it is missing or unreadable. */
export function readRecord({ record }: Place): ServerRecord | undefined {
  const text = readText(record)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Identifies this machine in a record. */
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
 * Refuses data that a server on another machine or in another container may have open, which would corrupt it. The same
 * host name after a reboot is the same machine, whose server has ended.
 */
export function refuseElsewhere(place: Place): void {
  const record = readRecord(place)
  const here = thisMachine()
  if (!record || record.host === here.host || record.world === here.world) return
  // The server was stopped.
  if (readText(place.pidFile) === undefined) return
  throw new WaybillError(
    'conflict',
    `the database in ${place.folder} was started on another machine or in another container, ${record.host}`,
    {
      hint: `stop it there; if that machine is gone, delete ${place.pidFile}`,
    },
  )
}
