import { nearest, quote, type Rules } from '../../contract/index.ts'
import { noNullCharacters } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { MissionEnvelope } from './schema.ts'

const SENSITIVITY = ['public', 'internal_business', 'confidential', 'restricted']

/** What the structure of a mission envelope cannot say. */
export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'page-id-not-empty': {
    severity: 'error',
    summary: 'The page that a mission is about has an id, or is null.',
    why: 'An empty id is that of no page, and looks as if there were one.',
    reads: ['/context_refs'],
    *check({ context_refs }) {
      if (context_refs?.page_id === '')
        yield {
          path: ['context_refs', 'page_id'],
          message: 'the id of the page is empty',
          hint: 'write null where the mission is about no page',
        }
    },
  },
  'known-sensitivity': {
    severity: 'warning',
    summary: 'The sensitivity class is public, internal_business, confidential or restricted.',
    why: 'Policies are written for these four; what they say of another class is left to chance.',
    reads: ['/sensitivity_class'],
    *check({ sensitivity_class }) {
      if (SENSITIVITY.includes(sensitivity_class)) return
      const meant = nearest(sensitivity_class, SENSITIVITY)
      yield {
        path: ['sensitivity_class'],
        message: `${quote(sensitivity_class)} is not a class that policies know`,
        hint:
          meant === undefined
            ? 'write public, internal_business, confidential or restricted'
            : `did you mean '${meant}'?`,
      }
    },
  },
} satisfies Rules<MissionEnvelope>
