import type { Rules } from '../../contract/index.ts'
import type { MissionFacts } from '../mission-facts.ts'
import { knownTask, noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { ResearchArtifact } from './schema.ts'

/** What the structure of a research artifact cannot say. */
export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at', '/results/*/retrieved_at'),
  'owner-matches-mission': ownerMatchesMission,
  'known-task': knownTask,
} satisfies Rules<ResearchArtifact, MissionFacts>
