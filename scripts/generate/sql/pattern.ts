/** The end of a pattern in our schemas: nothing may follow, not even a final line end. */
const END = '(?![\\s\\S])'
/** The highest repeat count in PostgreSQL. */
const MOST_REPEATS = 255

/**
 * Translates a pattern to a PostgreSQL advanced regular expression for UTF-8 text.
 *
 * Translates only constructs with the same meaning in both; an unsupported one fails the build.
 */
export function postgresPattern(source: string): string {
  const reader = new Reader(source)
  const translated = reader.alternatives()
  if (!reader.isAtEnd()) reader.fail('unmatched closing parenthesis')
  return translated
}

class Reader {
  private readonly source: string
  private at = 0

  constructor(source: string) {
    this.source = source
  }

  isAtEnd(): boolean {
    return this.at === this.source.length
  }

  fail(why: string): never {
    throw new Error(`the pattern ${this.source} has no translation: ${why} at ${this.at}`)
  }

  alternatives(): string {
    let translated = ''
    while (!this.isAtEnd() && !this.sees(')')) {
      translated += this.takes('|') ? '|' : this.piece()
    }
    return translated
  }

  private piece(): string {
    if (this.takes(END)) return '$'
    if (this.takes('^')) {
      if (this.at > 1) this.fail('^ is only supported at the start')
      return '^'
    }
    const isAssertion = this.sees('(?!')
    const atom = this.atom()
    const repeats = this.repeats()
    if (isAssertion && repeats !== '') this.fail('assertions cannot be repeated')
    return atom + repeats
  }

  private atom(): string {
    if (this.sees('(')) return this.group()
    if (this.takes('[')) return this.set()
    const { code, isBare } = this.character()
    const character = String.fromCharCode(code)
    if (isBare && /[$.*+?{}\]]/.test(character)) this.fail(`unescaped ${character}`)
    return escaped(code, OUTSIDE)
  }

  private group(): string {
    for (const opening of ['(?:', '(?!']) {
      if (!this.takes(opening)) continue
      const inside = this.alternatives()
      if (!this.takes(')')) this.fail('unclosed group')
      return `${opening}${inside})`
    }
    this.fail('a group that is neither (?: nor (?!')
  }

  private repeats(): string {
    const [found] = /^(?:[?*+]|\{[0-9]+(?:,[0-9]*)?\})/.exec(this.source.slice(this.at)) ?? ['']
    this.at += found.length
    if (found.match(/[0-9]+/g)?.some(count => Number(count) > MOST_REPEATS))
      this.fail(`more than ${MOST_REPEATS} repeats`)
    if (found !== '' && /[?*+{]/.test(this.source[this.at] ?? '')) this.fail('a lazy repeat')
    return found
  }

  private set(): string {
    const opening = this.takes('^') ? '[^' : '['
    let members = ''
    while (!this.takes(']')) {
      const from = this.character().code
      // A trailing hyphen is literal.
      const isRange = this.sees('-') && this.source[this.at + 1] !== ']'
      if (!isRange) members += escaped(from)
      else {
        this.at++
        members += range(from, this.character().code)
      }
    }
    if (members === '') this.fail('empty set')
    return `${opening}${members}]`
  }

  private character(): { readonly code: number; readonly isBare: boolean } {
    const rest = this.source.slice(this.at)
    const [numbered, digits = ''] = /^\\u([0-9a-fA-F]{4})/.exec(rest) ?? []
    const isBare = !rest.startsWith('\\')
    const written = numbered ?? rest.slice(0, isBare ? 1 : 2)
    const code = numbered
      ? Number.parseInt(digits, 16)
      : (written.codePointAt(isBare ? 0 : 1) ?? -1)
    if (code < 0) this.fail('unexpected end')
    if (!numbered && !isBare && /\w/.test(String.fromCharCode(code)))
      this.fail(`${written} is not known`)
    if (!numbered && code > 0x7f)
      this.fail('a letter outside of ASCII must be written by its number')
    if (code >= 0xd800 && code <= 0xdfff) this.fail('half a surrogate pair')
    this.at += written.length
    return { code, isBare }
  }

  private sees(text: string): boolean {
    return this.source.startsWith(text, this.at)
  }

  private takes(text: string): boolean {
    if (!this.sees(text)) return false
    this.at += text.length
    return true
  }
}

function range(from: number, to: number): string {
  // PostgreSQL text cannot contain U+0000.
  return `${escaped(Math.max(from, 1))}-${escaped(to)}`
}

const INSIDE = /^[A-Za-z0-9 _:/@%<>"~&;,=!]$/
/** Outside of a set a hyphen is literal too. */
const OUTSIDE = /^[A-Za-z0-9 _:/@%<>"~&;,=!-]$/

/** Keeps characters that are always literal; escapes all others. */
function escaped(code: number, bare = INSIDE): string {
  const character = String.fromCharCode(code)
  return bare.test(character) ? character : `\\u${code.toString(16).padStart(4, '0')}`
}
