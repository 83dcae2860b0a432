import { quote, type Rules } from '../../contract/index.ts'
import { formatDuration, parseInstant } from '../../document/index.ts'
import type { MissionFacts } from '../mission-facts.ts'
import { knownTask, noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import { noFutureTimes } from '../times.ts'
import type { LibrarianPass } from './schema.ts'

/** What the rules of a pass ask for beside the document. */
export interface LibrarianPassFacts extends MissionFacts {
  /** The worker that is about to use the pass; known only at that moment. */
  readonly usedBy: string
}

/** What the structure of a librarian pass cannot say. */
export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'known-task': knownTask,
  'expires-after-creation': {
    severity: 'error',
    summary: 'The pass ends later than it was written.',
    why: 'A pass that was never valid lets no worker in; one of its two times is wrong.',
    reads: ['/created_at', '/expires_at'],
    *check({ created_at, expires_at }) {
      const lasts = (parseInstant(expires_at) ?? 0) - (parseInstant(created_at) ?? 0)
      if (lasts > 0) return
      yield {
        path: ['expires_at'],
        message:
          lasts === 0
            ? 'the pass ends at the moment it was written'
            : `the pass ends ${formatDuration(-lasts)} before it was written (${created_at})`,
        hint: 'write the time until which the worker may use the pass',
      }
    },
  },
  'valid-when-used': {
    severity: 'error',
    summary: 'The pass has not ended when a worker uses it.',
    why: 'What the pass allows was decided for a time; after that the decision has to be made again.',
    phase: 'receive',
    reads: ['/expires_at'],
    needs: ['usedBy'],
    *check({ pass_id, expires_at }, { now, facts: { usedBy } }) {
      const late = now - (parseInstant(expires_at) ?? now)
      if (late <= 0) return
      yield {
        path: ['expires_at'],
        message: `${quote(usedBy)} cannot use the pass ${quote(pass_id)}: it ended ${formatDuration(late)} ago`,
        hint: 'let the librarian write a new pass',
      }
    },
  },
} satisfies Rules<LibrarianPass, LibrarianPassFacts>
