import type { Fault, Format } from './document.ts'

/** Texts beyond this many bytes are refused: no handoff is this long, and everything here is held in memory. */
export const MOST_BYTES = 8 * 1024 * 1024

/** A text as read from bytes; with faults, what could be recovered of its beginning. */
export interface Decoded {
  readonly text: string
  readonly faults: readonly Fault[]
}

const STRICT = new TextDecoder('utf-8', { fatal: true })

/** Bytes to text: UTF-8, strictly; one leading byte order mark is dropped. */
export function decode(bytes: Uint8Array): Decoded {
  if (bytes.length > MOST_BYTES) return tooLarge(bytes.subarray(0, 65_536), bytes.length)
  const wide = wideEncodingOf(bytes)
  if (wide) return notUtf8(new TextDecoder(wide).decode(bytes), 'this is UTF-16, not UTF-8', 0)
  try {
    return { text: STRICT.decode(bytes), faults: [] }
  } catch {
    return undecodable(bytes)
  }
}

/** A text that was decoded elsewhere, within the same limit and without a byte order mark. */
export function decoded(text: string): Decoded {
  // No character takes more than three bytes for each of its units; most texts need not be counted.
  const size = text.length * 3 > MOST_BYTES ? new TextEncoder().encode(text).length : 0
  if (size > MOST_BYTES) return tooLarge(new TextEncoder().encode(text.slice(0, 65_536)), size)
  return { text: text.replace(/^\uFEFF/, ''), faults: [] }
}

/** What is said of a text of too many bytes, with its beginning for recognition. */
export function tooLarge(head: Uint8Array, size: number): Decoded {
  const mebibytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024))
  return {
    text: new TextDecoder(wideEncodingOf(head)).decode(head),
    faults: [
      {
        code: 'syntax/too-large',
        message: `the document has ${mebibytes(size)} MiB, more than the ${mebibytes(MOST_BYTES)} MiB that are read`,
        hint: 'move bulk data to a file of its own and refer to it',
        span: { start: 0, end: 0 },
      },
    ],
  }
}

/** How some editors save a text: marked as such, or with every other byte of its first two characters empty. */
function wideEncodingOf([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le'
  return (a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d) ? 'utf-16be' : undefined
}

function undecodable(bytes: Uint8Array): Decoded {
  const text = new TextDecoder().decode(bytes)
  const start = Math.max(text.indexOf('\uFFFD'), 0)
  const isBinary = bytes.includes(0)
  const message = isBinary ? 'this is binary data, not text' : 'a byte here is not valid UTF-8'
  return notUtf8(text, message, start)
}

/** With what could be read, so that a document is recognised as what it is all the same. */
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
 * How a text is written: by the name of its file, else by how it begins.
 *
 * Where only some formats are possible, a text without such a name has one of them: a comment of YAML looks like a
 * heading. Fenced blocks make it Markdown all the same, since documents of every format stand in those.
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

/** The fault of a text with the marks of an unfinished Git merge. */
export function mergeConflict(text: string): Fault | undefined {
  if (!text.includes('<<<<<<< ')) return undefined
  const start = /^<<<<<<< /m.exec(text)?.index
  if (start === undefined || !/^>>>>>>> /m.test(text.slice(start))) return undefined
  return {
    code: 'syntax/merge-conflict',
    message: 'the file holds an unfinished merge',
    hint: 'choose one side between <<<<<<< and >>>>>>>, then check again',
    span: { start, end: start + 7 },
  }
}

/**
 * The keys that a text seems to have, with the plain strings beside them: enough to recognise a document that
 * cannot be parsed.
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
