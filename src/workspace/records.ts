import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { WaybillError } from '../error.ts'
import { sha256 } from './digest.ts'
import { readOwnFile } from './read.ts'
import { openStateFolder, stateFolder } from './state.ts'
import { createAtomically } from './write.ts'

/** An event about a document, stored until the ledger appends it as an entry. */
export interface Recorded {
  /** `urn:waybill:record:<what>`. */
  readonly type: string
  /** ISO 8601. */
  readonly at: string
  /** Who did it; the name is not proved. */
  readonly by: string
  /** The document, by the digest of its bytes at that time. */
  readonly subject?: { readonly path: string; readonly sha256: string }
  readonly [detail: string]: unknown
}

const FOLDER = 'records'
/** The folder of records that the ledger has appended. */
const IMPORTED = 'imported'
const MOST_BYTES = 1024 ** 2

/** Writes a record to a file named by its digest; returns the name. */
export function record(root: string, recorded: Recorded): string {
  const text = `${JSON.stringify(recorded, null, 2)}\n`
  const name = sha256(text)
  createAtomically(join(openStateFolder(root, FOLDER), `${name}.json`), text, 0o600)
  return name
}

/** Whether there are records that the ledger has not appended. */
export function hasWaitingRecords(root: string): boolean {
  return namesIn(join(stateFolder(root), FOLDER)).length > 0
}

/** The records of a repository. */
export interface Records {
  /** Sorted by time. */
  readonly records: readonly Recorded[]
  /** Files that were changed or cannot be read. */
  readonly broken: readonly string[]
}

/** Reads the records of one type, or all; changed records are listed as broken. */
export function readRecords(root: string, type?: string): Records {
  const folder = join(stateFolder(root), FOLDER)
  const records: Recorded[] = []
  const broken: string[] = []
  // Two processes may have written the same record, and the ledger has appended one of them.
  const waiting = new Set(namesIn(folder))
  const imported = namesIn(join(folder, IMPORTED)).filter(name => !waiting.has(name))
  for (const name of [...waiting, ...imported.map(one => join(IMPORTED, one))]) {
    // A pending record may be appended at this moment.
    const read = readRecord(join(folder, name)) ?? readRecord(join(folder, IMPORTED, name))
    if (!read) broken.push(name)
    else if (type === undefined || read.type === type) records.push(read)
  }
  // Whole seconds have no fraction, so string order is not time order.
  records.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return { records, broken }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw new WaybillError('input-output', `${folder} cannot be read (${code})`, { cause: error })
  }
}

function readRecord(file: string): Recorded | undefined {
  try {
    const bytes = readOwnFile(file, MOST_BYTES)
    if (!bytes || `${sha256(bytes)}.json` !== basename(file)) return undefined
    const value: Recorded = JSON.parse(bytes.toString())
    return typeof value.type === 'string' && typeof value.at === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
