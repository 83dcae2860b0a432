import { ENOUGH } from './confidence-scale.ts'
import { pointerTo } from './next.ts'
import { GATES, PHASES } from './phases.ts'

/** The inputs for a new session. */
export interface Beginning {
  /** From 0 to 100. */
  readonly confidence?: number
  /** The ticket in one line. */
  readonly ticket?: string
  /** What the repository shows; its profile stays deferred until discovery is complete. */
  readonly found?: FoundProfile
}

/** The profile and the rulebooks that a repository shows; empty texts for what it does not show. */
export interface FoundProfile {
  readonly profile: string
  readonly source: string
  readonly evidence: string
  readonly core: string
  readonly rulebook: string
}

/** The state of a new session: bootstrap, nothing decided, every gate pending. */
export function initialState({ confidence = ENOUGH, ticket, found }: Beginning) {
  const discovery = PHASES.find(({ id }) => id === '2')
  const bootstrap = PHASES.find(({ id }) => id === '1.1')
  return {
    Phase: bootstrap?.written ?? '1',
    Mode: confidence < ENOUGH ? 'DRAFT' : 'NORMAL',
    ConfidenceLevel: confidence,
    Next: discovery ? pointerTo(discovery) : '',
    LoadedRulebooks: { core: found?.core ?? '', profile: found?.rulebook ?? '' },
    ActiveProfile: found?.profile ?? '',
    ProfileSource: 'deferred',
    ProfileEvidence: found?.evidence ?? '',
    Gates: Object.fromEntries(GATES.map(({ key, states }) => [key, states[0] ?? ''])),
    ...(ticket === undefined ? {} : { TicketRecordDigest: ticket }),
    // Below that confidence, the state must be FULL.
    ...(confidence < ENOUGH
      ? { BuildEvidence: { status: 'not-provided', notes: 'nothing has run yet' } }
      : {}),
  }
}
