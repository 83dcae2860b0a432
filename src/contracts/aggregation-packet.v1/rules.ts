import { type Fields, nearest, quote, type Rules } from '../../contract/index.ts'
import { type Artifact, idOf, type MissionFacts, undecidedBy } from '../mission-facts.ts'
import { noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { AggregationPacket } from './schema.ts'

/** Suggestions compare every name, so large missions get none. */
const MOST_TO_GUESS_AMONG = 200

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'support-refs-known': {
    severity: 'error',
    summary:
      'Every support reference is an artifact of the mission, or a source that a worker result cites.',
    why: 'A claim whose support cannot be found looks proven and is not.',
    reads: ['/evidence_matrix/*/support_refs'],
    needs: ['artifacts'],
    applies: ({ evidence_matrix }) => evidence_matrix.some(row => row.support_refs.length > 0),
    *check({ evidence_matrix }, { facts: { artifacts = [] } }) {
      const known = new Set<unknown>(artifacts.flatMap(namesIn))
      const guesses = known.size <= MOST_TO_GUESS_AMONG ? [...known].filter(isText) : []
      const unread = artifacts.filter(artifact => !saysItsNames(artifact))
      for (const [i, { support_refs }] of evidence_matrix.entries()) {
        for (const [j, ref] of support_refs.entries()) {
          if (known.has(ref)) continue
          // The support may be in an artifact that cannot be read.
          if (unread.length > 0) {
            yield* unread.map(undecidedBy)
            return
          }
          const meant = nearest(ref, guesses)
          yield {
            path: ['evidence_matrix', i, 'support_refs', j],
            message: `${quote(ref)} is neither an artifact of the mission nor cited by a worker result`,
            hint:
              meant === undefined
                ? 'name the result or research that supports the claim, or remove the claim'
                : `did you mean ${quote(meant)}?`,
          }
        }
      }
    },
  },
} satisfies Rules<AggregationPacket, MissionFacts>

const isText = (name: unknown): name is string => typeof name === 'string'

/** The names by which an artifact supports a claim: its own id, and the sources that a worker result cites. */
function namesIn(artifact: Artifact): unknown[] {
  return [idOf(artifact), ...citationsOf(artifact).map(citation => citation?.ref)]
}

function saysItsNames(artifact: Artifact): boolean {
  const { schema_name, value } = artifact
  // A graph has no id of its own.
  if (schema_name === 'mission_task_graph') return true
  if (schema_name === 'worker_result' && !Array.isArray(value.citations)) return false
  return namesIn(artifact).every(isText)
}

function citationsOf({ schema_name, value }: Artifact): (Fields | null)[] {
  if (schema_name !== 'worker_result' || !Array.isArray(value.citations)) return []
  return value.citations
}
