import type { Fields } from '../../contract/index.ts'
import { type FoundProfile, statedProfile } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import {
  CHOSEN,
  decideProfile,
  gatherSignals,
  openRepository,
  type ProfileDecision,
} from '../../session/index.ts'
import type { App } from '../operation.ts'
import { ownPaths, shown } from './ground.ts'

/** The files that usually hold the rules for every profile, best first. */
const CORE = ['rules/core.md', 'rules.md', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md']

/** Finds the profile and the rulebooks of a session; without a rulebook of its own, a profile follows the core rules. */
export function findProfile(
  app: App,
  file: string | undefined,
  { named, scope = [] }: { named?: string | undefined; scope?: readonly string[] } = {},
): FoundProfile & Pick<ProfileDecision, 'decides'> {
  const repository = openRepository(app.root, ownPaths(app, file))
  const signals = gatherSignals(repository, scope)
  const decision = decideProfile({ signals, scope, named })
  const files = new Set(repository.files.map(({ path }) => path))
  const core = CORE.find(path => files.has(path)) ?? ''
  const { profile, source, evidence } = decision
  const chosen = named !== undefined && evidence !== CHOSEN ? `${CHOSEN}, ${evidence}` : evidence
  return {
    profile,
    source,
    evidence: shown(chosen),
    core,
    rulebook: profile === '' ? '' : shown(decision.rulebook ?? core),
    decides: decision.decides,
  }
}

/** Looks for the profile again when a session of this state needs it; the user's choice at its beginning counts. */
export function findProfileFor(state: Fields, app: App, file: string | undefined): FoundProfile {
  const { profile, scope } = statedProfile(state)
  const chosen = profile !== '' && String(state.ProfileEvidence).startsWith(CHOSEN)
  return findProfile(app, file, { scope, named: chosen ? profile : undefined })
}

/** Requires that a profile is named like one. */
export function profileNamed(name: string | undefined): string | undefined {
  const named = name?.trim()
  if (named === undefined || /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(named)) return named
  throw new WaybillError('usage', '--profile needs a name such as backend-java')
}
