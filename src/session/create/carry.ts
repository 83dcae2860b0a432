import { quote } from '../../contract/index.ts'
import type { OpenItem } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'

/** The outcome of an open item of the previous handoff. */
export type CarryOutcome = 'kept' | 'done' | 'superseded'

/** The answer about one item, named by its number or text: the outcome and the reason. */
export interface CarryAnswer {
  readonly item: number | string
  readonly outcome: CarryOutcome
  readonly why: string
}

/** An item of the previous document, numbered from 1, with its outcome. */
export interface CarriedItem {
  readonly number: number
  readonly section: string
  readonly text: string
  /** The file name of the first document that has it, if the predecessor carried it over itself. */
  readonly origin?: string
  readonly outcome: CarryOutcome
  readonly why: string
  /** Where the outcome comes from: an answer, the new document, or neither. */
  readonly said: 'answered' | 'restated' | 'unsaid'
}

const UNSAID = 'not mentioned'
const RESTATED = 'stated in the new document'
const OPEN_BOXES = /^([ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+)\[ \]/gm
const NOTE =
  /^\((?:carried over from|done since|superseded since) `([^`\n]{0,300})`(?:: [^\n]*)?\)$/

/**
 * Decides the outcome of every open item of the previous document; items without an answer stay open.
 *
 * `own` are the items of the new document; an item repeated there needs no answer.
 *
 * @throws {WaybillError} 'usage' when an answer names an unknown item, repeats an answer, or contradicts the new
 * document.
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
        hint: 'give one outcome per item',
      })
    }
    answered.set(index, answer)
  }
  // If the new document repeats an item, the open one counts.
  const byState = own.toSorted((a, b) => Number(b.done) - Number(a.done))
  const restated = new Map(byState.map(item => [plainText(item.text), item]))
  return open.map(({ section, text }, i) => {
    const became = outcomeOf(i + 1, answered.get(i), restated.get(plainText(text)))
    // An open box below a ticked item would be carried over again.
    const closed = became.outcome === 'kept' ? text : text.replace(OPEN_BOXES, '$1[x]')
    const origin = originIn(text)
    return {
      ...{ number: i + 1, section, text: withoutNote(closed), ...became },
      ...(origin !== undefined && { origin }),
    }
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
  // Choosing one of the two would silently drop the other.
  if (again && again.done === (outcome === 'kept')) {
    const state = again.done ? 'ticks it off' : 'still has it open'
    throw new WaybillError(
      'usage',
      `item ${number} is answered with ${outcome}, but the new document ${state}`,
      { hint: 'make both agree' },
    )
  }
  // A ticked item in the document has no reason yet.
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
    `there is no item ${typeof item === 'number' ? item : quote(item)} to carry over`,
    {
      hint:
        open.length > 0
          ? `items are numbered from 1 to ${open.length}; --dry-run lists them`
          : 'the previous document has no open items',
    },
  )
}

/** The text of an item on one line, without the note of an earlier handoff. */
export function plainText(text: string): string {
  return withoutNote(text).replace(/\s+/g, ' ').trim()
}

function originIn(text: string): string | undefined {
  return text.includes('\n') ? NOTE.exec(text.slice(text.lastIndexOf('\n')).trim())?.[1] : undefined
}

function withoutNote(text: string): string {
  const lines = text.split('\n')
  return lines.length > 1 && NOTE.test(lines.at(-1)?.trim() ?? '')
    ? lines.slice(0, -1).join('\n').trimEnd()
    : text
}

/** An item as a list entry, with a note of its outcome since the named document. */
export function entryOf(item: CarriedItem, predecessor: string, marker = '-'): string {
  const { text, outcome, why } = item
  const word = outcome === 'kept' ? 'carried over from' : `${outcome} since`
  const from = outcome === 'kept' ? (item.origin ?? predecessor) : predecessor
  const name = from.replaceAll('`', "'")
  const reason = why.replace(/\s+/g, ' ').trim()
  const note = `(${word} \`${name}\`${reason ? `: ${reason}` : ''})`
  const indent = ' '.repeat(marker.length + 1)
  const lines = `${text}\n${note}`.split('\n').map(line => (line === '' ? '' : indent + line))
  return `${marker} ${outcome === 'kept' ? '' : '[x] '}${lines.join('\n').trimStart()}`
}
