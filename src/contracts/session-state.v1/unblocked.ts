import { type Fields, listed, quote } from '../../contract/index.ts'
import { missingArtifacts } from './artifacts.ts'
import { canonical } from './canonical.ts'
import { isEmpty } from './empty.ts'
import { parseNext } from './next.ts'
import { FULL_KEYS } from './output-mode.ts'
import type { GateKey } from './phases.ts'
import type { SessionState } from './schema.ts'

type Key = keyof SessionState

/** The parts of a state that a reason may name as the missing input. */
const INPUTS: readonly Key[] = [
  ...FULL_KEYS,
  'ActiveProfile',
  'ProfileEvidence',
  'LoadedRulebooks',
  'TicketRecordDigest',
  'NFRChecklist',
]

/** Keys that a session changes whenever it moves, whether or not the input came. */
const BOOKKEEPING: readonly string[] = [
  'Phase',
  'Mode',
  'Next',
  'ConfidenceLevel',
  'ProfileSource',
  'Gates',
  '$schema',
]

/**
 * What a blocked session waits for, in a form to store: the missing artifacts, the reason, and a digest of every part
 * of the state except bookkeeping.
 */
export interface Awaited {
  /** `Next` while blocked. */
  readonly next: string
  readonly artifacts: readonly { readonly gate: string; readonly artifact: string }[]
  readonly parts: Readonly<Record<string, string>>
}

/** A digest for comparing texts, or the text itself if storage does not matter. */
export type Digest = (text: string) => string

const asItIs: Digest = text => text

/** What a state waits for when it is blocked. */
export function awaitedBy(sound: Fields, digest: Digest = asItIs): Awaited {
  const state = sound as SessionState
  const keys = Object.keys(state).filter(key => !BOOKKEEPING.includes(key))
  return {
    next: state.Next ?? '',
    artifacts: missingArtifacts(state).map(({ gate, artifact }) => ({ gate, artifact })),
    parts: Object.fromEntries(keys.map(key => [key, digest(canonical(ownValue(state, key)))])),
  }
}

/** What is still missing of the previous state's input, in words; `undefined` if nothing is. */
export function missingInput(state: SessionState, previous: SessionState): string | undefined {
  return stillMissing(state, awaitedBy(previous as Fields))
}

/**
 * What is still missing of a blocked session's input, in words; `undefined` if nothing is.
 *
 * The input has come if, most exact first: the missing artifacts of a gate are present; the part of the state that the
 * reason names (`BLOCKED-CrossRepoImpact`) was added or changed; or, if the reason names no part, anything except
 * bookkeeping was added or changed.
 */
export function stillMissing(
  state: SessionState,
  { next, artifacts, parts }: Awaited,
  digest: Digest = asItIs,
): string | undefined {
  const lacking = artifacts.filter(({ gate, artifact }) => !isProvided(state, gate, artifact))
  if (lacking.length > 0) return areMissing(lacking.map(({ artifact }) => artifact))
  const now = (key: string) => {
    const part = ownValue(state, key)
    return part === undefined ? undefined : digest(canonical(part))
  }
  const changed = (key: string) => now(key) !== partIn(parts, key)
  const named = namedInputs(next).filter(key => !artifacts.some(({ artifact }) => artifact === key))
  const open = named.filter(key => isEmpty(state[key]) || !changed(key))
  if (open.length > 0) return areMissing(open)
  if (named.length > 0 || artifacts.length > 0) return undefined
  const keys = new Set([...Object.keys(state), ...Object.keys(parts)])
  const given = [...keys].some(key => !BOOKKEEPING.includes(key) && changed(key))
  return given ? undefined : 'nothing was added to the state since the block'
}

/**
 * What is missing of the input as far as the state alone shows, without the state at the time of the block; `unknown` if
 * the reason names neither an artifact nor a part of the state.
 */
export function missingByItself(state: SessionState): string | 'unknown' | undefined {
  const artifacts = missingArtifacts(state).map(({ artifact }) => artifact)
  if (artifacts.length > 0) return areMissing(artifacts)
  const named = namedInputs(state.Next ?? '')
  const open = named.filter(key => isEmpty(state[key]))
  if (open.length > 0) return areMissing(open)
  return named.length > 0 || namesArtifact(state) ? undefined : 'unknown'
}

function namesArtifact(state: SessionState): boolean {
  const reason = flatten(state.Next ?? '')
  const names = Object.values(state.GateArtifacts ?? {}).flatMap(entry => [
    ...Object.keys(entry?.Provided ?? {}),
  ])
  return names.some(name => flatten(name) !== '' && reason.includes(flatten(name)))
}

function isProvided(state: SessionState, gate: string, artifact: string): boolean {
  const status = state.GateArtifacts?.[gate as GateKey]?.Provided ?? {}
  return Object.hasOwn(status, artifact) && status[artifact] !== 'missing'
}

function partIn(parts: Awaited['parts'], key: string): string | undefined {
  return Object.hasOwn(parts, key) ? parts[key] : undefined
}

/** The parts of the state that the reason names, with any separators; the longer name wins. */
function namedInputs(next: string): Key[] {
  const pointer = parseNext(next)
  const reason = pointer.kind === 'blocked' ? flatten(pointer.reason) : ''
  const found = INPUTS.filter(key => reason.includes(flatten(key)))
  return found.filter(key => !found.some(other => other !== key && other.startsWith(key)))
}

const flatten = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

function ownValue(state: object, key: string): unknown {
  return Object.hasOwn(state, key) ? (state as Record<string, unknown>)[key] : undefined
}

function areMissing(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(quote)
  return `${listed(shown)}${names.length > 5 ? ' and more' : ''} ${names.length === 1 ? 'is' : 'are'} still missing`
}
