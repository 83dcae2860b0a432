import type { Fields } from '../../contract/index.ts'
import { plansSchemaOrContract } from './artifacts.ts'
import { isEmpty } from './empty.ts'
import { FULL_KEYS, isFull, whyFull } from './output-mode.ts'
import { hasReached, phaseOf } from './phases.ts'
import type { SessionState } from './schema.ts'

/** The keys that every state has after bootstrap, plus the ticket in one line. */
const MIN_KEYS = [
  'Phase',
  'Mode',
  'ConfidenceLevel',
  'Next',
  'LoadedRulebooks',
  'ActiveProfile',
  'ProfileSource',
  'ProfileEvidence',
  'Gates',
  'TicketRecordDigest',
] as const satisfies readonly (keyof SessionState)[]

/** The two output forms of a state. */
export type Form = 'MIN' | 'FULL'

/** The form that a state is written in. */
export function formOf(sound: Fields): Form {
  return isFull(sound as SessionState) ? 'FULL' : 'MIN'
}

/** The required output form of a state, and why. */
export function demandedForm(sound: Fields): { readonly form: Form; readonly why: string } {
  const state = sound as SessionState
  const reason = whyFull(state)?.text ?? whyDecisions(state) ?? whyFirstDigest(state)
  if (reason !== undefined) return { form: 'FULL', why: reason }
  return { form: 'MIN', why: 'no gate, no block, and enough confidence' }
}

/** In this mode a response begins with the decisions, which the short form lacks. */
function whyDecisions({ OutputMode }: SessionState): string | undefined {
  return OutputMode === 'architect-only' ? 'the output mode is architect-only' : undefined
}

/** The digest of the repository appears at an unusual point: just found, or found earlier. */
function whyFirstDigest(state: SessionState): string | undefined {
  const digest = state.RepoMapDigest ?? state.RepoModel
  if (digest === undefined || hasReached(state, '1.2')) return undefined
  return hasReached(state, '2')
    ? 'discovery has just produced the digest of the repository'
    : 'the session restarted, and the digest shows what it already knows'
}

/** The parts of a state in a form: MIN has its keys, FULL has all, and architect-only mode puts decisions first. */
export function partsFor(sound: Fields, form: Form): Fields {
  const state = sound as Record<string, unknown>
  const known: readonly string[] = [...MIN_KEYS, ...FULL_KEYS]
  const further = Object.keys(state).filter(key => !known.includes(key) && key !== '$schema')
  const keys = form === 'MIN' ? MIN_KEYS : [...known, ...further]
  const first = state.OutputMode === 'architect-only' ? ['DecisionSurface'] : []
  const present = [...new Set([...first, ...keys])].filter(
    key => Object.hasOwn(state, key) && !isTooLong(form, state, key),
  )
  return Object.fromEntries(present.map(key => [key, state[key]]))
}

/** The short form takes a ticket only if it is one line. */
function isTooLong(form: Form, state: Record<string, unknown>, key: string): boolean {
  return form === 'MIN' && key === 'TicketRecordDigest' && /[\r\n]/.test(String(state[key]))
}

/** A part that a form needs in the phase of a state, and that is missing. */
export interface MissingPart {
  readonly part: string
  /** Whether the specification requires or recommends it. */
  readonly level: 'required' | 'recommended'
  readonly why: string
}

/** The parts that a form needs in the phase of a state and that are missing. */
export function missingParts(sound: Fields, form: Form): MissingPart[] {
  const state = sound as SessionState
  const demands = form === 'MIN' ? always(state) : [...always(state), ...inFull(state)]
  return demands.filter(([part]) => !holds(state, part)).map(asMissing)
}

type Demand = readonly [part: string, level: MissingPart['level'], why: string]

const asMissing = ([part, level, why]: Demand): MissingPart => ({ part, level, why })

function always(state: SessionState): Demand[] {
  if (!hasReached(state, '2')) return [['Phase', 'required', 'every state names its phase']]
  const parts = MIN_KEYS.filter(key => key !== 'TicketRecordDigest').flatMap(key =>
    key === 'LoadedRulebooks' ? ['LoadedRulebooks.core', 'LoadedRulebooks.profile'] : [key],
  )
  return parts.map(part => [part, 'required', 'every state has it after bootstrap'])
}

function inFull(state: SessionState): Demand[] {
  return [...fromDiscovery(state), ...atGate(state), ...fromPlan(state)]
}

function fromDiscovery(state: SessionState): Demand[] {
  const found = ['DecisionDrivers', 'WorkingSet', 'TouchedSurface']
  if (state.RepoModel === undefined) found.unshift('RepoMapDigest')
  if (hasReached(state, '1.2')) found.push('DecisionPack')
  if (!hasReached(state, '2.1')) return []
  return found.map(part => [part, 'recommended', 'discovery is over'])
}

function atGate(state: SessionState): Demand[] {
  const { gate, id } = phaseOf(state) ?? {}
  const parts = gate ? ['Required', 'Provided'] : []
  const demands: Demand[] = parts.map(part => [
    `GateArtifacts.${gate?.key}.${part}`,
    'required',
    `phase ${id} is an explicit gate`,
  ])
  if (state.Gates?.['P5-Architecture'] === 'approved')
    demands.push(['ArchitectureDecisions', 'required', 'the architecture is approved'])
  if (state.Gates?.['P6-ImplementationQA'] === 'ready-for-pr')
    demands.push(['BuildEvidence', 'recommended', 'the work is ready for a pull request'])
  return demands
}

function fromPlan(state: SessionState): Demand[] {
  const demands: Demand[] = []
  const { ContractsPlanned = [] } = state.TouchedSurface ?? {}
  if (hasReached(state, '4') && plansSchemaOrContract(state))
    demands.push(['RollbackStrategy', 'required', 'a schema or contract change is planned'])
  if (ContractsPlanned.length > 0 && state.Mode !== 'BLOCKED')
    demands.push(['CrossRepoImpact', 'required', 'a contract change is planned'])
  if (state.RollbackStrategy?.DataMigrationReversible === false)
    demands.push(['RollbackStrategy.Steps', 'required', 'the data migration is irreversible'])
  const surface = ['MustDecideNow', 'CanDefer', 'AutoDecidedBySystem']
  for (const part of state.OutputMode === 'architect-only' ? surface : [])
    demands.push([`DecisionSurface.${part}`, 'required', 'the output mode is architect-only'])
  return demands
}

/** Parts that must not be empty. */
const FILLED = ['ArchitectureDecisions', 'RollbackStrategy', 'RollbackStrategy.Steps']

function holds(state: SessionState, part: string): boolean {
  let value: unknown = state
  // The key of a gate may contain a dot: `GateArtifacts.P5.3-TestQuality.Required`.
  const keys = /^GateArtifacts\.(.+)\.(Required|Provided)$/.exec(part)
  for (const key of keys ? ['GateArtifacts', ...keys.slice(1)] : part.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<string, unknown>)[key]
  }
  return !FILLED.includes(part) || !isEmpty(value)
}
