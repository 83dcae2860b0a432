import { describe, expect, test } from 'vitest'
import type { OpenItem } from '../../contracts/index.ts'
import { type CarryAnswer, carryOver, entryOf, plainText } from './carry.ts'

const item = (text: string, done = false): OpenItem => ({ section: 'Loops', text, done })
const carry = (own: readonly OpenItem[], ...answers: readonly CarryAnswer[]) =>
  carryOver([item('a'), item('ticked', true), item('b\n  c')], own, answers)

describe('of what a session left open', () => {
  test('an item that is not mentioned stays open, and one that was ticked is done', () => {
    expect(carry([])).toEqual([
      {
        number: 1,
        section: 'Loops',
        text: 'a',
        outcome: 'kept',
        why: 'not mentioned',
        said: 'unsaid',
      },
      {
        number: 2,
        section: 'Loops',
        text: 'b\n  c',
        outcome: 'kept',
        why: 'not mentioned',
        said: 'unsaid',
      },
    ])
  })

  test('an item is answered by its number or its words', () => {
    const carried = carry(
      [],
      { item: 1, outcome: 'done', why: 'merged' },
      { item: 'b c', outcome: 'superseded', why: 'by d' },
    )
    expect(carried.map(c => [c.outcome, c.why, c.said])).toEqual([
      ['done', 'merged', 'answered'],
      ['superseded', 'by d', 'answered'],
    ])
  })

  test('an item needs no answer that the new document holds itself', () => {
    const note = '(carried over from `x.md`: because)'
    const carried = carry([item(`a\n${note}`), item('b c', true)])
    expect(carried.map(c => [c.outcome, c.said])).toEqual([
      ['kept', 'restated'],
      ['done', 'restated'],
    ])
  })

  test.each<[OpenItem[], CarryAnswer['outcome']]>([
    [[item('a', true)], 'kept'],
    [[item('a')], 'done'],
    [[item('a')], 'superseded'],
    [[item('a'), item('a', true)], 'done'],
  ])('an answer that the new document contradicts is an error: %j, %s', (own, outcome) => {
    expect(() => carry(own, { item: 1, outcome, why: 'x' })).toThrow(
      expect.objectContaining({ code: 'usage' }),
    )
  })

  test('an item that the new document ticks off without a word gets the word of the answer', () => {
    const [first] = carry([item('a', true)], { item: 1, outcome: 'superseded', why: 'by d' })
    expect(first).toMatchObject({ outcome: 'superseded', why: 'by d', said: 'answered' })
  })

  test.each<[string, CarryAnswer[]]>([
    ['an item that there is not', [{ item: 3, outcome: 'done', why: 'x' }]],
    ['item 0', [{ item: 0, outcome: 'done', why: 'x' }]],
    ['half an item', [{ item: 1.5, outcome: 'done', why: 'x' }]],
    ['words that stand nowhere', [{ item: 'z', outcome: 'done', why: 'x' }]],
    [
      'an item for the second time',
      [
        { item: 1, outcome: 'done', why: 'x' },
        { item: 'a', outcome: 'kept', why: 'x' },
      ],
    ],
  ])('an answer to %s is an error', (_, answers) => {
    expect(() => carry([], ...answers)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

test.each([
  ['kept', 'a', '- a\n  (carried over from `p.md`: why)'],
  ['done', 'a\nb', '- [x] a\n  b\n  (done since `p.md`: why)'],
  ['superseded', 'a\n\n- b', '- [x] a\n\n  - b\n  (superseded since `p.md`: why)'],
] as const)('an item that is %s becomes an entry', (outcome, text, entry) => {
  const carried = {
    number: 1,
    section: 'Loops',
    text,
    outcome,
    why: ' why\n',
    said: 'answered',
  } as const
  expect(entryOf(carried, 'p.md')).toBe(entry)
})

test('a note is replaced and never piles up', () => {
  const [first] = carryOver([item('a')], [], [])
  if (!first) throw new Error('lost')
  const written = entryOf(first, 'p1.md').slice(2).replaceAll('\n  ', '\n')
  const [second] = carryOver([item(written)], [], [])
  expect(second?.text).toBe('a')
  expect(plainText(written)).toBe('a')
})
