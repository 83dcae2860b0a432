import { CanonicalScan } from './canonical-scan.ts'
import type { Faulty } from './fault.ts'
import { parseStatement, readStatement, STATEMENT_TYPE, type Statement } from './statement.ts'

/** Member names, as the bytes between the quotes of each key. */
type MemberNames = readonly Uint8Array[]

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const HEAD = encoder.encode(`{"_type":"${STATEMENT_TYPE}","predicate":{`)
const TYPE = encoder.encode(',"predicateType":"')
const SUBJECT = encoder.encode(',"subject":')
const [COMMA, END] = [44, 125]

// Selected parts are assembled in one reused buffer, after the common prefix of all statements.
let memory = HEAD.slice()

// Cache the encoding of names that are requested repeatedly.
const encoded = new WeakMap<ReadonlySet<string>, MemberNames>()

function encode(names: ReadonlySet<string>): MemberNames {
  const known = encoded.get(names)
  if (known) return known
  const made = [...names].map(name => encoder.encode(name))
  encoded.set(names, made)
  return made
}

/**
 * Parses a statement like `parseStatement`, but where possible keeps only some members of its predicate.
 *
 * Validates all of it, but creates no values that were not requested: this runs over every log entry.
 */
export function parseStatementParts(
  payload: Uint8Array,
  wanted: ReadonlySet<string>,
): Statement | Faulty {
  if (!holds(payload, 0, HEAD)) return parseStatement(payload)
  if (memory.length < payload.length + 2) memory = withHead(2 * payload.length)
  const scan = new CanonicalScan(payload)
  const names = encode(wanted)
  let length = HEAD.length
  const end = scan.end(HEAD.length - 1, 1, (key, value, after) => {
    if (!isNamed(payload, key + 1, value - 2, names)) return
    if (length > HEAD.length) memory[length++] = COMMA
    length = put(payload, key, after, length)
  })
  if (end < 0 || !isRest(payload, end, scan) || !(scan.isAscii || isUtf8(payload)))
    return parseStatement(payload)
  memory[length++] = END
  length = put(payload, end, payload.length, length)
  return readStatement(JSON.parse(decoder.decode(memory.subarray(0, length))))
}

function withHead(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  bytes.set(HEAD)
  return bytes
}

/** Copies a part of a payload into the buffer and returns its end. */
function put(payload: Uint8Array, from: number, to: number, at: number): number {
  memory.set(payload.subarray(from, to), at)
  return at + to - from
}

function isNamed(bytes: Uint8Array, from: number, to: number, names: MemberNames): boolean {
  for (const name of names) if (name.length === to - from && holds(bytes, from, name)) return true
  return false
}

function isRest(payload: Uint8Array, from: number, scan: CanonicalScan): boolean {
  if (!holds(payload, from, TYPE)) return false
  const type = scan.end(from + TYPE.length - 1, 1)
  if (type < 0 || !holds(payload, type, SUBJECT)) return false
  const subject = scan.end(type + SUBJECT.length, 1)
  return subject === payload.length - 1 && payload[subject] === END
}

function holds(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false
  return true
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes)
    return true
  } catch {
    return false
  }
}
