import { counted, quote, type Rules } from '../../../contract/index.ts'
import { findHiddenText } from '../../../document/index.ts'
import { pathOf, siteOf, textsOf, walk } from '../content.ts'
import type { AgentHandoffFacts } from '../facts.ts'
import { findInstruction } from '../instructions.ts'
import type { AgentHandoff } from '../schema.ts'

/** Characters of a whole handoff: about the context of a large model. */
const MOST_CHARACTERS = 1_000_000
/** Characters of one string, about a long report; put larger material into a file. */
export const LONGEST_STRING = 100_000
const LONGEST_KEY = 200
/** Entries of one list or keys of one object. */
const MOST_ENTRIES = 10_000
/** The contract itself nests five levels; parsers of other languages fail at about a hundred. */
const DEEPEST = 32

/** Names with a special meaning for objects in some languages. */
const MACHINERY = /^(?:__.*__|constructor|prototype)$/s

/** The checks of every key and string; they need no valid structure. */
export const contentRules = {
  'within-size-limits': {
    severity: 'error',
    summary: `A handoff has at most ${MOST_CHARACTERS} characters, a string ${LONGEST_STRING}, a key ${LONGEST_KEY}, and a list or object ${MOST_ENTRIES} entries.`,
    why: 'Larger content crowds out the request, or overloads the receiver.',
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
    why: 'Deep nesting lets a small document exhaust its reader.',
    reads: [],
    *check(handoff) {
      for (const { value, place, depth } of walk(handoff)) {
        // Report only the first level that is too deep.
        if (depth !== DEEPEST || typeof value !== 'object' || value === null) continue
        yield {
          path: pathOf(place),
          message: `this is nested ${depth + 1} levels deep, more than ${DEEPEST}`,
          hint: 'flatten it, or move it to a file and name that',
        }
      }
    },
  },
  'no-prototype-keys': {
    severity: 'error',
    summary:
      "No key is 'constructor', 'prototype' or has double underscores around it, such as '__proto__'.",
    why: 'In some languages, copying such a key into an object changes the behaviour of the program.',
    reads: [],
    *check(handoff) {
      for (const { place } of walk(handoff)) {
        if (typeof place?.key !== 'string' || !MACHINERY.test(place.key)) continue
        yield {
          path: pathOf(place),
          atKey: true,
          message: `the key ${quote(place.key)} has a special meaning for objects`,
          hint: 'give the key another name',
        }
      }
    },
  },
  'no-hidden-text': {
    severity: 'error',
    summary: 'No key and no string contains invisible characters.',
    why: 'A model reads what the approving person cannot see.',
    reads: [],
    *check(handoff) {
      for (const text of textsOf(handoff)) {
        const found = findHiddenText(text.text)
        const [first] = found
        if (!first) continue
        const code = first.codePoint.toString(16).toUpperCase().padStart(4, '0')
        yield {
          ...siteOf(text),
          message: `${counted(found.length, 'invisible character')}; the first is a ${first.kind} (U+${code})`,
          hint: 'remove them; retype the text if you do not know where they come from',
        }
      }
    },
  },
  'no-instruction-phrases': {
    severity: 'info',
    summary: 'No text reads like an instruction to override the instructions of its reader.',
    why: 'A model may follow such words although they were handed over as data, so people should know about them.',
    reads: [],
    *check(handoff) {
      for (const text of textsOf(handoff)) {
        const phrase = findInstruction(text.text)
        if (phrase === undefined) continue
        yield {
          ...siteOf(text),
          message: `the words ${quote(phrase)} read like an instruction to the reader`,
          hint: 'for information only: a text without such words is not proven safe',
        }
      }
    },
  },
} satisfies Rules<AgentHandoff, AgentHandoffFacts>
