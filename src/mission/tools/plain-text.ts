import { findHiddenText, maskSecrets } from '../../document/index.ts'

/** Text that is safe to give to an agent. */
interface Plain {
  readonly text: string
  /** Whether it was shortened. */
  readonly isCut: boolean
}

/** How much is searched beyond the limit, so that a secret at the limit is found whole. */
const BEYOND = 65_536

/**
 * Removes invisible characters and secrets from a text, and shortens it to at most `bytes` of UTF-8. `secrets` are
 * known secret values.
 */
export function plainText(text: string, bytes: number, secrets: readonly string[] = []): Plain {
  const visible = visibleStart(text, bytes + BEYOND)
  let known = visible.text
  for (const secret of secrets) known = known.replaceAll(secret, '…')
  const masked = maskSecrets(known)
  const short = cutAt(masked, bytes)
  return { text: short, isCut: visible.isCut || short.length < masked.length }
}

/** Process the text in chunks, since each hidden character found costs memory. */
const STRETCH = 65_536

function visibleStart(text: string, most: number): Plain {
  let visible = ''
  let from = 0
  while (from < text.length && visible.length < most) {
    const end = wholeCharacters(text, from + STRETCH)
    visible += withoutHidden(text.slice(from, end))
    from = end
  }
  return { text: visible, isCut: from < text.length }
}

function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end
}

const HALF_CHARACTERS = /\p{Surrogate}/gu
/** Normalize line ends: a carriage return would overwrite text in a terminal. */
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g

function withoutHidden(text: string): string {
  const start = text.startsWith('\ufeff') ? 1 : 0
  let visible = ''
  let from = start
  for (const { span } of findHiddenText(text)) {
    visible += text.slice(from, Math.max(from, span.start))
    from = Math.max(from, span.end)
  }
  return (visible + text.slice(from)).replace(HALF_CHARACTERS, '\ufffd').replace(LINE_ENDS, '\n')
}

function cutAt(text: string, bytes: number): string {
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (text.length * 3 <= bytes) return text
  const whole = Buffer.from(text)
  if (whole.length <= bytes) return text
  let end = bytes
  while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return whole.toString('utf8', 0, end)
}
