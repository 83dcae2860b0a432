import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { auditTree } from '../src/ledger/audit.ts'
import { toHex } from '../src/ledger/base64.ts'
import { parseCheckpoint } from '../src/ledger/checkpoint.ts'
import { openFileLog } from '../src/ledger/file/file-log.ts'
import { openFileLogReader } from '../src/ledger/file/reader.ts'
import type { Log, LogReader } from '../src/ledger/log.ts'
import { rootFromTiles } from '../src/ledger/proofs.ts'
import { draftOf, sha256, testLog } from './test-log.ts'

const WRITER = join(import.meta.dirname, 'log-writer.ts')

/** What became of a process that appended. */
export interface Written {
  readonly status: number | null
  /** What it was promised: index and id. */
  readonly promised: readonly (readonly [index: number, id: string])[]
  /** All other lines that it wrote. */
  readonly said: readonly string[]
}

/** A process that appends. */
export interface Writer {
  readonly process: ChildProcess
  /** When it was promised something for the first time. */
  readonly begun: Promise<unknown>
  readonly ended: Promise<Written>
}

/** Starts a process that appends, see `log-writer.ts`. */
export function startWriter(
  args: readonly (string | number)[],
  wrapper: readonly string[] = [],
): Writer {
  const [program = '', ...rest] = [...wrapper, process.execPath, WRITER, ...args.map(String)]
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  const begun = child.stdout ? once(child.stdout, 'data') : Promise.resolve()
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<Written>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', status => {
      const text = Buffer.concat(chunks).toString()
      const lines = text.split('\n').slice(0, -1)
      const isPromise = (line: string) => /^[0-9]/.test(line)
      const promised = lines.filter(isPromise).map(line => {
        const [index, id = ''] = line.split(' ')
        return [Number(index), id] as const
      })
      resolve({ status, promised, said: lines.filter(line => !isPromise(line)) })
    })
  })
  return { process: child, begun, ended }
}

/** Where a log is kept that processes have appended to. */
export interface Kept {
  open(): Promise<Log>
  openReader(): LogReader
}

function keptInFiles(root: string): Kept {
  const { folder, options } = testLog(root)
  return {
    open: () => openFileLog(folder, options),
    openReader: () => openFileLogReader(folder, options),
  }
}

/** Whatever happened: what was promised is where it was promised, and all that was ever published is one log. */
export async function expectWhole(
  root: string,
  promised: Written['promised'],
  notes: Iterable<string> = [],
  kept = keptInFiles(root),
): Promise<number> {
  const log = await kept.open()
  // Opening alone repairs nothing: the next one who writes does.
  await log.append(draftOf(`after-${promised.length}-${Math.random()}`))
  const { checkpoint } = await log.covered()
  await log.close()
  expect(new Set(promised.map(([index]) => index)).size).toBe(promised.length)
  const reader = kept.openReader()
  for (const [index, id] of promised) {
    expect(JSON.parse((await reader.content(index)) ?? '{}').id).toBe(id)
    expect(await reader.find(`id:${id}`)).toEqual([index])
  }
  const seen = new Set<string>()
  for (let index = 0; index < checkpoint.size; index++) {
    const { id } = JSON.parse((await reader.content(index)) ?? '{}')
    expect(seen.has(id)).toBe(false)
    seen.add(id)
  }
  const read = (tile: Parameters<typeof reader.tile>[0]) => reader.tile(tile)
  for (const note of notes) {
    const earlier = parseCheckpoint(`${note.split('\n\n')[0]}\n`)
    if ('fault' in earlier) throw new Error(earlier.fault)
    const root = await rootFromTiles(sha256, earlier.size, read)
    expect(toHex(root)).toBe(toHex(earlier.root))
  }
  const audited = await auditTree(sha256, checkpoint.size, read)
  expect('root' in audited && toHex(audited.root)).toBe(toHex(checkpoint.root))
  return checkpoint.size
}

/** Looks again and again at what is published, until it is stopped; gives all of it. */
export function watchCheckpoint(root: string): () => ReadonlySet<string> {
  const notes = new Set<string>()
  const look = () => {
    try {
      notes.add(readFileSync(join(root, 'ledger/checkpoint'), 'utf8'))
    } catch {
      // Nothing was published yet.
    }
  }
  const timer = setInterval(look, 3)
  return () => {
    clearInterval(timer)
    look()
    return notes
  }
}
