/** The kinds of statements whose survival is measured. */
export type ScoredKind = (typeof SCORED_KINDS)[number]

/** All of them, in the order of reports. */
export const SCORED_KINDS = ['rule', 'decision', 'fact', 'loop', 'step'] as const

/** A statement that a text is measured against. */
export interface ScoredStatement {
  readonly id: string
  readonly kind: ScoredKind
  readonly text: string
  /** The round that states it. */
  readonly round: number
  /** The id of the statement that it replaces. */
  readonly supersedes?: string
  /** The round that finishes it. */
  readonly done?: number
  /** The words that show it once it is stale; by default all of its text. */
  readonly value?: string
}

/** What holds after a round, and what no longer does. */
export interface Standing {
  readonly inForce: readonly ScoredStatement[]
  readonly stale: readonly ScoredStatement[]
}

/** What a text kept of what holds. */
export interface Score {
  readonly kinds: readonly {
    readonly kind: ScoredKind
    readonly inForce: number
    readonly survived: number
  }[]
  readonly missing: readonly ScoredStatement[]
  /** Stale statements that the text shows as if they held, with the one-based line. */
  readonly stale: readonly { readonly statement: ScoredStatement; readonly line: number }[]
}

/** Splits the statements of the first rounds into those that hold and those that were superseded or finished. */
export function standingAt(statements: readonly ScoredStatement[], round: number): Standing {
  const stated = statements.filter(statement => statement.round <= round)
  const superseded = new Set(stated.map(({ supersedes }) => supersedes))
  const isStale = ({ id, done = Number.POSITIVE_INFINITY }: ScoredStatement) =>
    superseded.has(id) || done <= round
  return {
    inForce: stated.filter(statement => !isStale(statement)),
    stale: stated.filter(isStale),
  }
}

/**
 * Counts which statements a text has in their own words, and which stale ones it shows as current.
 *
 * White space, Markdown marks and the quote marks of a brief do not matter. A stale statement is excused where its
 * item, paragraph or heading says that it ended.
 */
export function scoreText(text: string, { inForce, stale }: Standing): Score {
  const blocks = blocksOf(text).map(block => ({ ...block, words: plain(block.text) }))
  const all = blocks.map(({ words }) => words).join(' ')
  const own = [...inForce, ...stale].map(s => plain(s.text)).filter(said => ENDED.test(said))
  const current = blocks.filter(block => !isEnded(block, own))
  // One line per block, so that nothing is found across two of them.
  const now = current.map(({ words }) => words).join('\n')
  const blockAt = (offset: number) => current[now.slice(0, offset).split('\n').length - 1]
  const missing = inForce.filter(statement => placeOf(plain(statement.text), all) < 0)
  return {
    kinds: SCORED_KINDS.map(kind => {
      const count = (some: readonly ScoredStatement[]) => some.filter(s => s.kind === kind).length
      return { kind, inForce: count(inForce), survived: count(inForce) - count(missing) }
    }),
    missing,
    stale: stale.flatMap(statement => {
      const at = placeOf(plain(statement.value ?? statement.text), now)
      return at < 0 ? [] : [{ statement, line: blockAt(at)?.line ?? 1 }]
    }),
  }
}

/** An item, a paragraph or a row of a table. */
interface Block {
  readonly text: string
  /** The heading or the line with a colon above it. */
  readonly heading: string
  /** One-based. */
  readonly line: number
}

const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/
/** The marks of a brief, and of a quotation in Markdown. */
const QUOTE = /^(?:[ \t]*[|?>](?:[ \t]|$)){1,9}/
const ITEM = /^[ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+/
const TITLE = /^[ \t]*#{1,6}[ \t]/
/** Bold alone on a line, or a line that ends with a colon. */
const LEAD = /^(?:\*\*[^*]+\*\*|.*:)$/
const ROW = /\|[ \t]*$/

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let [heading, isOpen] = ['', false]
  for (const [i, row] of text.split(LINE_END).entries()) {
    const line = row.replace(QUOTE, '')
    const isItem = ITEM.test(line)
    const last = blocks.at(-1)
    if (line.trim() === '') isOpen = false
    else if (isOpen && last && !isItem && !TITLE.test(line) && !ROW.test(line))
      blocks[blocks.length - 1] = { ...last, text: `${last.text}\n${line}` }
    else {
      const isHeading = TITLE.test(line) || (!isItem && LEAD.test(line.trim()))
      if (isHeading) heading = line
      blocks.push({ text: line.replace(ITEM, ''), heading, line: i + 1 })
      isOpen = !isHeading
    }
  }
  return blocks
}

const ENDED =
  /~~|^\[x\]|\b(?:superseded|obsolete|outdated|withdrawn|replaced|no longer|finished|done)\b/i

/** Whether a block says that what it states has ended; the words of the statements themselves say nothing. */
function isEnded(
  { text, heading, words }: Block & { readonly words: string },
  own: readonly string[],
): boolean {
  if (ENDED.test(heading) || /~~|^\[x\]/i.test(text)) return true
  if (!ENDED.test(words)) return false
  return ENDED.test(own.reduce((rest, statement) => rest.replaceAll(statement, ' '), words))
}

/** Text as compared. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[*_`~\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.]$/, '')
}

const WORD = /[\p{L}\p{N}]/u

/** The offset at which a text has the words, and not only as a part of longer ones; -1 if nowhere. */
function placeOf(words: string, text: string): number {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const end = at + words.length
    if (!WORD.test(text[at - 1] ?? '') && !WORD.test(text[end] ?? '')) return at
  }
  return -1
}
