import { findHiddenText, maskSecrets } from '../../document/index.ts'

/** A text as an agent may be given it. */
interface Plain {
  readonly text: string
  /** Whether something at its end was left out. */
  readonly isCut: boolean
}

/** How much is looked at beyond what is given: a secret that begins in what is given is seen whole. */
const BEYOND = 65_536

/**
 * A text without what a person would not see and without secrets, in at most so many bytes of UTF-8.
 *
 * `secrets` are values that are known to be some, whatever they look like.
 */
export function plainText(text: string, bytes: number, secrets: readonly string[] = []): Plain {
  const visible = visibleStart(text, bytes + BEYOND)
  let known = visible.text
  for (const secret of secrets) known = known.replaceAll(secret, '…')
  const masked = maskSecrets(known)
  const short = cutAt(masked, bytes)
  return { text: short, isCut: visible.isCut || short.length < masked.length }
}

/** Hidden characters can be many, and each that is found costs memory: no more of the text is read than is needed. */
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
/** Lines end in one way, or a terminal would write over what stands there. */
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
  // No character of UTF-16 takes more than three bytes.
  if (text.length * 3 <= bytes) return text
  const whole = Buffer.from(text)
  if (whole.length <= bytes) return text
  let end = bytes
  while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return whole.toString('utf8', 0, end)
}
