import { type Fields, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import type { CarryAnswer, CarryOutcome } from '../../session/index.ts'

const OUTCOMES: readonly CarryOutcome[] = ['kept', 'done', 'superseded']
const ANSWER = /^([0-9]{1,6})=([a-z]+):([\s\S]*)$/

/** Reads answers from the command line: `2=done:the tests are merged`. */
export function answersIn(given: readonly string[]): CarryAnswer[] {
  return given.map(text => {
    const [, item, outcome = '', why = ''] = ANSWER.exec(text) ?? []
    if (item === undefined || !isOutcome(outcome) || why.trim() === '')
      throw malformed(quote(text), 'write it like 2=done:the tests are merged')
    return { item: Number(item), outcome, why: why.trim() }
  })
}

/** Reads answers from JSON: `[{ item, outcome, why }]`. */
export function answersFrom(given: unknown): CarryAnswer[] {
  if (!Array.isArray(given)) throw malformed('carried', 'pass a list of { item, outcome, why }')
  return given.map((entry: unknown) => {
    const { item, outcome, why } = (entry ?? {}) as Fields
    const isNamed = typeof item === 'string' || (typeof item === 'number' && Number.isInteger(item))
    if (!isNamed || typeof outcome !== 'string' || !isOutcome(outcome) || !isSaid(why)) {
      throw malformed(
        quote(entry),
        'pass { "item": 2, "outcome": "done", "why": "the tests are merged" }',
      )
    }
    return { item, outcome, why: why.trim() }
  })
}

/** Reads an answer typed at a terminal: `d the tests are merged`; an empty one keeps the item. */
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
  return new WaybillError('usage', `${what} has no item, outcome and reason`, {
    hint: `${hint}; outcomes are kept, done and superseded`,
  })
}
