import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { WaybillError } from '../error.ts'
import { sha256 } from './digest.ts'
import { readOwnFile } from './read.ts'
import { openStateFolder, stateFolder } from './state.ts'
import { createAtomically } from './write.ts'

/** Something that was done with a document, kept until the ledger takes it in as an entry. */
export interface Recorded {
  /** `urn:waybill:record:<what>`. */
  readonly type: string
  /** ISO 8601. */
  readonly at: string
  /** Who did it: a name that nothing proves. */
  readonly by: string
  /** The document, by the bytes that it then had. */
  readonly subject?: { readonly path: string; readonly sha256: string }
  readonly [detail: string]: unknown
}

const FOLDER = 'records'
/** Where those stand that the ledger has taken in. */
const IMPORTED = 'imported'
const MOST_BYTES = 1024 ** 2

/** Keeps a record in a file of its own, named by its digest; gives that name. */
export function record(root: string, recorded: Recorded): string {
  const text = `${JSON.stringify(recorded, null, 2)}\n`
  const name = sha256(text)
  createAtomically(join(openStateFolder(root, FOLDER), `${name}.json`), text, 0o600)
  return name
}

/** Whether there are records that the ledger has not taken in. */
export function hasWaitingRecords(root: string): boolean {
  return namesIn(join(stateFolder(root), FOLDER)).length > 0
}

/** What a repository has records of. */
export interface Records {
  /** In the order of their times. */
  readonly records: readonly Recorded[]
  /** Files that are not what was once recorded in them, or that cannot be read. */
  readonly broken: readonly string[]
}

/** Reads the records of one type, or all; one that was changed afterwards does not count, and is named. */
export function readRecords(root: string, type?: string): Records {
  const folder = join(stateFolder(root), FOLDER)
  const records: Recorded[] = []
  const broken: string[] = []
  // Two processes may have made the same record, of which the ledger has taken one in.
  const waiting = new Set(namesIn(folder))
  const imported = namesIn(join(folder, IMPORTED)).filter(name => !waiting.has(name))
  for (const name of [...waiting, ...imported.map(one => join(IMPORTED, one))]) {
    // What waits may be taken in just now.
    const read = readRecord(join(folder, name)) ?? readRecord(join(folder, IMPORTED, name))
    if (!read) broken.push(name)
    else if (type === undefined || read.type === type) records.push(read)
  }
  // Whole seconds are written without a fraction, so that texts do not compare as times do.
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
