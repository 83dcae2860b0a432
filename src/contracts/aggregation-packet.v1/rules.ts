import { quote, type Rules } from '../../contract/index.ts'
import { idOf, type MissionFacts, siblingsNamed } from '../mission-facts.ts'
import { noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { AggregationPacket } from './schema.ts'

/** What the structure of an aggregation packet cannot say. */
export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'support-refs-known': {
    severity: 'error',
    summary: 'What supports a claim is an artifact of the mission, or something that one cites.',
    why: 'A claim supported by something that nobody can find looks proved and is not.',
    reads: ['/evidence_matrix/*/support_refs'],
    needs: ['artifacts'],
    applies: ({ evidence_matrix }) => evidence_matrix.some(row => row.support_refs.length > 0),
    *check({ evidence_matrix }, { facts: { artifacts = [] } }) {
      const known = new Set<unknown>(artifacts.map(idOf))
      for (const { value } of siblingsNamed(artifacts, 'worker_result')) {
        for (const { ref } of value.citations) known.add(ref)
      }
      for (const [i, { support_refs }] of evidence_matrix.entries()) {
        for (const [j, ref] of support_refs.entries()) {
          if (known.has(ref)) continue
          yield {
            path: ['evidence_matrix', i, 'support_refs', j],
            message: `${quote(ref)} is neither an artifact of the mission nor cited by a worker result`,
            hint: 'name the result or research that supports the claim, or leave the claim out',
          }
        }
      }
    },
  },
} satisfies Rules<AggregationPacket, MissionFacts>
