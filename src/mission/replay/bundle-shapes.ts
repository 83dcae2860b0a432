import { parseInstant } from '../../document/index.ts'
import { fromBase64 } from '../../ledger/index.ts'
import { FORMAT, type PartName } from './bundle-lines.ts'

type Test = (value: unknown) => boolean
type Shape = Readonly<Record<string, Test>>

const text: Test = value => typeof value === 'string' && !value.includes('\u0000')
const name: Test = value => text(value) && value !== ''
const fields: Test = value => typeof value === 'object' && value !== null && !Array.isArray(value)
const any: Test = value => value !== undefined
const truth: Test = value => typeof value === 'boolean'
const hex: Test = value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const base64: Test = value => typeof value === 'string' && fromBase64(value) !== undefined
const uuid: Test = value =>
  typeof value === 'string' &&
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)
const upTo =
  (most: number): Test =>
  value =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most
const count = upTo(2 ** 31 - 1)
/** Starts are unbounded in principle; leave room for the next one. */
const starts = upTo(1_000_000_000)
const large = upTo(Number.MAX_SAFE_INTEGER)
/** Only the canonical form of a time is accepted. */
const time: Test = value => {
  const at = typeof value === 'string' ? parseInstant(value) : undefined
  return at !== undefined && new Date(at).toISOString() === value
}
const oneOf =
  (...values: readonly string[]): Test =>
  value =>
    typeof value === 'string' && values.includes(value)
const list =
  (test: Test): Test =>
  value =>
    Array.isArray(value) && value.every(test)
const orNull =
  (test: Test): Test =>
  value =>
    value === null || test(value)
/** A field that may be absent. */
const optional =
  (test: Test): Test =>
  value =>
    value === undefined || test(value)
const having =
  (shape: Shape): Test =>
  value =>
    hasShape(value, shape)

const HEAD = {
  format: oneOf(FORMAT),
  version: name,
  mission: uuid,
  tenant: name,
}

const REASON = orNull(
  value => fields(value) && name((value as Reason).code) && text((value as Reason).message),
)

interface Reason {
  readonly code?: unknown
  readonly message?: unknown
}

/** The exact fields of each kind of line. */
const SHAPES: Readonly<Record<PartName | 'bundle' | 'manifest', Shape>> = {
  bundle: {
    ...HEAD,
    exportedAt: time,
    log: orNull(having({ origin: name, checkpoint: text })),
  },
  artifact: {
    name,
    id: name,
    digest: hex,
    payload: orNull(value => typeof value === 'string'),
    tombstone: orNull(fields),
  },
  run: {
    state: oneOf('running', 'paused', 'finished', 'failed', 'cancelled'),
    template: orNull(text),
    deadline: orNull(time),
    tokenBudget: orNull(large),
    tokensUsed: large,
    openTasks: count,
    activeTasks: count,
    reason: REASON,
    startedAt: time,
    pausedAt: orNull(time),
    endedAt: orNull(time),
  },
  task: {
    task: name,
    position: count,
    agent: name,
    prompt: orNull(text),
    state: oneOf('blocked', 'queued', 'running', 'waiting', 'done', 'failed', 'cancelled'),
    attempt: starts,
    failures: starts,
    losses: starts,
    retries: having({ limit: optional(count), first: optional(count), longest: optional(count) }),
    waitingFor: orNull(text),
    token: any,
    answer: any,
    answeredBy: optional(having({ by: name, standing: oneOf('proved', 'claimed'), entry: hex })),
    handoff: orNull(uuid),
    tokensUsed: large,
    reason: REASON,
    startedAt: orNull(time),
    endedAt: orNull(time),
  },
  output: { task: name, position: count, name, id: name, digest: hex },
  toolCall: {
    ref: name,
    task: name,
    attempt: count,
    tool: text,
    server: orNull(text),
    decision: oneOf('allow', 'deny'),
    policies: list(text),
    argumentsDigest: orNull(hex),
    resultDigest: orNull(hex),
    resultBytes: large,
    isCut: truth,
    isError: truth,
    startedAt: time,
    ms: count,
  },
  decision: {
    proposal: name,
    digest: hex,
    decision: oneOf('approved', 'rejected'),
    decidedBy: name,
    standing: oneOf('proved', 'claimed', 'policy'),
    why: text,
    statement: fields,
    decidedAt: time,
    expiresAt: orNull(time),
    entry: orNull(hex),
    outcome: orNull(
      having({
        state: oneOf('delivered', 'failed', 'pending'),
        attempts: count,
        outcome: any,
        endedAt: orNull(time),
      }),
    ),
  },
  entry: { index: large, content: text, leaf: base64, proof: list(base64) },
  manifest: { ...HEAD, parts: fields, root: hex, sha256: hex },
}

/** A valid line of a bundle. */
export interface BundleLine {
  readonly part: keyof typeof SHAPES
  readonly value: Readonly<Record<string, unknown>>
}

/** Returns a parsed value as a bundle line; undefined when it is not one. */
export function bundleLine(value: unknown): BundleLine | undefined {
  if (!fields(value)) return undefined
  const { part, ...rest } = value as Readonly<Record<string, unknown>>
  if (typeof part !== 'string' || !Object.hasOwn(SHAPES, part)) return undefined
  const known = part as keyof typeof SHAPES
  return hasShape(rest, SHAPES[known]) ? { part: known, value: rest } : undefined
}

function hasShape(value: unknown, shape: Shape): boolean {
  if (!fields(value)) return false
  const given = value as Readonly<Record<string, unknown>>
  return (
    Object.keys(given).every(key => Object.hasOwn(shape, key)) &&
    Object.entries(shape).every(([key, test]) =>
      test(Object.hasOwn(given, key) ? given[key] : undefined),
    )
  )
}
