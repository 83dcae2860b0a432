import { counted, quote, type Rules } from '../../../contract/index.ts'
import { findHiddenText } from '../../../document/index.ts'
import { pathOf, siteOf, textsOf, walk } from '../content.ts'
import type { AgentHandoffFacts } from '../facts.ts'
import { findInstruction } from '../instructions.ts'
import type { AgentHandoff } from '../schema.ts'

/** Characters of a whole handoff: a large model's context holds about as much. */
const MOST_CHARACTERS = 1_000_000
/** Characters of one string: a long report. What is larger belongs into a file that the handoff names. */
export const LONGEST_STRING = 100_000
const LONGEST_KEY = 200
/** Entries of one list or keys of one object. */
const MOST_ENTRIES = 10_000
/** The contract itself nests five deep; parsers of other languages give up at about a hundred. */
const DEEPEST = 32

/** Names that some languages take for the machinery of an object instead of its data. */
const MACHINERY = /^(?:__.*__|constructor|prototype)$/s

/** What every key and string of the document is checked for; none of it presumes a sound structure. */
export const contentRules = {
  'within-size-limits': {
    severity: 'error',
    summary: `A handoff has at most ${MOST_CHARACTERS} characters, a string ${LONGEST_STRING}, a key ${LONGEST_KEY}, and a list or object ${MOST_ENTRIES} entries.`,
    why: 'What is larger than a reader can take in crowds out the request, or brings the receiver to a halt.',
    reads: [],
    *check(handoff, { document }) {
      const hint = 'put large material into a file and name it in the handoff'
      const tooMany = (what: string, size: number, limit: number) =>
        `${what} ${size}, more than ${limit}`
      if (document.text.length > MOST_CHARACTERS) {
        const message = tooMany('the characters are', document.text.length, MOST_CHARACTERS)
        yield { path: [], span: { start: 0, end: 1 }, message, hint }
      }
      for (const { value, place, size } of walk(handoff)) {
        const limit = typeof value === 'string' ? LONGEST_STRING : MOST_ENTRIES
        if (size > limit) {
          const what = typeof value === 'string' ? 'the characters are' : 'the entries are'
          yield { path: pathOf(place), message: tooMany(what, size, limit), hint }
        }
        if (typeof place?.key === 'string' && place.key.length > LONGEST_KEY) {
          const message = tooMany('the characters of the key are', place.key.length, LONGEST_KEY)
          yield { path: pathOf(place), atKey: true, message, hint: 'shorten it' }
        }
      }
    },
  },
  'within-depth-limit': {
    severity: 'error',
    summary: `Objects and lists are nested at most ${DEEPEST} levels deep.`,
    why: 'Deep nesting is how a small document exhausts the reader that follows it down.',
    reads: [],
    *check(handoff) {
      for (const { value, place, depth } of walk(handoff)) {
        // Below the first level that is too deep, there is nothing new to say.
        if (depth !== DEEPEST || typeof value !== 'object' || value === null) continue
        yield {
          path: pathOf(place),
          message: `this is nested ${depth + 1} levels deep, more than ${DEEPEST}`,
          hint: 'flatten it, or put it into a file and name that',
        }
      }
    },
  },
  'no-prototype-keys': {
    severity: 'error',
    summary:
      "No key is 'constructor', 'prototype' or stands between double underscores, such as '__proto__'.",
    why: 'Such a key, copied into an object by a program that does not expect it, changes the program instead of its data.',
    reads: [],
    *check(handoff) {
      for (const { place } of walk(handoff)) {
        if (typeof place?.key !== 'string' || !MACHINERY.test(place.key)) continue
        yield {
          path: pathOf(place),
          atKey: true,
          message: `the key ${quote(place.key)} is a name for the machinery of objects`,
          hint: 'give the key another name',
        }
      }
    },
  },
  'no-hidden-text': {
    severity: 'error',
    summary: 'No key and no string holds characters that people do not see.',
    why: 'A model reads what a person who approves the handoff cannot see.',
    reads: [],
    *check(handoff) {
      for (const text of textsOf(handoff)) {
        const found = findHiddenText(text.text)
        const [first] = found
        if (!first) continue
        const code = first.codePoint.toString(16).toUpperCase().padStart(4, '0')
        yield {
          ...siteOf(text),
          message: `${counted(found.length, 'character')} that nobody sees; the first is a ${first.kind} (U+${code})`,
          hint: 'remove them; write the text anew if you do not know how they came in',
        }
      }
    },
  },
  'no-instruction-phrases': {
    severity: 'info',
    summary: 'No text reads like an instruction about the instructions of its reader.',
    why: 'A model may follow such words although they were handed over as data; people may want to know that they are there.',
    reads: [],
    *check(handoff) {
      for (const text of textsOf(handoff)) {
        const phrase = findInstruction(text.text)
        if (phrase === undefined) continue
        yield {
          ...siteOf(text),
          message: `the words ${quote(phrase)} read like an instruction to the reader`,
          hint: 'for information only: nothing follows from it, and its absence proves nothing',
        }
      }
    },
  },
} satisfies Rules<AgentHandoff, AgentHandoffFacts>
