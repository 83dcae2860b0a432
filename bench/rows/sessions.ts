import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure, Skip } from '../figure.ts'
import { MEMORY_METER, peakMemory, race, wholeProcess } from '../measure.ts'
import { root, type Stage } from '../stage.ts'
import { writeHandoffs, writeRepository } from '../workloads/folder.ts'
import { handoffDocument, linkedHandoff } from '../workloads/handoff-document.ts'
import { timeOf } from '../workloads/random.ts'
import { sessionState } from '../workloads/session-state.ts'
import { cold } from './cold.ts'

/** Whether code may be written, cold. */
export function mayWriteCode(stage: Stage): Promise<Figure[]> {
  const cwd = stage.folder('cold-state')
  writeFileSync(join(cwd, 'SESSION_STATE.yaml'), sessionState(0))
  // The state is before its gates, so the answer is no.
  const job = { args: ['state', 'next', '--may-write-code'], cwd, exits: [1] }
  return cold(stage, '`state next --may-write-code`', 2, job)
}

/** The newest of 1,000 handoffs in a Git repository, cold. */
export function oneBrief(stage: Stage): Promise<Figure[]> {
  const cwd = stage.folder('brief')
  writeRepository(cwd, 1_000, handoffDocument)
  return cold(stage, '`brief` of the newest of 1,000 handoffs', 5, { args: ['brief'], cwd })
}

/** A lineage of all handoffs: shown in full, and resumed. */
export async function longChain(stage: Stage): Promise<(Figure | Skip)[]> {
  const [few, many] = [1_000, 10_000].map(count => {
    const cwd = stage.folder(`chain-${count}`)
    writeHandoffs(cwd, count, linkedHandoff)
    return cwd
  }) as [string, string]
  const { program } = stage.clone
  // An hour after the last one was written.
  const now = timeOf(10_059)
  const chain = (cwd: string) => ({ program, args: ['chain', '--format', 'json'], cwd })
  const resume = { program, args: ['resume', '--now', now], cwd: many }
  const [shown, resumed] = await race(stage.quick ? 3 : 9, [
    wholeProcess('waybill chain', chain(many)),
    wholeProcess('waybill resume', resume),
  ])
  if (!shown || !resumed) return []
  const figures: (Figure | Skip)[] = [
    { what: '`chain` over 10,000 handoffs', unit: 'ms', ours: shown, target: atMost(2000) },
    { what: '`resume` among 10,000 handoffs', unit: 'ms', ours: resumed, target: atMost(1000) },
  ]
  const what = 'peak memory of `chain` over 10,000 handoffs'
  if (!existsSync(MEMORY_METER)) return [...figures, { what, skipped: `no ${MEMORY_METER}` }]
  const held = (name: string, cwd: string) => ({
    name,
    run: () => peakMemory(chain(cwd)) / 1_000_000,
  })
  const [ours, theirs] = await race(stage.quick ? 1 : 5, [
    held('waybill', many),
    held('the same over 1,000', few),
  ])
  return ours && theirs ? [...figures, { what, unit: 'MB', ours, theirs }] : figures
}

const atMost = (limit: number) => ({ kind: 'at-most', limit }) as const

const WRITERS = 8
const EACH = 200

/** Eight processes that advance one state 200 times each; counts the outcome of every call. */
export async function manyWriters(stage: Stage): Promise<Figure[]> {
  const rounds = stage.quick ? 1 : 3
  const [ours] = await race(rounds, [
    { name: 'waybill', run: () => writeTogether(stage.folder(`writers-${performance.now()}`)) },
  ])
  const what = `${WRITERS} processes × ${EACH} \`state advance\` on one file`
  return ours ? [{ what, unit: 'ms', ours, note: outcome }] : []
}

/** The outcome of the last round, in words. */
let outcome = ''

interface Count {
  readonly moved: number
  readonly conflicts: number
}

async function writeTogether(cwd: string): Promise<number> {
  const file = join(cwd, 'SESSION_STATE.yaml')
  writeFileSync(file, sessionState(0))
  const start = performance.now()
  const writers = Array.from({ length: WRITERS }, () => writer(cwd))
  const counts = await Promise.all(writers)
  const time = performance.now() - start
  const moved = counts.reduce((sum, count) => sum + count.moved, 0)
  const conflicts = counts.reduce((sum, count) => sum + count.conflicts, 0)
  mustAddUp(cwd, moved, conflicts)
  outcome = `${((moved / time) * 1000).toFixed(0)} moves/s; ${moved} moves and ${conflicts} conflicts of ${WRITERS * EACH} calls`
  return time
}

async function writer(cwd: string): Promise<Count> {
  const args = [join(root, 'bench/writer.ts'), cwd, String(EACH)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  await once(child, 'close')
  return JSON.parse(output)
}

/** Requires that every call is a move or a conflict, every move has a record, and the file matches the last record. */
function mustAddUp(cwd: string, moved: number, conflicts: number): void {
  const records = readdirSync(join(cwd, '.waybill/records'))
  const digest = sha256(readFileSync(join(cwd, 'SESSION_STATE.yaml')))
  const isRecorded = records.some(name =>
    readFileSync(join(cwd, '.waybill/records', name), 'utf8').includes(`"after": "${digest}"`),
  )
  if (moved + conflicts === WRITERS * EACH && records.length === moved && isRecorded) return
  throw new Error(`${moved} moves, ${conflicts} conflicts, ${records.length} records`)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
