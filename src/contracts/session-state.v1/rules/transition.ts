import type { Context, Finding, Rules } from '../../../contract/index.ts'
import { listed, quote } from '../../../contract/index.ts'
import { canonical } from '../canonical.ts'
import { ENOUGH } from '../confidence-scale.ts'
import type { SessionStateFacts } from '../facts.ts'
import { gateState, holds, passes, skippedGates } from '../moves.ts'
import { GATES, hasReached, orderOf, phaseOf } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import { missingInput } from '../unblocked.ts'

/** The keys that compression must keep. */
const DECISIVE = [
  'ArchitectureDecisions',
  'DecisionPack',
  'WorkingSet',
  'TouchedSurface',
  'Gates',
  'RollbackStrategy',
] as const

/** A rule that compares a state with the previous one. */
const compared = (
  rule: { summary: string; why: string },
  check: (state: SessionState, previous: SessionState) => Iterable<Finding>,
) => ({
  severity: 'error' as const,
  ...rule,
  phase: 'transition' as const,
  needs: ['previous' as const],
  *check(state: SessionState, { facts: { previous } }: Context<SessionStateFacts>) {
    if (previous) yield* check(state, previous)
  },
})

/** The rules about transitions from the previous state. */
export const transitionRules = {
  'profile-stable': compared(
    {
      summary:
        'The profile does not change, unless the user changed it and the session went back to phase 1.',
      why: 'All work after profile detection followed the rules of the profile.',
    },
    function* (state, previous) {
      if (!changedProfile(state, previous) || startedOver(state)) return
      const chosen = state.ProfileSource === 'user-explicit'
      yield {
        path: ['ActiveProfile'],
        message: `the profile was ${quote(previous.ActiveProfile)} and is ${quote(state.ActiveProfile ?? '')}${chosen ? `, in phase ${state.Phase}` : ', without ProfileSource: user-explicit'}`,
        hint: `keep ${quote(previous.ActiveProfile)}; if the user changed it, write ProfileSource: user-explicit and go back to phase 1`,
      }
    },
  ),
  'profile-change-starts-over': compared(
    {
      summary: 'With a new profile, the rulebooks are reloaded and no gate stays passed.',
      why: 'The gates passed under the rules of the old profile.',
    },
    function* (state, previous) {
      if (!changedProfile(state, previous) || !startedOver(state)) return
      for (const gate of GATES) {
        if (!passes(state, gate)) continue
        yield {
          path: ['Gates', gate.key],
          message: `the profile changed, but gate ${gate.key} is still ${gateState(state, gate)}`,
          hint: 'write pending: the gate is evaluated again under the new profile',
        }
      }
      const rulebook = previous.LoadedRulebooks?.profile
      if (rulebook && state.LoadedRulebooks?.profile === rulebook) {
        yield {
          path: ['LoadedRulebooks', 'profile'],
          message: `the profile changed, but ${quote(rulebook)} is still loaded`,
          hint: 'load the rulebook of the new profile; write an empty text until then',
        }
      }
    },
  ),
  'decisions-kept': compared(
    {
      summary: 'Approved architecture decisions are not changed or removed.',
      why: 'Work builds on them; a new insight is a new decision.',
    },
    function* (state, previous) {
      const approved = (previous.ArchitectureDecisions ?? []).filter(d => d.Status === 'approved')
      const now = state.ArchitectureDecisions ?? []
      const places = new Map(now.map((decision, i) => [decision.ID, i]))
      const kept = new Map(now.map(d => [asDecided(d), new Set(d.EvidenceRefs)]))
      yield* reusedIds(
        state,
        previous,
        approved.filter(d => kept.has(asDecided(d))),
      )
      for (const decision of approved) {
        const evidence = kept.get(asDecided(decision))
        if (evidence && (decision.EvidenceRefs ?? []).every(ref => evidence.has(ref))) continue
        const place = decision.ID === undefined ? undefined : places.get(decision.ID)
        const name = quote(decision.ID ?? decision.Decision?.[0] ?? 'a decision')
        yield {
          path: place === undefined ? ['ArchitectureDecisions'] : ['ArchitectureDecisions', place],
          message: `the approved decision ${name} ${place === undefined ? 'was removed' : 'was changed'}`,
          hint: 'restore it, and add the new content as another decision',
        }
      }
    },
  ),
  'gates-not-reopened': compared(
    {
      summary:
        'A gate that passed does not reopen, unless the session went back to phase 4 or earlier.',
      why: 'A gate decides again only if the plan changed.',
    },
    function* (state, previous) {
      if (!hasReached(state, '5') || !hasReached(previous, '5')) return
      for (const gate of GATES) {
        const now = gateState(state, gate)
        if (!passes(previous, gate) || (now !== 'pending' && now !== 'not-applicable')) continue
        yield {
          path: ['Gates', gate.key],
          message: `gate ${gate.key} was ${gateState(previous, gate)} and is now ${now} in phase ${state.Phase}`,
          hint: 'keep the decision, or go back to phase 4 and plan again',
        }
      }
    },
  ),
  'business-rules-gate-kept': compared(
    {
      summary: 'After business rules were discovered, their gate applies.',
      why: 'Only this gate checks the discovered rules.',
    },
    function* (state, previous) {
      if (phaseOf(previous)?.id !== '1.5' || phaseOf(state)?.id === '1.5') return
      if (state.Gates?.['P5.4-BusinessRules'] !== 'not-applicable' || startedOver(state)) return
      yield {
        path: ['Gates', 'P5.4-BusinessRules'],
        message: 'business rules were discovered in phase 1.5, but their gate is not-applicable',
        hint: 'write pending: the gate decides in phase 5.4',
      }
    },
  ),
  'blocked-left-with-input': compared(
    {
      summary: 'A blocked session continues only when its missing input exists.',
      why: 'The block exists to prevent continuing without the input.',
    },
    function* (state, previous) {
      if (previous.Mode !== 'BLOCKED') return
      if (state.Mode === 'BLOCKED' && !isForward(state, previous)) return
      const missing = missingInput(state, previous)
      if (missing === undefined) return
      yield {
        path: state.Mode === 'BLOCKED' ? ['Phase'] : ['Mode'],
        message: `the session waited at ${quote(previous.Next ?? 'BLOCKED')} but continues: ${missing}`,
        hint: 'add the input to the state, or keep the mode BLOCKED',
      }
    },
  ),
  'move-skips-no-gate': compared(
    {
      summary: 'A session moves forward only through its mandatory gates.',
      why: 'A gate that has not decided, or refused, has not passed.',
    },
    function* (state, previous) {
      const [from, to] = [phaseOf(previous), phaseOf(state)]
      if (!from || !to || !isForward(state, previous)) return
      const open = [
        ...(holds(state, from) ? [from] : []),
        ...skippedGates(state, from, orderOf(to.id)),
      ]
      if (open.length === 0) return
      yield {
        path: ['Phase'],
        message: `the session moved from phase ${from.id} to ${to.id}, skipping ${listed(open.map(p => p.gate?.key ?? p.id))}`,
        hint: `go back to phase ${open[0]?.id} and set the gate`,
      }
    },
  ),
  'move-keeps-discovery': compared(
    {
      summary: 'With an invalid cache, a session does not skip discovery.',
      why: 'Without discovery, an invalid cache would be the only source about the repository.',
    },
    function* (state, previous) {
      const { Valid } = state.RepoCacheFile ?? previous.RepoCacheFile ?? {}
      if (Valid !== false || hasReached(previous, '2') || !hasReached(state, '2.1')) return
      yield {
        path: ['Phase'],
        message: `the cache is invalid, but the session moved from phase ${previous.Phase} to ${state.Phase} without discovery`,
        hint: 'go back to phase 2 and do the discovery',
      }
    },
  ),
  'no-move-below-70': compared(
    {
      summary: 'A session does not move forward while its confidence is below 70.',
      why: 'The next phase would build on what is still unclear.',
    },
    function* (state, previous) {
      const [before = ENOUGH, now = ENOUGH] = [previous.ConfidenceLevel, state.ConfidenceLevel]
      if (before >= ENOUGH || now >= ENOUGH || !isForward(state, previous)) return
      yield {
        path: ['Phase'],
        message: `the session moved from phase ${previous.Phase} to ${state.Phase} at a confidence of ${now}`,
        hint: 'stay in the phase until the open points are resolved',
      }
    },
  ),
  'compression-keeps-decisions': compared(
    {
      summary:
        'Compression keeps decisions, working set, touched surface, gates and rollback strategy.',
      why: 'Later phases decide by them; a summary cannot replace them.',
    },
    function* (state, previous) {
      if (state.StateCompression === undefined || state.StateCompression.Applied === false) return
      for (const key of DECISIVE) {
        if (!Object.hasOwn(previous, key) || Object.hasOwn(state, key)) continue
        yield {
          path: [key],
          message: `${key} was lost in compression`,
          hint: 'restore it; compress the findings of discovery, not the decisions',
        }
      }
    },
  ),
} satisfies Rules<SessionState, SessionStateFacts>

function changedProfile(state: SessionState, previous: SessionState): boolean {
  return Boolean(previous.ActiveProfile) && previous.ActiveProfile !== (state.ActiveProfile ?? '')
}

/** Whether the user chose the profile and the session is back at profile loading. */
function startedOver(state: SessionState): boolean {
  return state.ProfileSource === 'user-explicit' && !hasReached(state, '2')
}

function isForward(state: SessionState, previous: SessionState): boolean {
  const [from, to] = [phaseOf(previous), phaseOf(state)]
  return from !== undefined && to !== undefined && orderOf(to.id) > orderOf(from.id)
}

/** Decisions that reuse the id of an approved one. */
function* reusedIds(
  { ArchitectureDecisions: now = [] }: SessionState,
  { ArchitectureDecisions: old = [] }: SessionState,
  approved: readonly ArchitectureDecision[],
) {
  const before = new Set(old.map(asDecided))
  const taken = new Set(approved.map(({ ID }) => ID))
  for (const [i, decision] of now.entries()) {
    const { ID } = decision
    if (ID === undefined || !taken.has(ID) || before.has(asDecided(decision))) continue
    yield {
      path: ['ArchitectureDecisions', i, 'ID'],
      message: `${quote(ID)} is already the id of an approved decision with other content`,
      hint: 'give the new decision another id',
    }
  }
}

function asDecided({ EvidenceRefs: _, ...decision }: ArchitectureDecision): string {
  return canonical(decision)
}

type ArchitectureDecision = NonNullable<SessionState['ArchitectureDecisions']>[number]
