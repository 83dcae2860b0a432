import { WaybillError } from '../error.ts'
import { fromBase64, fromHex, toBase64, toHex } from './base64.ts'
import { concat } from './bytes.ts'
import type { Faulty } from './fault.ts'

/** One signature of a note; `id` is the key id, eight hexadecimal digits. */
export interface NoteSignature {
  readonly name: string
  readonly id: string
  readonly bytes: Uint8Array
}

/** A text with its signatures (C2SP signed-note). The text ends in a newline. */
export interface Note {
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** A key that is trusted to sign notes. */
export interface NoteVerifier {
  readonly name: string
  readonly id: string
  verify(message: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>
}

/** A key that signs notes. */
export interface NoteSigner {
  readonly name: string
  readonly id: string
  sign(message: Uint8Array): Uint8Array
}

/** A note with the keys whose signatures were verified, each formatted by `keyOf`. */
export interface OpenedNote {
  readonly note: Note
  readonly verified: readonly string[]
}

// A verifier must accept 16 signatures; Go's implementation accepts a hundred.
const MOST_SIGNATURES = 100
const LONGEST_NOTE = 1_000_000
const ID_SIZE = 4
const DASH = '\u2014 '
// An unpaired surrogate has no UTF-8; notes exclude control characters below U+0020.
const FORBIDDEN = /\p{Surrogate}|[^\P{Cc}\n\x7f-\x9f]/u
const NOT_IN_NAME = /[\p{White_Space}\p{Surrogate}\p{Cc}+]/u

/** Parses a signed note without verifying signatures. */
export function parseNote(text: string): Note | Faulty {
  if (text.length > LONGEST_NOTE)
    return { fault: `a note of ${text.length} characters is too long` }
  if (FORBIDDEN.test(text)) return { fault: 'the note has a control character or is not UTF-8' }
  const end = text.lastIndexOf('\n\n')
  if (end === -1) return { fault: 'no empty line between the text and its signatures' }
  if (!text.endsWith('\n')) return { fault: 'the last line has no newline' }
  const signatures = parseSignatures(text.slice(end + 2))
  return 'fault' in signatures ? signatures : { text: text.slice(0, end + 1), ...signatures }
}

/** Parses signature lines alone, the form of a witness's answer. */
export function parseSignatures(text: string): { signatures: readonly NoteSignature[] } | Faulty {
  if (!text.endsWith('\n')) return { fault: 'the note has no signature' }
  const lines = text.slice(0, -1).split('\n')
  if (lines.length > MOST_SIGNATURES) return { fault: `more than ${MOST_SIGNATURES} signatures` }
  const signatures: NoteSignature[] = []
  for (const [at, line] of lines.entries()) {
    const signature = parseSignature(line)
    if (!signature) return { fault: `signature line ${at + 1} is malformed` }
    signatures.push(signature)
  }
  return { signatures }
}

function parseSignature(line: string): NoteSignature | undefined {
  const [name = '', encoded = '', ...more] = line.slice(DASH.length).split(' ')
  const bytes = fromBase64(encoded)
  if (!line.startsWith(DASH) || more.length > 0 || !isKeyName(name)) return undefined
  if (!bytes || bytes.length <= ID_SIZE) return undefined
  return { name, id: toHex(bytes.subarray(0, ID_SIZE)), bytes: bytes.subarray(ID_SIZE) }
}

/** Whether a key name is valid: not empty, no white space, no plus. */
export function isKeyName(name: string): boolean {
  return name !== '' && !NOT_IN_NAME.test(name)
}

/** The unique label of a key in answers: `<name>+<id>`. */
export function keyOf({ name, id }: { readonly name: string; readonly id: string }): string {
  return `${name}+${id}`
}

/**
 * Parses a signed note and verifies the signatures of all trusted keys. Ignores other keys; fails if a trusted key's
 * signature is invalid, or if there is none.
 */
export async function openNote(
  text: string,
  verifiers: readonly NoteVerifier[],
): Promise<OpenedNote | Faulty> {
  const note = parseNote(text)
  if ('fault' in note) return note
  const message = new TextEncoder().encode(note.text)
  const verified = new Set<string>()
  for (const signature of note.signatures) {
    const key = keyOf(signature)
    const [verifier, ambiguous] = verifiers.filter(v => keyOf(v) === key)
    if (ambiguous) return { fault: `two trusted keys are named ${key}` }
    if (!verifier) continue
    if (!(await verifier.verify(message, signature.bytes)))
      return { fault: `the signature of ${key} does not verify` }
    verified.add(key)
  }
  return verified.size > 0
    ? { note, verified: [...verified] }
    : { fault: 'no trusted key has signed the note' }
}

/** Formats a note: a text that ends in a newline, and signatures. */
export function formatNote(text: string, signatures: readonly NoteSignature[]): string {
  return `${text}\n${signatures.map(formatSignature).join('')}`
}

/** Formats one signature line, including the newline. */
export function formatSignature({ name, id, bytes }: NoteSignature): string {
  const head = fromHex(id) ?? new Uint8Array(ID_SIZE)
  return `${DASH}${name} ${toBase64(concat(head, bytes))}\n`
}

/** Signs a text. A text that would not parse back as the same note is a bug in the caller. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  const message = new TextEncoder().encode(text)
  const note = formatNote(
    text,
    signers.map(s => ({ name: s.name, id: s.id, bytes: s.sign(message) })),
  )
  const read = parseNote(note)
  if ('fault' in read || read.text !== text)
    throw new WaybillError('internal', 'cannot sign a text that is not a note')
  return note
}
