import type { Path } from '../../../document/index.ts'
import type { FoundProfile } from '../initial.ts'
import { gateState } from '../moves.ts'
import { GATES, hasReached, orderOf, type Phase } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import type { StateChange } from './objections.ts'
import { type Artifacts, showing } from './shown.ts'

/** Side effects of a move: no profile before discovery, a gate for discovered rules, replanning after a refusal. */
export function consequencesOf(
  state: SessionState,
  { from, to, mode }: { from: Phase; to: Phase; mode: string | undefined },
): StateChange[] {
  const changes: StateChange[] = []
  const { ProfileSource } = state
  const early = orderOf(to.id) < orderOf('2.1') && hasReached(state, '2.1')
  const kept =
    ProfileSource === 'user-explicit' || (ProfileSource === 'ambiguous' && mode === 'BLOCKED')
  if (early && ProfileSource !== undefined && ProfileSource !== 'deferred' && !kept) {
    changes.push({ path: ['ProfileSource'], value: 'deferred' })
  }
  // Discovered business rules have their own gate.
  const rules = [from.id, to.id].includes('1.5') ? state.Gates?.['P5.4-BusinessRules'] : undefined
  if (rules === 'not-applicable') {
    changes.push({ path: ['Gates', 'P5.4-BusinessRules'], value: 'pending' })
  }
  const earliest = Math.min(orderOf(from.id), orderOf(to.id))
  for (const gate of GATES) {
    if (gate.backTo === undefined || earliest > orderOf(gate.backTo)) continue
    if (to !== from && gateState(state, gate) === gate.refuses) {
      changes.push({ path: ['Gates', gate.key], value: 'pending' })
    }
  }
  return changes
}

/** What a move brings along: the profile where it is detected, and the artifacts that a gate is shown. */
export function broughtTo(
  to: Phase,
  state: SessionState,
  { mode, find, artifacts = {} }: Brought,
): StateChange[] {
  return [
    ...(mode === 'BLOCKED' ? [] : detectionAt(to, state, find)),
    ...(to.gate ? showing(state, to.gate.key, artifacts) : []),
  ]
}

interface Brought {
  readonly mode: string | undefined
  readonly find?: () => FoundProfile
  readonly artifacts?: Artifacts
}

/** From profile detection on, a state names the profile and the rulebooks that were found; what it says stays. */
function detectionAt(
  to: Phase,
  state: SessionState,
  find: (() => FoundProfile) | undefined,
): StateChange[] {
  const { ActiveProfile = '', ProfileSource, ProfileEvidence = '' } = state
  const { core = '', profile = '' } = state.LoadedRulebooks ?? {}
  const open = ProfileSource === 'deferred' || core === '' || profile === ''
  if (!find || !open || orderOf(to.id) < orderOf('1.2')) return []
  const found = find()
  const known = found.profile !== '' && ['', found.profile].includes(ActiveProfile)
  return [
    ...(known && ProfileSource === 'deferred'
      ? [
          ...filled(['ActiveProfile'], ActiveProfile, found.profile),
          { path: ['ProfileSource'], value: found.source },
          ...filled(['ProfileEvidence'], ProfileEvidence, found.evidence),
        ]
      : []),
    ...filled(['LoadedRulebooks', 'core'], core, found.core),
    ...filled(['LoadedRulebooks', 'profile'], profile, known ? found.rulebook : ''),
  ]
}

const filled = (path: Path, old: string, value: string): StateChange[] =>
  old === '' && value !== '' ? [{ path, value }] : []
