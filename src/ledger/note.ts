import { WaybillError } from '../error.ts'
import { fromBase64, fromHex, toBase64, toHex } from './base64.ts'
import { concat } from './bytes.ts'
import type { Faulty } from './fault.ts'

/** One signature under a note; `id` is the key's, in eight hexadecimal digits. */
export interface NoteSignature {
  readonly name: string
  readonly id: string
  readonly bytes: Uint8Array
}

/** A text and the signatures under it (C2SP signed-note). The text ends in a newline. */
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

/** A note with the keys whose signatures were checked, each as `keyOf` writes it. */
export interface OpenedNote {
  readonly note: Note
  readonly verified: readonly string[]
}

// A verifier must accept 16 signatures; a hundred is what Go's implementation accepts.
const MOST_SIGNATURES = 100
const LONGEST_NOTE = 1_000_000
const ID_SIZE = 4
const DASH = '\u2014 '
// A lone surrogate has no UTF-8; of the control characters, those below U+0020 may not stand in a note.
const FORBIDDEN = /\p{Surrogate}|[^\P{Cc}\n\x7f-\x9f]/u
const NOT_IN_NAME = /[\p{White_Space}\p{Surrogate}\p{Cc}+]/u

/** Reads a signed note without checking any signature. */
export function parseNote(text: string): Note | Faulty {
  if (text.length > LONGEST_NOTE)
    return { fault: `a note of ${text.length} characters is too long` }
  if (FORBIDDEN.test(text)) return { fault: 'the note has a control character or is not UTF-8' }
  const end = text.lastIndexOf('\n\n')
  if (end === -1) return { fault: 'no empty line divides the text from its signatures' }
  if (!text.endsWith('\n')) return { fault: 'the last line has no newline' }
  const signatures = parseSignatures(text.slice(end + 2))
  return 'fault' in signatures ? signatures : { text: text.slice(0, end + 1), ...signatures }
}

/** Reads signature lines alone, as a witness answers with them. */
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

/** Whether a key may have this name: not empty, no white space, no plus. */
export function isKeyName(name: string): boolean {
  return name !== '' && !NOT_IN_NAME.test(name)
}

/** How a key is named in an answer: `<name>+<id>`, which no other key has. */
export function keyOf({ name, id }: { readonly name: string; readonly id: string }): string {
  return `${name}+${id}`
}

/**
 * Reads a signed note and checks every signature of the keys that are trusted. Signatures of other keys are passed
 * over; a bad one of a trusted key refuses the whole note, and so does having none.
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

/** Writes a note of our own: a text that ends in a newline, and signatures. */
export function formatNote(text: string, signatures: readonly NoteSignature[]): string {
  return `${text}\n${signatures.map(formatSignature).join('')}`
}

/** Writes one signature line, newline included. */
export function formatSignature({ name, id, bytes }: NoteSignature): string {
  const head = fromHex(id) ?? new Uint8Array(ID_SIZE)
  return `${DASH}${name} ${toBase64(concat(head, bytes))}\n`
}

/** Signs a text of our own. What could not be read back as the same note is a defect of the caller. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  const message = new TextEncoder().encode(text)
  const note = formatNote(
    text,
    signers.map(s => ({ name: s.name, id: s.id, bytes: s.sign(message) })),
  )
  const read = parseNote(note)
  if ('fault' in read || read.text !== text)
    throw new WaybillError('internal', 'a text was to be signed that is no note')
  return note
}
