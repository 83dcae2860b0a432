import { type Context, quote, type Rules } from '../../../contract/index.ts'
import { formatDuration, parseInstant } from '../../../document/index.ts'
import { whyNotRelative } from '../../paths.ts'
import type { HandoffFacts } from '../facts.ts'
import { fileNameOf } from '../file-name.ts'
import { isElsewhere, predecessorPlaces } from '../predecessor.ts'
import type { HandoffDocument } from '../schema.ts'

const PATH = ['frontmatter', 'continues_from'] as const
const READS = ['/frontmatter/continues_from']
const SHOWN = 8

/** That the chain of documents can be followed back. */
export const lineageRules = {
  'predecessor-inside-root': {
    severity: 'error',
    summary: '`continues_from` is a relative path that stays inside the repository.',
    why: 'A path into one machine leads nowhere on another, and one out of the repository may lead anywhere.',
    reads: READS,
    uses: ['lineage'],
    applies: continues,
    *check(value, context) {
      if (continuesInside(value, context)) return
      const path = value.frontmatter.continues_from ?? ''
      if (isElsewhere(path)) {
        yield {
          path: PATH,
          message: `${quote(path)} ${whyNotRelative(path)}`,
          hint: "write it relative to the folder above 'handoffs/'",
        }
      } else {
        yield {
          path: PATH,
          message: `${quote(path)} leads out of the repository`,
          hint: 'name a handoff document of this repository',
        }
      }
    },
  },
  'predecessor-exists': {
    severity: 'error',
    summary: 'The document that `continues_from` names exists.',
    why: 'A chain that breaks here has lost the sessions before it.',
    reads: READS,
    needs: ['lineage'],
    applies: continuesInside,
    *check({ frontmatter: { continues_from } }, { facts: { lineage } }) {
      const path = continues_from ?? ''
      const isBackwards = path.includes('\\')
      if (!lineage?.predecessor) {
        const slashes = isBackwards ? " and write it with '/'" : ''
        yield {
          path: PATH,
          message: `the predecessor ${quote(lineage?.missing ?? path)} does not exist`,
          hint: `it is looked for in the folder above 'handoffs/', beside this document and in the repository's root: correct it${slashes}, or leave it empty where a chain begins`,
        }
      } else if (isBackwards)
        // The chain can be followed all the same, but on most systems this is another name, and no such file is there.
        yield {
          path: PATH,
          message: `the predecessor ${quote(path)} is written with backslashes, by which it is not found on every system`,
          hint: `write the path with '/': ${quote(path.replace(/\\+/g, '/'))}`,
        }
    },
  },
  'predecessor-dated': {
    severity: 'warning',
    summary: 'The predecessor states when it was written.',
    why: 'Without its time nobody can tell whether the chain runs in the right order.',
    reads: READS,
    needs: ['lineage'],
    applies: continuesInside,
    *check(_, { facts: { lineage } }) {
      const predecessor = lineage?.predecessor
      if (!predecessor || instantOf(predecessor.timestamp) !== undefined) return
      yield {
        path: PATH,
        message: `the predecessor ${quote(fileNameOf(predecessor.path))} states no time that can be read`,
        hint: 'check that it is the handoff document that was meant, and mend its timestamp',
      }
    },
  },
  'predecessor-older': {
    severity: 'error',
    summary: 'The predecessor is not newer than the document that carries it on.',
    why: 'Nobody can carry on what was not written yet: a time is wrong, or the link is.',
    reads: [...READS, '/frontmatter/timestamp'],
    needs: ['lineage'],
    applies: continuesInside,
    *check({ frontmatter: { timestamp } }, { facts: { lineage } }) {
      const before = instantOf(lineage?.predecessor?.timestamp)
      const own = instantOf(timestamp)
      if (before === undefined || own === undefined || before <= own) return
      yield {
        path: PATH,
        message: `the predecessor ${quote(fileNameOf(lineage?.predecessor?.path ?? ''))} is ${formatDuration(before - own)} newer than this document`,
        hint: 'correct the wrong one of the two timestamps, or name the right predecessor',
      }
    },
  },
  'no-lineage-cycle': {
    severity: 'error',
    summary: 'Following `continues_from` from document to document comes to an end.',
    why: 'A chain that runs in a circle has no beginning, so one of its links is false.',
    reads: READS,
    needs: ['lineage'],
    applies: continuesInside,
    *check(_, { facts: { lineage } }) {
      const names = (lineage?.cycle ?? []).slice(0, SHOWN).map(path => quote(fileNameOf(path)))
      const [first] = names
      if (first === undefined) return
      const last = names.length < (lineage?.cycle?.length ?? 0) ? '…' : first
      yield {
        path: PATH,
        message: `the chain runs in a circle: ${[...names, last].join(' → ')}`,
        hint: "empty 'continues_from' in the document with which the chain really begins",
      }
    },
  },
  'resume-has-predecessor': {
    severity: 'warning',
    summary: 'A document in mode RESUME names its predecessor.',
    why: 'RESUME says that there was a session before; without the link its decisions cannot be found.',
    reads: [...READS, '/frontmatter/mode'],
    *check({ frontmatter }) {
      if (frontmatter.mode !== 'RESUME' || continues({ frontmatter })) return
      yield {
        path: ['frontmatter', 'mode'],
        message: 'RESUME without a predecessor',
        hint: "name it in 'continues_from', or write CREATE",
      }
    },
  },
} satisfies Rules<HandoffDocument, HandoffFacts>

function continues({ frontmatter }: Pick<HandoffDocument, 'frontmatter'>): boolean {
  return Boolean(frontmatter.continues_from)
}

/** What leads out of the repository is reported once, not also as missing. */
function continuesInside(value: HandoffDocument, context: Context<HandoffFacts>): boolean {
  const path = value.frontmatter.continues_from ?? ''
  if (path === '' || context.facts.lineage?.outside) return false
  return context.path === undefined
    ? !isElsewhere(path)
    : predecessorPlaces(context.path, path).length > 0
}

function instantOf(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : parseInstant(timestamp)
}
