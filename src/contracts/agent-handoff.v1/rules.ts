import type { Rules } from '../../contract/index.ts'
import { noFutureTimes } from '../times.ts'
import type { AgentHandoffFacts } from './facts.ts'
import { agentRules } from './rules/agents.ts'
import { boundaryRules } from './rules/boundaries.ts'
import { contentRules } from './rules/content.ts'
import { receivingRules } from './rules/receiving.ts'
import type { AgentHandoff } from './schema.ts'

export const rules = {
  'no-future-times': noFutureTimes('/timestamp'),
  ...agentRules,
  ...boundaryRules,
  ...contentRules,
  ...receivingRules,
} satisfies Rules<AgentHandoff, AgentHandoffFacts>
