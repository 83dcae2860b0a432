import type { Rules } from '../../contract/index.ts'
import { noFutureTimes } from '../times.ts'
import type { MissionEnvelope } from './schema.ts'

const SENSITIVITY = ['public', 'internal_business', 'confidential', 'restricted']

/** What the structure of a mission envelope cannot say. */
export const rules = {
  'no-future-times': noFutureTimes('/created_at'),
  'known-sensitivity': {
    severity: 'warning',
    summary: 'The sensitivity class is one of the four that policies know.',
    why: 'A policy written for the known classes says nothing about another one, so it is treated like the strictest.',
    reads: ['/sensitivity_class'],
    *check({ sensitivity_class }) {
      if (SENSITIVITY.includes(sensitivity_class)) return
      yield {
        path: ['sensitivity_class'],
        message: `'${sensitivity_class}' is no class that policies know`,
        hint: `use ${SENSITIVITY.join(', ')}, or add a policy for it`,
      }
    },
  },
} satisfies Rules<MissionEnvelope>
