import { canonicalEnd } from './canonical-scan.ts'
import type { Faulty } from './fault.ts'
import { isSame } from './hash.ts'
import { parseStatement, readStatement, STATEMENT_TYPE, type Statement } from './statement.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const HEAD = `{"_type":"${STATEMENT_TYPE}","predicate":{`
const HEAD_BYTES = encoder.encode(HEAD)
const TYPE_BYTES = encoder.encode(',"predicateType":"')
const SUBJECT_BYTES = encoder.encode(',"subject":')
const END = 125

/**
 * Reads a statement as `parseStatement` does, and where it can leaves all members of its predicate out but some.
 *
 * All of it is checked, but no value is made of what nobody asks for: this runs over every entry of a log.
 */
export function parseStatementParts(
  payload: Uint8Array,
  wanted: ReadonlySet<string>,
): Statement | Faulty {
  const cut = cutStatement(payload)
  if (!cut) return parseStatement(payload)
  const members: string[] = []
  for (const { key, value, end } of cut.members)
    if (wanted.has(cut.text(key + 1, value - 2))) members.push(cut.text(key, end))
  const rest = cut.text(cut.end, payload.length)
  return readStatement(JSON.parse(`${HEAD}${members.join()}}${rest}`))
}

interface Member {
  readonly key: number
  readonly value: number
  readonly end: number
}

interface CutStatement {
  readonly members: readonly Member[]
  /** Where the predicate ends. */
  readonly end: number
  text(from: number, to: number): string
}

/** Finds the parts of what is certainly canonical JSON with the keys of a statement. */
function cutStatement(payload: Uint8Array): CutStatement | undefined {
  if (!holds(payload, 0, HEAD_BYTES)) return undefined
  const members: Member[] = []
  const end = canonicalEnd(payload, HEAD_BYTES.length - 1, 1, (key, value, end) => {
    members.push({ key, value, end })
  })
  if (end < 0 || !isRest(payload, end)) return undefined
  const text = textsOf(payload)
  return text && { members, end, text }
}

function isRest(payload: Uint8Array, from: number): boolean {
  if (!holds(payload, from, TYPE_BYTES)) return false
  const type = canonicalEnd(payload, from + TYPE_BYTES.length - 1, 1)
  if (type < 0 || !holds(payload, type, SUBJECT_BYTES)) return false
  const subject = canonicalEnd(payload, type + SUBJECT_BYTES.length, 1)
  return subject === payload.length - 1 && payload[subject] === END
}

function holds(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return isSame(bytes.subarray(at, at + wanted.length), wanted)
}

/** Gives parts of a text in UTF-8 by their places. */
function textsOf(bytes: Uint8Array): ((from: number, to: number) => string) | undefined {
  try {
    const text = decoder.decode(bytes)
    if (text.length === bytes.length) return (from, to) => text.slice(from, to)
    return (from, to) => decoder.decode(bytes.subarray(from, to))
  } catch {
    return undefined
  }
}
