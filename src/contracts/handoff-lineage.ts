import { type Context, inOtherForm, quote, type Rules } from '../contract/index.ts'
import { formatDuration, parseInstant } from '../document/index.ts'
import type { Handoff } from './handoff.ts'
import type { HandoffFacts } from './handoff-facts.ts'
import { fileNameOf, instantOfName } from './handoff-file-name.ts'
import { isElsewhere, predecessorPlaces } from './handoff-predecessor.ts'
import { whyNotRelative } from './paths.ts'

const PATH = ['frontmatter', 'continues_from'] as const
const READS = ['/frontmatter/continues_from']
const SHOWN = 8

/** The rules about the chain of documents. */
export const lineageRules = {
  'predecessor-inside-root': {
    severity: 'error',
    summary: '`continues_from` is a relative path that stays inside the repository.',
    why: 'An absolute path does not exist on another machine, and a path outside the repository is not committed.',
    reads: READS,
    uses: ['lineage'],
    applies: continues,
    *check(value, context) {
      if (continuesInside(value, context)) return
      const path = value.frontmatter?.continues_from ?? ''
      if (isElsewhere(path)) {
        yield {
          path: PATH,
          message: `${quote(path)} ${whyNotRelative(path)}`,
          hint: "write it relative to the folder above 'handoffs/'",
        }
      } else {
        yield {
          path: PATH,
          message: `${quote(path)} is outside the repository`,
          hint: 'name a handoff document of this repository',
        }
      }
    },
  },
  'predecessor-exists': {
    severity: 'error',
    summary: 'The document that `continues_from` names exists.',
    why: 'A broken chain loses the earlier sessions.',
    reads: READS,
    needs: ['lineage'],
    uses: ['files'],
    applies: continuesInside,
    *check(
      { frontmatter: { continues_from } = {} },
      { path: own = '', facts: { lineage, files } },
    ) {
      const path = continues_from ?? ''
      const isBackwards = path.includes('\\')
      if (!lineage?.predecessor) {
        const slashes = isBackwards ? " and write it with '/'" : ''
        const forms = predecessorPlaces(own, path).map(place => files && inOtherForm(files, place))
        yield {
          path: PATH,
          message: `the predecessor ${quote(lineage?.missing ?? path)} does not exist${forms.find(Boolean) ?? ''}`,
          hint: `it is looked up in the folder above 'handoffs/', next to this document and in the repository's root: correct it${slashes}, or leave it empty at the start of a chain`,
        }
      } else if (isBackwards)
        // Found after replacing backslashes; on most systems the original name does not exist.
        yield {
          path: PATH,
          message: `the predecessor ${quote(path)} uses backslashes, which work on one operating system only`,
          hint: `write the path with '/': ${quote(path.replace(/\\+/g, '/'))}`,
        }
    },
  },
  'predecessor-dated': {
    severity: 'warning',
    summary: 'The predecessor of a dated handoff states when it was written.',
    why: 'Without its time, the order of the chain is unknown.',
    reads: [...READS, '/frontmatter/timestamp'],
    needs: ['lineage'],
    applies: continuesInside,
    *check({ frontmatter: { timestamp } = {} }, { path = '', facts: { lineage } }) {
      const predecessor = lineage?.predecessor
      if (!predecessor || instantOf(predecessor.timestamp) !== undefined) return
      const isDated = Boolean(timestamp) || instantOfName(path) !== undefined
      // Among notes without times, the links tell the order; a warning about each adds nothing.
      if (!isDated && predecessor.timestamp === undefined) return
      yield {
        path: PATH,
        message: `the predecessor ${quote(fileNameOf(predecessor.path))} states no valid time`,
        hint: 'check that it is the intended handoff document, and correct its timestamp',
      }
    },
  },
  'predecessor-older': {
    severity: 'error',
    summary: 'The predecessor is not newer than this document.',
    why: 'A document cannot continue a later one: a time or the link is wrong.',
    reads: [...READS, '/frontmatter/timestamp'],
    needs: ['lineage'],
    applies: continuesInside,
    *check({ frontmatter: { timestamp } = {} }, { facts: { lineage } }) {
      const before = instantOf(lineage?.predecessor?.timestamp)
      const own = instantOf(timestamp)
      if (before === undefined || own === undefined || before <= own) return
      yield {
        path: PATH,
        message: `the predecessor ${quote(fileNameOf(lineage?.predecessor?.path ?? ''))} is ${formatDuration(before - own)} newer than this document`,
        hint: 'correct the wrong timestamp, or name the right predecessor',
      }
    },
  },
  'no-lineage-cycle': {
    severity: 'error',
    summary: 'The chain of `continues_from` has no cycle.',
    why: 'A cyclic chain has no beginning, so one of its links is wrong.',
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
        message: `the chain has a cycle: ${[...names, last].join(' → ')}`,
        hint: "clear 'continues_from' in the document that starts the chain",
      }
    },
  },
  'resume-has-predecessor': {
    severity: 'warning',
    summary: 'A document in mode RESUME names its predecessor.',
    why: 'RESUME means that there was an earlier session; without the link its decisions cannot be found.',
    reads: [...READS, '/frontmatter/mode'],
    *check({ frontmatter }) {
      if (frontmatter?.mode !== 'RESUME' || continues({ frontmatter })) return
      yield {
        path: ['frontmatter', 'mode'],
        message: 'RESUME without a predecessor',
        hint: "name it in 'continues_from', or write CREATE",
      }
    },
  },
} satisfies Rules<Handoff, HandoffFacts>

function continues({ frontmatter }: Pick<Handoff, 'frontmatter'>): boolean {
  return Boolean(frontmatter?.continues_from)
}

/** A path outside the repository is reported once, not also as missing. */
function continuesInside(value: Handoff, context: Context<HandoffFacts>): boolean {
  const path = value.frontmatter?.continues_from ?? ''
  if (path === '' || context.facts.lineage?.outside) return false
  return context.path === undefined
    ? !isElsewhere(path)
    : predecessorPlaces(context.path, path).length > 0
}

function instantOf(timestamp: string | null | undefined): number | undefined {
  return typeof timestamp !== 'string' ? undefined : parseInstant(timestamp)
}
