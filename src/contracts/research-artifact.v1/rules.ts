import { quote, type Rules } from '../../contract/index.ts'
import type { MissionFacts } from '../mission-facts.ts'
import { knownTask, noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { ResearchArtifact } from './schema.ts'

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at', '/results/*/retrieved_at'),
  'owner-matches-mission': ownerMatchesMission,
  'known-task': knownTask,
  'absolute-urls': {
    severity: 'error',
    summary: 'Every url of a result has a valid host and port.',
    why: 'A reader must be able to open the source; an invalid host or port leads nowhere.',
    reads: ['/results'],
    *check({ results }) {
      for (const [i, { url }] of results.entries()) {
        if (URL.canParse(url)) continue
        yield {
          path: ['results', i, 'url'],
          message: `the host or the port of ${quote(url)} is invalid`,
          hint: 'write the address as a browser shows it',
        }
      }
    },
  },
} satisfies Rules<ResearchArtifact, MissionFacts>
