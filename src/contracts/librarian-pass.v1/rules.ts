import { quote, type Rules } from '../../contract/index.ts'
import { formatDuration, parseInstant } from '../../document/index.ts'
import type { MissionFacts } from '../mission-facts.ts'
import { knownTask, noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { LibrarianPass } from './schema.ts'

/** Facts for the rules of a librarian pass. */
export interface LibrarianPassFacts extends MissionFacts {
  /** The worker about to use the pass; known only when it does. */
  readonly usedBy: string
}

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'known-task': knownTask,
  'expires-after-creation': {
    severity: 'error',
    summary: 'The pass expires after it was written.',
    why: 'A pass that was never valid admits no worker; one of its two times is wrong.',
    reads: ['/created_at', '/expires_at'],
    *check({ created_at, expires_at }) {
      const lasts = (parseInstant(expires_at) ?? 0) - (parseInstant(created_at) ?? 0)
      if (lasts > 0) return
      yield {
        path: ['expires_at'],
        message:
          lasts === 0
            ? 'the pass expires at the moment it was written'
            : `the pass expires ${formatDuration(-lasts)} before it was written (${created_at})`,
        hint: 'write the time until which the worker may use the pass',
      }
    },
  },
  'valid-when-used': {
    severity: 'error',
    summary: 'The pass has not expired when a worker uses it.',
    why: 'The pass grants access for a limited time; after that, a new decision is needed.',
    phase: 'receive',
    reads: ['/expires_at'],
    needs: ['usedBy'],
    *check({ pass_id, expires_at }, { now, facts: { usedBy } }) {
      const late = now - (parseInstant(expires_at) ?? now)
      if (late <= 0) return
      yield {
        path: ['expires_at'],
        message: `${quote(usedBy)} cannot use the pass ${quote(pass_id)}: it expired ${formatDuration(late)} ago`,
        hint: 'have the librarian write a new pass',
      }
    },
  },
} satisfies Rules<LibrarianPass, LibrarianPassFacts>
