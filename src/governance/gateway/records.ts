import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { readOwnFile, sha256, stateFolder } from '../../workspace/index.ts'

/** A record file that waits to be imported. */
export interface WaitingRecord {
  /** Hex SHA-256 of its text, which names the file. */
  readonly digest: string
  readonly value: Readonly<Record<string, unknown>> & { readonly type: string; readonly at: string }
}

const FOLDER = 'records'
const IMPORTED = 'imported'
const MOST_BYTES = 1024 ** 2

/** Returns the records that wait to be imported, oldest first; skips changed files. */
export function waitingRecords(root: string): readonly WaitingRecord[] {
  const folder = join(stateFolder(root), FOLDER)
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw new WaybillError('input-output', `${folder} cannot be read (${code})`, { cause })
  }
  const records = names.sort().flatMap(name => readRecord(folder, name))
  return records.sort((a, b) => Date.parse(a.value.at) - Date.parse(b.value.at))
}

function readRecord(folder: string, name: string): WaitingRecord[] {
  const digest = /^([0-9a-f]{64})\.json$/.exec(name)?.[1]
  if (digest === undefined) return []
  try {
    const bytes = readOwnFile(join(folder, name), MOST_BYTES)
    if (!bytes || sha256(bytes) !== digest) return []
    const value: WaitingRecord['value'] = JSON.parse(bytes.toString())
    const isRecord = typeof value.type === 'string' && typeof value.at === 'string'
    return isRecord ? [{ digest, value }] : []
  } catch {
    return []
  }
}

/** Moves a record to the imported ones; concurrent calls are safe. */
export function markImported(root: string, digest: string): void {
  const folder = join(stateFolder(root), FOLDER)
  try {
    mkdirSync(join(folder, IMPORTED), { mode: 0o700, recursive: true })
    renameSync(join(folder, `${digest}.json`), join(folder, IMPORTED, `${digest}.json`))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new WaybillError('input-output', `a record in ${folder} cannot be moved (${code})`, {
      cause,
    })
  }
}
