import { type Fields, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import type { CarryAnswer, CarryOutcome } from '../../session/index.ts'

const OUTCOMES: readonly CarryOutcome[] = ['kept', 'done', 'superseded']
const ANSWER = /^([0-9]{1,6})=([a-z]+):([\s\S]*)$/

/** Reads answers as they are given on a command line: `2=done:the tests are merged`. */
export function answersIn(given: readonly string[]): CarryAnswer[] {
  return given.map(text => {
    const [, item, outcome = '', why = ''] = ANSWER.exec(text) ?? []
    if (item === undefined || !isOutcome(outcome) || why.trim() === '')
      throw malformed(quote(text), 'write it like 2=done:the tests are merged')
    return { item: Number(item), outcome, why: why.trim() }
  })
}

/** Reads answers as they stand in JSON: `[{ item, outcome, why }]`. */
export function answersFrom(given: unknown): CarryAnswer[] {
  if (!Array.isArray(given)) throw malformed('carried', 'give a list of { item, outcome, why }')
  return given.map((entry: unknown) => {
    const { item, outcome, why } = (entry ?? {}) as Fields
    const isNamed = typeof item === 'string' || (typeof item === 'number' && Number.isInteger(item))
    if (!isNamed || typeof outcome !== 'string' || !isOutcome(outcome) || !isSaid(why)) {
      throw malformed(
        quote(entry),
        'give { "item": 2, "outcome": "done", "why": "the tests are merged" }',
      )
    }
    return { item, outcome, why: why.trim() }
  })
}

/** Reads what somebody answers at a terminal: `d the tests are merged`; nothing keeps the item. */
export function answerFrom(item: number, said: string): CarryAnswer | undefined {
  const [, letter = '', why = ''] = /^([kds])[a-z]*(?:[\s:]+(.*))?$/i.exec(said.trim()) ?? []
  const outcome = OUTCOMES.find(o => letter !== '' && o.startsWith(letter.toLowerCase()))
  return outcome && why.trim() !== '' ? { item, outcome, why: why.trim() } : undefined
}

function isOutcome(word: string): word is CarryOutcome {
  return OUTCOMES.some(outcome => outcome === word)
}

function isSaid(why: unknown): why is string {
  return typeof why === 'string' && why.trim() !== ''
}

function malformed(what: string, hint: string): WaybillError {
  return new WaybillError('usage', `${what} does not say what became of an item, and why`, {
    hint: `${hint}; outcomes are kept, done and superseded`,
  })
}
