import { nearest, quote, type Rules } from '../../contract/index.ts'
import { noNullCharacters } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { MissionEnvelope } from './schema.ts'

const SENSITIVITY = ['public', 'internal_business', 'confidential', 'restricted']

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'page-id-not-empty': {
    severity: 'error',
    summary: 'The page id of a mission is not empty; it may be null.',
    why: 'An empty id identifies no page but looks like an id.',
    reads: ['/context_refs'],
    *check({ context_refs }) {
      if (context_refs?.page_id === '')
        yield {
          path: ['context_refs', 'page_id'],
          message: 'the id of the page is empty',
          hint: 'write null if the mission has no page',
        }
    },
  },
  'known-sensitivity': {
    severity: 'warning',
    summary: 'The sensitivity class is public, internal_business, confidential or restricted.',
    why: 'Policies cover these four classes; the result for another class is undefined.',
    reads: ['/sensitivity_class'],
    *check({ sensitivity_class }) {
      if (SENSITIVITY.includes(sensitivity_class)) return
      const meant = nearest(sensitivity_class, SENSITIVITY)
      yield {
        path: ['sensitivity_class'],
        message: `${quote(sensitivity_class)} is not a known sensitivity class`,
        hint:
          meant === undefined
            ? 'write public, internal_business, confidential or restricted'
            : `did you mean '${meant}'?`,
      }
    },
  },
} satisfies Rules<MissionEnvelope>
