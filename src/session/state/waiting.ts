import type { Fields } from '../../contract/index.ts'
import { type Awaited, awaitedBy } from '../../contracts/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { type Recorded, readRecords, sha256 } from '../../workspace/index.ts'

/** The recorded kinds of session events. */
export const RECORDS = {
  advance: 'urn:waybill:record:state-advance',
  gate: 'urn:waybill:record:state-gate',
} as const

/** What a blocked session waits for, as recorded when it was blocked. */
export function waitingFrom(state: Fields, since: Awaited | undefined): Awaited {
  const { next, artifacts, parts } = awaitedBy(state, sha256)
  return {
    next: maskSecrets(next),
    artifacts: artifacts.map(({ gate, artifact }) => ({ gate, artifact: maskSecrets(artifact) })),
    // While the block lasts, input is compared with what existed at its start.
    parts: since?.parts ?? parts,
  }
}

/** The record of when the session in a file was blocked, if any. */
export function findWaiting(root: string, path: string, state: Fields): Awaited | undefined {
  if (state.Mode !== 'BLOCKED') return undefined
  const next = maskSecrets(String(state.Next ?? ''))
  const { records } = readRecords(root)
  const fitting = records.filter(({ type, subject }) => isMove(type) && subject?.path === path)
  const waits = fitting.map(waitsOf).filter(w => w?.next === next)
  return waits.at(-1)
}

const isMove = (type: string) => type === RECORDS.advance || type === RECORDS.gate

function waitsOf({ waits }: Recorded): Awaited | undefined {
  if (typeof waits !== 'object' || waits === null) return undefined
  const { next, artifacts, parts } = waits as Partial<Awaited>
  const sound = typeof next === 'string' && Array.isArray(artifacts) && typeof parts === 'object'
  return sound ? (waits as Awaited) : undefined
}

/** Whether a recorded transition wrote the bytes of a state file. */
export function writerOf(
  root: string,
  path: string,
  digest: string,
): 'by-waybill' | 'by-hand' | 'unknown' {
  const { records } = readRecords(root)
  const own = records.filter(({ type, subject }) => isMove(type) && subject?.path === path)
  if (own.length === 0) return 'unknown'
  return own.some(({ subject }) => subject?.sha256 === digest) ? 'by-waybill' : 'by-hand'
}
