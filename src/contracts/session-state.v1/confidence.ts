import type { Fields } from '../../contract/index.ts'
import { missingArtifacts } from './artifacts.ts'
import { isFull } from './output-mode.ts'
import { hasReached, phaseOf } from './phases.ts'
import type { SessionState } from './schema.ts'
import { namesPath, plannedOutside, someText } from './working-set.ts'

/** One line of the rubric: its subject, its points, and whether they count. */
export interface ConfidenceItem {
  readonly about: string
  readonly points: number
  /** `undefined` if a document cannot show it. */
  readonly counts: boolean | undefined
}

/** The rubric's confidence for a state, from 0 to 100, with its lines. */
export interface ConfidenceRubric {
  readonly score: number
  readonly items: readonly ConfidenceItem[]
}

/** Computes the recommended confidence of section 4 for a structurally valid state. */
export function confidenceRubric(sound: Fields): ConfidenceRubric {
  // Published types must not refer to the schema's, which need TypeBox.
  const state = sound as SessionState
  const status = state.BuildEvidence?.status
  const items: ConfidenceItem[] = [
    {
      about: 'the profile is unambiguous and has evidence',
      points: 25,
      counts: isProfileKnown(state),
    },
    {
      about: 'the repository digest exists and names paths',
      points: 25,
      counts: isMapped(state),
    },
    {
      about: 'the working set exists and contains the planned files',
      points: 15,
      counts: isGrounded(state),
    },
    {
      about: 'the touched surface lists the plan',
      points: 15,
      counts: saysWhatIsPlanned(state),
    },
    {
      about: 'there is build evidence',
      points: 10,
      counts: status === 'partially-provided' || status === 'provided-by-user',
    },
    {
      about: 'the profile or the component scope is unclear',
      points: -20,
      counts: isUnclear(state),
    },
    {
      about: 'artifacts of the current phase are missing',
      points: -15,
      counts: lacksArtifacts(state),
    },
    { about: 'signals of the repository conflict', points: -15, counts: undefined },
  ]
  const sum = items.reduce((total, { points, counts }) => total + (counts ? points : 0), 0)
  return { score: Math.min(100, Math.max(0, sum)), items }
}

function isProfileKnown({ ActiveProfile, ProfileSource, ProfileEvidence }: SessionState): boolean {
  const found = ProfileSource !== 'ambiguous' && ProfileSource !== 'deferred'
  return found && Boolean(ActiveProfile) && Boolean(ProfileEvidence)
}

function isMapped({ RepoMapDigest, RepoModel }: SessionState): boolean {
  return someText(RepoMapDigest ?? RepoModel, namesPath)
}

function isGrounded(state: SessionState): boolean {
  return (state.WorkingSet ?? []).length > 0 && plannedOutside(state).length === 0
}

function saysWhatIsPlanned({ TouchedSurface = {} }: SessionState): boolean {
  const { FilesPlanned = [], ContractsPlanned = [], SchemaPlanned = [] } = TouchedSurface
  return [...FilesPlanned, ...ContractsPlanned, ...SchemaPlanned].length > 0
}

function isUnclear({ ProfileSource, ComponentScopePaths = [] }: SessionState): boolean {
  const scoped = ProfileSource?.startsWith('component-scope-') ?? false
  return ProfileSource === 'ambiguous' || (scoped && ComponentScopePaths.length === 0)
}

/** The specification names gates and digest as examples of artifacts; a short state needs no digest. */
function lacksArtifacts(state: SessionState): boolean {
  const gate = phaseOf(state)?.gate
  const unshown = gate !== undefined && state.GateArtifacts?.[gate.key] === undefined
  const unmapped =
    isFull(state) && hasReached(state, '2.1') && !state.RepoMapDigest && !state.RepoModel
  return unshown || unmapped || missingArtifacts(state).length > 0
}
