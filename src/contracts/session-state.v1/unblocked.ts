import { listed, quote } from '../../contract/index.ts'
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

/** What a session writes when it goes on, whether or not anything was given to it. */
const BOOKKEEPING: readonly string[] = ['Phase', 'Mode', 'Next', 'ConfidenceLevel', '$schema']

/**
 * What is still missing of the input that a blocked session waited for, in words; `undefined` when nothing is.
 *
 * A document shows its input in one of three ways, the most exact first: the artifacts that a gate lacked are there;
 * the part of the state that the reason names (`BLOCKED-CrossRepoImpact`) was added or changed; or, where the reason
 * names no part, anything was added or changed that is not mere bookkeeping.
 */
export function missingInput(state: SessionState, previous: SessionState): string | undefined {
  const artifacts = missingArtifacts(previous)
  if (artifacts.length > 0) {
    const open = artifacts.filter(({ gate, artifact }) => !isProvided(state, gate, artifact))
    return open.length === 0 ? undefined : areMissing(open.map(({ artifact }) => artifact))
  }
  const named = namedInputs(previous.Next ?? '')
  if (named.length > 0) {
    const open = named.filter(key => isEmpty(state[key]) || !changed(state, previous, key))
    return open.length === 0 ? undefined : areMissing(open)
  }
  const keys = new Set([...Object.keys(state), ...Object.keys(previous)])
  const given = [...keys].some(key => !BOOKKEEPING.includes(key) && changed(state, previous, key))
  return given ? undefined : 'nothing was added to the state since'
}

function isProvided(state: SessionState, gate: GateKey, artifact: string): boolean {
  const status = state.GateArtifacts?.[gate]?.Provided ?? {}
  return Object.hasOwn(status, artifact) && status[artifact] !== 'missing'
}

/** The parts of the state whose names stand in the reason, however they are separated; the longer name wins. */
function namedInputs(next: string): Key[] {
  const pointer = parseNext(next)
  const reason = pointer.kind === 'blocked' ? flatten(pointer.reason) : ''
  const found = INPUTS.filter(key => reason.includes(flatten(key)))
  return found.filter(key => !found.some(other => other !== key && other.startsWith(key)))
}

const flatten = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

function changed(state: object, previous: object, key: string): boolean {
  return canonical(ownValue(state, key)) !== canonical(ownValue(previous, key))
}

function ownValue(state: object, key: string): unknown {
  return Object.hasOwn(state, key) ? (state as Record<string, unknown>)[key] : undefined
}

function areMissing(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(quote)
  return `${listed(shown)}${names.length > 5 ? ' and more' : ''} ${names.length === 1 ? 'is' : 'are'} still missing`
}
