import { quote } from '../../contract/index.ts'
import type { OpenItem } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'

/** What became of something that the session before left to do. */
export type CarryOutcome = 'kept' | 'done' | 'superseded'

/** What somebody says of an item: which one, by its number or its words, what became of it, and why. */
export interface CarryAnswer {
  readonly item: number | string
  readonly outcome: CarryOutcome
  readonly why: string
}

/** An item of the document before, numbered from 1, with what became of it. */
export interface CarriedItem {
  readonly number: number
  readonly section: string
  readonly text: string
  readonly outcome: CarryOutcome
  readonly why: string
  /** Whether somebody said so, the new document says it itself, or nobody said anything. */
  readonly said: 'answered' | 'restated' | 'unsaid'
}

const UNSAID = 'nothing was said of it'
const RESTATED = 'the new document says so itself'
const NOTE = /^\((?:carried over from|done since|superseded since) `[^`\n]{0,300}`(?:: [^\n]*)?\)$/

/**
 * What becomes of everything that the document before left to do; an item that nobody speaks of is kept.
 *
 * `own` are the items of the new document: one that stands there in the same words needs no answer.
 *
 * @throws WaybillError for an answer to an item that there is not, a second answer to one, or an answer that the new
 * document contradicts.
 */
export function carryOver(
  items: readonly OpenItem[],
  own: readonly OpenItem[],
  answers: readonly CarryAnswer[],
): CarriedItem[] {
  const open = items.filter(item => !item.done)
  const answered = new Map<number, CarryAnswer>()
  for (const answer of answers) {
    const index = indexOf(answer.item, open)
    if (answered.has(index)) {
      throw new WaybillError('usage', `item ${index + 1} is answered twice`, {
        hint: 'say once what became of it',
      })
    }
    answered.set(index, answer)
  }
  // Where the new document holds an item twice, the one that is open counts.
  const byState = own.toSorted((a, b) => Number(b.done) - Number(a.done))
  const restated = new Map(byState.map(item => [plainText(item.text), item]))
  return open.map(({ section, text }, i) => {
    const item = { number: i + 1, section, text: withoutNote(text) }
    return { ...item, ...outcomeOf(i + 1, answered.get(i), restated.get(plainText(text))) }
  })
}

function outcomeOf(
  number: number,
  answer: CarryAnswer | undefined,
  again: OpenItem | undefined,
): Pick<CarriedItem, 'outcome' | 'why' | 'said'> {
  if (!answer && !again) return { outcome: 'kept', why: UNSAID, said: 'unsaid' }
  if (!answer) return { outcome: again?.done ? 'done' : 'kept', why: RESTATED, said: 'restated' }
  const { outcome, why } = answer
  // One of the two would be followed, and the other lost.
  if (again && again.done === (outcome === 'kept')) {
    const state = again.done ? 'ticks it off' : 'still has it open'
    throw new WaybillError(
      'usage',
      `item ${number} is answered with ${outcome}, but the new document ${state}`,
      { hint: 'let both say the same' },
    )
  }
  // What is ticked off in the document still lacks the word why.
  return { outcome, why, said: again && !again.done ? 'restated' : 'answered' }
}

function indexOf(item: number | string, open: readonly OpenItem[]): number {
  const index =
    typeof item === 'number'
      ? item - 1
      : open.findIndex(({ text }) => plainText(text) === plainText(item))
  if (Number.isInteger(index) && index >= 0 && index < open.length) return index
  throw new WaybillError(
    'usage',
    `there is no item ${typeof item === 'number' ? item : quote(item)} to be carried over`,
    {
      hint:
        open.length > 0
          ? `items are numbered from 1 to ${open.length}; --dry-run lists them`
          : 'the document before left nothing open',
    },
  )
}

/** The words of an item, without the note of an earlier handoff and however they are broken into lines. */
export function plainText(text: string): string {
  return withoutNote(text).replace(/\s+/g, ' ').trim()
}

function withoutNote(text: string): string {
  const lines = text.split('\n')
  return lines.length > 1 && NOTE.test(lines.at(-1)?.trim() ?? '')
    ? lines.slice(0, -1).join('\n').trimEnd()
    : text
}

/** An item as an entry of a list, with a line that says what became of it since the document of that name. */
export function entryOf(
  { text, outcome, why }: CarriedItem,
  predecessor: string,
  marker = '-',
): string {
  const word = outcome === 'kept' ? 'carried over from' : `${outcome} since`
  const name = predecessor.replaceAll('`', "'")
  const reason = why.replace(/\s+/g, ' ').trim()
  const note = `(${word} \`${name}\`${reason ? `: ${reason}` : ''})`
  const indent = ' '.repeat(marker.length + 1)
  const lines = `${text}\n${note}`.split('\n').map(line => (line === '' ? '' : indent + line))
  return `${marker} ${outcome === 'kept' ? '' : '[x] '}${lines.join('\n').trimStart()}`
}
