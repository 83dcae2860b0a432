import type { Fault, Format } from './document.ts'

/** Size limit in bytes, since everything is held in memory. */
export const MOST_BYTES = 8 * 1024 * 1024

/** A text decoded from bytes; with faults, as much of its beginning as could be decoded. */
export interface Decoded {
  readonly text: string
  readonly faults: readonly Fault[]
}

const STRICT = new TextDecoder('utf-8', { fatal: true })

/** Decodes strict UTF-8, dropping one leading byte order mark. */
export function decode(bytes: Uint8Array): Decoded {
  if (bytes.length > MOST_BYTES) return tooLarge(bytes.subarray(0, 65_536), bytes.length)
  const wide = wideEncodingOf(bytes)
  if (wide)
    return notUtf8(
      decodeWide(bytes, wide),
      `this is ${wide.slice(0, 6).toUpperCase()}, not UTF-8`,
      0,
    )
  try {
    return { text: STRICT.decode(bytes), faults: [] }
  } catch {
    return undecodable(bytes)
  }
}

/** Checks the size of a decoded text, and drops its byte order mark. */
export function decoded(text: string): Decoded {
  // A UTF-16 unit has at most three bytes in UTF-8, so most texts need no counting.
  const size = text.length * 3 > MOST_BYTES ? new TextEncoder().encode(text).length : 0
  if (size > MOST_BYTES) return tooLarge(new TextEncoder().encode(text.slice(0, 65_536)), size)
  return { text: text.replace(/^\uFEFF/, ''), faults: [] }
}

/** The result for a text over the limit, with its beginning for recognition. */
export function tooLarge(head: Uint8Array, size: number): Decoded {
  const mebibytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024))
  return {
    text: decodeWide(head, wideEncodingOf(head)),
    faults: [
      {
        code: 'syntax/too-large',
        message: `the document has ${mebibytes(size)} MiB, more than the limit of ${mebibytes(MOST_BYTES)} MiB`,
        hint: 'move bulk data to another file and refer to it',
        span: { start: 0, end: 0 },
      },
    ],
  }
}

type Wide = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'

const WIDE: readonly (readonly [start: RegExp, encoding: Wide])[] = [
  [/^(?:ff fe|(?!00).. 00) 00 00$/, 'utf-32le'],
  [/^00 00 (?:fe ff|00 (?!00)..)$/, 'utf-32be'],
  [/^(?:ff fe|(?!00).. 00 (?!00).. 00$)/, 'utf-16le'],
  [/^(?:fe ff|00 (?!00).. 00 (?!00)..$)/, 'utf-16be'],
]

/** The UTF-16 or UTF-32 encoding of a text: by its byte order mark, or by the zero bytes among its first four. */
function wideEncodingOf(bytes: Uint8Array): Wide | undefined {
  const start = Array.from(bytes.subarray(0, 4), byte => byte.toString(16).padStart(2, '0'))
  return WIDE.find(([form]) => form.test(start.join(' ')))?.[1]
}

/** Decodes UTF-32 too, which TextDecoder does not know. */
function decodeWide(bytes: Uint8Array, encoding: Wide | undefined): string {
  if (!encoding?.startsWith('utf-32')) return new TextDecoder(encoding).decode(bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength & ~3)
  const units: string[] = []
  for (let at = 0; at < view.byteLength; at += 4) {
    const point = view.getUint32(at, encoding === 'utf-32le')
    units.push(point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD')
  }
  return units.join('').replace(/^\uFEFF/, '')
}

function undecodable(bytes: Uint8Array): Decoded {
  const text = new TextDecoder().decode(bytes)
  const start = Math.max(text.indexOf('\uFFFD'), 0)
  const isBinary = bytes.includes(0)
  const message = isBinary ? 'this is binary data, not text' : 'a byte here is not valid UTF-8'
  return notUtf8(text, message, start)
}

/** Keeps what could be decoded, so that the document is still recognised. */
function notUtf8(text: string, message: string, start: number): Decoded {
  return {
    text,
    faults: [
      {
        code: 'syntax/encoding',
        message,
        hint: 'save the file as UTF-8',
        span: { start, end: Math.min(start + 1, text.length) },
      },
    ],
  }
}

/**
 * The format of a text: by its file name, else by its beginning.
 *
 * If only some formats are possible, a text without a known extension has one of them, since a YAML comment looks like
 * a heading. Fenced blocks make it Markdown regardless, since they may hold documents of any format.
 */
export function formatOf(name: string, text: string, possible?: readonly Format[]): Format {
  const ending = /\.(json|ya?ml|md|markdown)$/i.exec(name)?.[1]?.toLowerCase()
  if (ending === 'json') return 'json'
  if (ending === 'md' || ending === 'markdown') return 'markdown'
  if (ending) return 'yaml'
  const guess = beginsLike(text)
  if (!possible || possible.includes(guess)) return guess
  if (guess === 'markdown' && /^(?:```|~~~)/m.test(text)) return guess
  return possible.includes('yaml') ? 'yaml' : (possible[0] ?? guess)
}

function beginsLike(text: string): Format {
  const head = text.slice(0, 4096).trimStart()
  if (head.startsWith('{') || head.startsWith('[')) return 'json'
  if (/^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/.test(head) || /^(#{1,6} |```)/m.test(head))
    return 'markdown'
  return 'yaml'
}

/** The fault of a text with conflict markers of Git. */
export function mergeConflict(text: string): Fault | undefined {
  if (!text.includes('<<<<<<< ')) return undefined
  const start = /^<<<<<<< /m.exec(text)?.index
  if (start === undefined || !/^>>>>>>> /m.test(text.slice(start))) return undefined
  return {
    code: 'syntax/merge-conflict',
    message: 'the file contains conflict markers of an unfinished merge',
    hint: 'choose one side between <<<<<<< and >>>>>>>, then check again',
    span: { start, end: start + 7 },
  }
}

/**
 * The keys that a text seems to have, with their plain strings: enough to recognise a document that cannot be parsed.
 */
export function sketch(text: string): Record<string, unknown> {
  const keys: Record<string, unknown> = {}
  const pattern =
    /(?:^|[{,\s])"?([A-Za-z_$][\w$]{0,63})"?[ \t]{0,8}:[ \t]{0,8}(?:"([\w./:-]{0,99})")?/g
  for (const [, key, value] of text.slice(0, 65_536).matchAll(pattern)) {
    if (key && !Object.hasOwn(keys, key)) keys[key] = value ?? null
  }
  return keys
}
