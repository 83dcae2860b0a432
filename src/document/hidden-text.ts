import type { Span } from './document.ts'

/** A character that machines read and people do not see. */
export interface HiddenText {
  /** Its kind: `bidirectional control`. */
  readonly kind: string
  readonly codePoint: number
  readonly span: Span
}

const KINDS: readonly (readonly [kind: string, from: number, to: number])[] = [
  ['control character', 0x00, 0x08],
  ['control character', 0x0b, 0x0c],
  ['control character', 0x0e, 0x1f],
  ['control character', 0x7f, 0x9f],
  ['soft hyphen', 0xad, 0xad],
  ['zero-width character', 0x34f, 0x34f],
  ['bidirectional mark', 0x61c, 0x61c],
  ['invisible filler', 0x115f, 0x1160],
  ['invisible filler', 0x17b4, 0x17b5],
  ['variation selector', 0x180b, 0x180d],
  ['zero-width character', 0x180e, 0x180e],
  ['variation selector', 0x180f, 0x180f],
  ['zero-width character', 0x200b, 0x200d],
  ['bidirectional mark', 0x200e, 0x200f],
  ['bidirectional control', 0x202a, 0x202e],
  ['zero-width character', 0x2060, 0x2060],
  ['invisible operator', 0x2061, 0x2064],
  ['bidirectional control', 0x2066, 0x2069],
  ['invisible format character', 0x206a, 0x206f],
  ['invisible filler', 0x3164, 0x3164],
  ['variation selector', 0xfe00, 0xfe0f],
  ['zero-width character', 0xfeff, 0xfeff],
  ['invisible filler', 0xffa0, 0xffa0],
  ['invisible format character', 0xfff0, 0xfffb],
  ['invisible format character', 0x1bca0, 0x1bca3],
  ['invisible format character', 0x1d173, 0x1d17a],
  ['tag character', 0xe0000, 0xe007f],
  ['variation selector', 0xe0100, 0xe01ef],
]

const ANY_HIDDEN = `[${KINDS.map(([, from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('')}]`

const scripts = (names: string) =>
  `[${names
    .split(' ')
    .map(name => `\\p{Script_Extensions=${name}}`)
    .join('')}]`

const JOINING =
  'Arab Syrc Mong Nkoo Adlm Mand Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
const LETTER = '[\\p{L}\\p{M}]'
/** A letter or mark of one of the scripts, as lookbehind or lookahead. */
const after = (names: string) => `(?<=(?=${LETTER})${scripts(names)})`
const before = (names: string) => `(?=(?=${LETTER})${scripts(names)})`

const UNSPACED = 'Thai Laoo Khmr Mymr'
const PICTURE = '\\p{Extended_Pictographic}'

/** Legitimate uses of invisible characters; each part looks at a bounded number of neighbours. */
const allowedPattern = () =>
  new RegExp(
    [
      '^\\u{feff}',
      // Region flags: bounded, or a black flag could hide any sentence after it.
      '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}',
      `(?<=${PICTURE}[\\u{fe0f}\\u{1f3fb}-\\u{1f3ff}]?)\\u{200d}(?=${PICTURE})`,
      `${after(JOINING)}[\\u{200c}\\u{200d}]${before(JOINING)}`,
      `${after(UNSPACED)}\\u{200b}${before(UNSPACED)}`,
      // A selector after a visible sign chooses its form; ASCII letters have only one.
      `(?<=[^\\sA-Za-z])(?<!${ANY_HIDDEN})[\\u{fe00}-\\u{fe0f}]`,
      '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
      '(?<=\\p{Script=Mongolian})[\\u{180b}-\\u{180d}\\u{180f}]',
    ].join('|'),
    'uy',
  )

/** By UTF-16 unit, so it overmatches beyond U+FFFF; without the `u` flag, clean texts are fastest. */
const SUSPECT = new RegExp(
  `[${KINDS.filter(([, , to]) => to <= 0xffff)
    .map(([, from, to]) => `${unit(from)}-${unit(to)}`)
    .join('')}\\ud82f\\ud834\\udb40]`,
  'g',
)

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

const RIGHT_TO_LEFT_LETTER = /[\u05d0-\u05ea\u0620-\u08c9\ufb1d-\ufdfc\ufe70-\ufefc]/

/**
 * Finds characters that a reader does not see: tags, text direction controls, zero-width and control characters.
 *
 * Leaves emoji sequences, joiners in scripts that need them, and direction marks in right-to-left documents alone.
 */
export function findHiddenText(text: string): HiddenText[] {
  const found: HiddenText[] = []
  for (let start = nextSuspect(text, 0); start >= 0; start = nextSuspect(text, start)) {
    allowed ??= allowedPattern()
    allowed.lastIndex = start
    if (allowed.test(text)) {
      start = allowed.lastIndex
      continue
    }
    const codePoint = text.codePointAt(start) ?? 0
    const end = start + (codePoint > 0xffff ? 2 : 1)
    const kind = kindOf(codePoint)
    if (kind !== undefined) found.push({ kind, codePoint, span: { start, end } })
    start = end
  }
  return found.some(({ kind }) => kind === MARK) && RIGHT_TO_LEFT_LETTER.test(text)
    ? found.filter(({ kind }) => kind !== MARK)
    : found
}

/** Compiled on first use: takes milliseconds, and few texts need it. */
let allowed: RegExp | undefined

function nextSuspect(text: string, from: number): number {
  SUSPECT.lastIndex = from
  return SUSPECT.exec(text)?.index ?? -1
}

const MARK = 'bidirectional mark'

function kindOf(codePoint: number): string | undefined {
  return KINDS.find(([, from, to]) => codePoint >= from && codePoint <= to)?.[0]
}
