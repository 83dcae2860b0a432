import type { Rules } from '../../contract/index.ts'
import type { MissionFacts } from '../mission-facts.ts'
import { noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { PolicyDecision } from './schema.ts'

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
} satisfies Rules<PolicyDecision, MissionFacts>
