import type { Diagnostic, Fields } from '../../contract/index.ts'
import {
  type Awaited,
  awaitedBy,
  type StateChange,
  type StateDecision,
  type Waiting,
} from '../../contracts/index.ts'
import { editDocument, formatInstant, maskSecrets, parsePointer } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { sha256, swapAtomically, userName } from '../../workspace/index.ts'
import { recordWrite } from '../record-write.ts'
import { diagnosticOf, placeIn } from './objection.ts'
import {
  type CheckedState,
  checkStateText,
  type StateContext,
  type StateFile,
} from './state-file.ts'
import { findWaiting, RECORDS, waitingFrom } from './waiting.ts'

/** Checked against what the session waited for when it was blocked, not only its last change. */
const LEFT = 'session-state/blocked-left-with-input'

/** An act on the state of a session. */
export interface Act {
  readonly kind: keyof typeof RECORDS
  /** The SHA-256 of the bytes that the caller has read. */
  readonly expect?: string | undefined
  /** The state before the session was blocked, if it is not recorded. */
  readonly previous?: Fields | undefined
  /** Parts of the state to set first; the decision is about the state with them. */
  readonly parts?: readonly StateChange[] | undefined
  /** Why something that was given by mistake is taken back. */
  readonly retracts?: string | undefined
  decide(state: Fields, waiting: Waiting | undefined): StateDecision
}

/** The result of an act. */
export interface Outcome {
  readonly accepted: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly changes: StateDecision['changes']
  readonly after: Fields
  /** The SHA-256 of the written file. */
  readonly digest: string
  /** The name of its record. */
  readonly record: string | null
}

/** Performs an act: decides, edits, checks the new text, replaces the file and records it; or refuses. */
export async function carryOut(state: StateFile, act: Act, around: StateContext): Promise<Outcome> {
  const before = state.digest()
  if (act.expect !== undefined && act.expect.toLowerCase() !== before) {
    throw new WaybillError('conflict', `${state.path} is not the file that --expect names`, {
      hint: `its SHA-256 is ${before}; nothing was written`,
    })
  }
  const untouched = { changes: [], after: state.value, digest: before, record: null }
  if (!state.sound) {
    return { accepted: false, diagnostics: state.result.diagnostics, ...untouched }
  }
  const awaited = findWaiting(around.root, state.path, state.value)
  const { parts = [] } = act
  const given = parts.length === 0 ? state : await withParts(state, parts)
  if (!given.sound) return { accepted: false, diagnostics: given.result.diagnostics, ...untouched }
  const decided = act.decide(given.value, waitingFor(act, awaited))
  const decision = { ...decided, changes: [...parts, ...decided.changes] }
  const diagnostics = decision.objections.map(objection => diagnosticOf(state, objection))
  if (!decision.accepted) return { accepted: false, diagnostics, ...untouched }
  const text = edited(state, decision)
  const left = await errorsLeft(state, text, decision)
  if (left.length > 0) return { accepted: false, diagnostics: left, ...untouched }
  const bytes = `${state.marked ? '\ufeff' : ''}${text}`
  swapAtomically(around.root, state.file, before, bytes)
  const { changes, after } = decision
  const digest = sha256(bytes)
  const name = recordAct(state, act, { before, after, digest, awaited }, around)
  return { accepted: true, diagnostics, changes, after, digest, record: name }
}

function waitingFor({ previous }: Act, awaited: Awaited | undefined): Waiting | undefined {
  if (previous) return { awaited: awaitedBy(previous) }
  return awaited && { awaited, digest: sha256 }
}

function withParts(state: StateFile, changes: readonly StateChange[]): Promise<CheckedState> {
  return checkStateText(edited(state, { changes }), state)
}

function edited(
  { text, format, base }: StateFile,
  { changes }: Pick<StateDecision, 'changes'>,
): string {
  const placed = changes.map(({ path, value }) => ({
    path: [...base, ...path],
    value,
  }))
  return editDocument(text, format, placed)
}

/** The errors that refuse the new text: all if the act advances, else only new ones. */
async function errorsLeft(
  state: StateFile,
  text: string,
  { leadsOn, before: compared = state.value }: StateDecision,
): Promise<Diagnostic[]> {
  const { result } = await checkStateText(text, state, compared)
  const before = new Set(state.result.diagnostics.map(({ code, path }) => `${code} ${path}`))
  const errors = result.diagnostics.filter(
    ({ severity, code, path }) =>
      severity === 'error' && code !== LEFT && (leadsOn || !before.has(`${code} ${path}`)),
  )
  return errors.map(error => ({ ...error, ...placeIn(state, parsePointer(error.path)) }))
}

interface Done {
  readonly before: string
  readonly after: Fields
  readonly digest: string
  readonly awaited: Awaited | undefined
}

function recordAct(
  { path, value }: StateFile,
  { kind, retracts }: Act,
  { before, after, digest, awaited }: Done,
  { root, now }: StateContext,
): string {
  const waits = after.Mode === 'BLOCKED' && { waits: waitingFrom(after, awaited) }
  return recordWrite(root, path, {
    type: RECORDS[kind],
    at: formatInstant(now),
    by: userName(root),
    subject: { path: maskSecrets(path), sha256: digest },
    before,
    after: digest,
    from: standing(value),
    to: standing(after),
    ...(retracts !== undefined && { retracts: maskSecrets(retracts) }),
    ...waits,
  })
}

function standing({ Phase, Mode, Next, Gates }: Fields): Fields {
  return { phase: masked(Phase), mode: masked(Mode), next: masked(Next), gates: Gates ?? null }
}

const masked = (value: unknown) => (value === undefined ? null : maskSecrets(String(value)))
