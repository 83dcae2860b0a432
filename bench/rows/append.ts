import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Draft, type Log, openFileLog } from '../../src/ledger/index.ts'
import { testLog } from '../../test/test-log.ts'
import type { Figure } from '../figure.ts'
import { type Contender, race } from '../measure.ts'
import { root, type Stage } from '../stage.ts'

/** Concurrent callers, entries per round, and the target speedup over one bare write. */
const LOADS = [
  { callers: 1, entries: 400, limit: 0.5 },
  { callers: 8, entries: 3000, limit: 2 },
  { callers: 64, entries: 12_000, limit: 8 },
] as const
const BARE = 400
const COVERED = 20
const LEAF = Buffer.alloc(489, 'l')
const CONTENT = JSON.stringify({ payload: 'x'.repeat(2030) })
/** An in-memory file system. */
const MEMORY = '/dev/shm'

/** Durable appends, single and concurrent, against sequential writes of the same bytes with fdatasync. */
export async function appends(stage: Stage): Promise<Figure[]> {
  return [...(await onDisk(stage)), ...(existsSync(MEMORY) ? await inMemory(stage) : [])]
}

async function onDisk(stage: Stage): Promise<Figure[]> {
  const folder = stage.folder('append')
  return withLog(folder, async log => {
    const rounds = stage.quick ? 3 : 15
    const [bare, covered, ...loads] = await race(rounds, [
      bareWrites(folder),
      appendsCovered(log),
      ...LOADS.map(load => appending(log, load)),
    ])
    if (!bare || !covered) return []
    const figures = LOADS.map(({ callers, limit }, i): Figure => {
      const target = { kind: 'times-faster', limit } as const
      const ours = loads[i] ?? bare
      return { what: `durable append, ${among(callers)}`, unit: 'µs', ours, theirs: bare, target }
    })
    const what = 'append until a signed checkpoint covers it'
    return [...figures, { what, unit: 'µs', ours: covered, theirs: bare }]
  })
}

/** The same without flushing to disk, which leaves the work itself. */
async function inMemory({ quick }: Stage): Promise<Figure[]> {
  const folder = mkdtempSync(join(MEMORY, 'waybill-bench-'))
  try {
    return await withLog(folder, async log => {
      const samples = await race(
        quick ? 3 : 15,
        LOADS.map(load => appending(log, load)),
      )
      return samples.map((ours, i): Figure => {
        const what = `append with no disk to wait for, ${among(LOADS[i]?.callers ?? 0)}`
        return { what, unit: 'µs', ours }
      })
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const among = (callers: number) => (callers === 1 ? 'one caller' : `${callers} callers`)

async function withLog<T>(folder: string, work: (log: Log) => Promise<T>): Promise<T> {
  const program = new URL(`file://${join(root, 'dist/ledger-worker.cjs')}`)
  const { folder: place, options } = testLog(folder, { worker: () => program })
  const log = await openFileLog(place, options)
  try {
    return await work(log)
  } finally {
    await log.close()
  }
}

/** Microseconds for one of many. */
async function perEntry(count: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return ((performance.now() - start) * 1000) / count
}

function appending(log: Log, { callers, entries }: (typeof LOADS)[number]): Contender {
  const run = async () => {
    const drafts = Array.from({ length: entries }, nextDraft)
    const time = await perEntry(entries, () => byCallers(callers, drafts, log))
    // Start the next round without leftovers.
    await log.covered()
    return time
  }
  return { name: 'waybill', run }
}

/** Each caller appends again when its last append is answered. */
async function byCallers(callers: number, drafts: readonly Draft[], log: Log): Promise<void> {
  const rest = drafts.values()
  const call = async () => {
    for (const draft of rest)
      if ('taken' in (await log.append(draft))) throw new Error('the entry already existed')
  }
  await Promise.all(Array.from({ length: callers }, call))
}

function appendsCovered(log: Log): Contender {
  const run = () =>
    perEntry(COVERED, async () => {
      for (let i = 0; i < COVERED; i++) {
        await log.append(nextDraft())
        await log.covered()
      }
    })
  return { name: 'waybill', run }
}

function bareWrites(folder: string): Contender {
  const bytes = Buffer.concat([LEAF, Buffer.from(CONTENT)])
  const run = () =>
    perEntry(BARE, async () => {
      const descriptor = openSync(join(folder, 'bare'), 'w')
      for (let i = 0; i < BARE; i++) {
        writeSync(descriptor, bytes)
        fdatasyncSync(descriptor)
      }
      closeSync(descriptor)
    })
  return { name: 'write and fdatasync', run }
}

let made = 0

/** An entry with the size and index keys of an accepted handoff. */
function nextDraft(): Draft {
  const id = createHash('sha256').update(String(made++)).digest('hex')
  const also = [`id:${id}`, `digest:${id}`, 'agent:a', 'agent:b', 'kind:handoff-accepted']
  return { leaf: LEAF, content: CONTENT, digest: id, keys: { unique: [`accepted:${id}`], also } }
}
