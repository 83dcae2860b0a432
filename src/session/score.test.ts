import { expect, test } from 'vitest'
import { type ScoredStatement, scoreText, standingAt } from './score.ts'

const OLD: ScoredStatement = {
  ...{ id: 'D-001', kind: 'decision', round: 1, text: 'Parcels are stored in SQLite.' },
  value: 'in SQLite',
}
const NEW: ScoredStatement = {
  ...{ id: 'D-002', kind: 'decision', round: 3, text: 'Parcels are stored in Postgres.' },
  supersedes: 'D-001',
}
const RULE: ScoredStatement = {
  ...{ id: 'R-001', kind: 'rule', round: 1, text: 'Never delete a `parcel_event`.' },
}
const STEP: ScoredStatement = {
  ...{ id: 'N-001', kind: 'step', round: 1, done: 2, text: 'Write the importer.' },
}
const ALL = [OLD, NEW, RULE, STEP]
const ids = (some: readonly ScoredStatement[]) => some.map(({ id }) => id)

test.each([
  [1, ['D-001', 'R-001', 'N-001'], []],
  [2, ['D-001', 'R-001'], ['N-001']],
  [3, ['D-002', 'R-001'], ['D-001', 'N-001']],
])('after round %i, what was superseded or finished no longer holds', (round, holding, ended) => {
  const { inForce, stale } = standingAt(ALL, round)
  expect([ids(inForce), ids(stale)]).toEqual([holding, ended])
})

test.each([
  ['as it was written', 'Never delete a `parcel_event`.'],
  ['in a list, bold and wrapped', '* **Never delete\n  a parcel_event**'],
  ['in a brief', 'Rules in force:\n? - R-001: Never delete a\n?   `parcel_event`. `scope: src/*`'],
  ['in a table', '| R-001 | Never delete a parcel\\_event. | Ada |'],
  ['within prose', 'We said: never mind. Never delete a parcel_event, of course.'],
])('a statement survives %s', (_, text) => {
  expect(scoreText(text, { inForce: [RULE], stale: [] }).missing).toEqual([])
})

test.each([
  ['in other words', 'Do not delete parcel events.'],
  ['as a part of longer words', 'Never delete a parcel_eventually.'],
  ['cut off', 'Never delete a parcel'],
])('a statement does not survive %s', (_, text) => {
  expect(ids(scoreText(text, { inForce: [RULE], stale: [] }).missing)).toEqual(['R-001'])
})

test.each([
  ['alone', '- Parcels are stored in SQLite.', 1],
  ['by its value, in other words', 'x\n\nWe keep all of it in SQLite for now.', 3],
  ['next to one that is struck out', '- ~~stored in SQLite~~\n- still in SQLite', 2],
  ['after a heading about something else', '# Superseded\n\nx\n\n# Now\n\nstored in SQLite', 7],
])('a stale statement is shown as current %s', (_, text, line) => {
  const { stale } = scoreText(text, { inForce: [], stale: [OLD] })
  expect(stale).toEqual([{ statement: OLD, line }])
})

test.each([
  ['struck out', '- ~~Parcels are stored in SQLite.~~'],
  ['ticked', '- [x] Parcels are stored in SQLite.'],
  ['called superseded', '| - D-001: Parcels are stored in SQLite.\n|   (superseded by D-002)'],
  ['under a heading that says so', '## Superseded\n\n- Parcels are stored in SQLite.'],
  ['under a line that says so', 'No longer in force:\n- Parcels are stored in SQLite.'],
  ['replaced in its sentence', 'Postgres replaced what was in SQLite.'],
])('a stale statement is excused where it is %s', (_, text) => {
  expect(scoreText(text, { inForce: [], stale: [OLD] }).stale).toEqual([])
})

test('words of a statement itself do not excuse it', () => {
  const closed: ScoredStatement = { ...OLD, text: 'The outdated format is read.', value: 'format' }
  const { stale } = scoreText('- The outdated format is read.', { inForce: [], stale: [closed] })
  expect(stale).toHaveLength(1)
})

test.each(['| ', '|', ' ', '*', 'a:', '\n', '- [x] in SQLite\n'])(
  'a million of %j are read in time that grows with them',
  unit => {
    const text = unit.repeat(1_000_000 / unit.length)
    expect(scoreText(text, { inForce: [RULE], stale: [OLD] }).missing).toHaveLength(1)
  },
)
