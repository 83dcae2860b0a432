import { canonicalJson, parseCanonicalJson } from './canonical.ts'
import type { Faulty } from './fault.ts'

/** The type of every statement: in-toto Statement, version 1. */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
/** The payload type of an envelope that carries a statement. */
export const STATEMENT_PAYLOAD = 'application/vnd.in-toto+json'

/** A subject of a statement. */
export interface Subject {
  readonly name: string
  /** Lower-case hex. */
  readonly digest: { readonly sha256: string }
}

/** A claim about subjects (in-toto Statement v1, with SHA-256 digests only). */
export interface Statement {
  readonly _type: typeof STATEMENT_TYPE
  readonly subject: readonly Subject[]
  readonly predicateType: string
  readonly predicate: Readonly<Record<string, unknown>>
}

const SHA256 = /^[0-9a-f]{64}$/
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Formats a statement as an envelope payload: canonical JSON in UTF-8. */
export function formatStatement(statement: Omit<Statement, '_type'>): Uint8Array | Faulty {
  const { subject, predicateType, predicate } = statement
  const whole = { _type: STATEMENT_TYPE, subject, predicateType, predicate }
  const fault = whyNoStatement(whole)
  if (fault !== undefined) return { fault }
  const text = canonicalJson(whole)
  if (typeof text === 'string') return new TextEncoder().encode(text)
  return { fault: `the statement cannot be written: ${text.fault}` }
}

/** Parses an envelope payload as a statement, and only one that `formatStatement` could write. */
export function parseStatement(payload: Uint8Array): Statement | Faulty {
  let text: string
  try {
    text = decoder.decode(payload)
  } catch {
    return { fault: 'the statement is not UTF-8' }
  }
  const read = parseCanonicalJson(text)
  if ('fault' in read) return { fault: `the statement ${read.fault}` }
  return readStatement(read.value)
}

/** Reads a parsed value as a statement. */
export function readStatement(value: unknown): Statement | Faulty {
  return isStatement(value)
    ? value
    : { fault: whyNoStatement(value) ?? 'the statement is not a statement' }
}

const isStatement = (value: unknown): value is Statement => whyNoStatement(value) === undefined

function whyNoStatement(value: unknown): string | undefined {
  if (!isObject(value)) return 'the statement is not an object'
  const { _type, subject, predicateType, predicate } = value
  if (_type !== STATEMENT_TYPE) return `the statement is not of type ${STATEMENT_TYPE}`
  if (Object.keys(value).length !== 4) return 'the statement has other keys than in-toto names'
  if (!Array.isArray(subject) || subject.length === 0) return 'the statement has no subject'
  if (!subject.every(isSubject))
    return 'a subject of the statement is not a name with one SHA-256 digest in lower-case hex'
  if (typeof predicateType !== 'string' || predicateType === '')
    return 'the statement does not state its predicate type'
  return isObject(predicate) ? undefined : 'the predicate of the statement is not an object'
}

function isSubject(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length !== 2) return false
  const { name, digest } = value
  if (typeof name !== 'string' || name === '') return false
  if (!isObject(digest) || Object.keys(digest).length !== 1) return false
  return typeof digest.sha256 === 'string' && SHA256.test(digest.sha256)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
