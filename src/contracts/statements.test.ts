import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { endingNote, statementFrom } from './statements.ts'

test('an id, a scope and an origin are read from a statement and are not part of its text', () => {
  expect(
    statementFrom(
      'rule',
      'R-3: Never force-push to release/. `scope: git push*`\n(in force since `2026-02-11T14-30-00Z-s1.md`)',
    ),
  ).toMatchObject({
    id: 'R-3',
    numbered: true,
    text: 'Never force-push to release/.',
    scope: 'git push*',
    origin: '2026-02-11T14-30-00Z-s1.md',
    source: 'R-3: Never force-push to release/. `scope: git push*`',
  })
})

test.each([
  ['**D-012:** Use SQLite.', 'D-012', 'Use SQLite.'],
  ['**D-012**: Use SQLite.', 'D-012', 'Use SQLite.'],
])('an id may be emphasised: %s', (markdown, id, text) => {
  expect(statementFrom('decision', markdown)).toMatchObject({ id, text, numbered: true })
})

test('a statement without an id has one made from its words, whatever their white space and case', () => {
  const [a, b, other] = ['Use  SQLite.', 'use SQLite', 'Use Postgres.'].map(text =>
    statementFrom('decision', text),
  )
  expect(a).toMatchObject({ id: expect.stringMatching(/^D-[a-z]{6}$/), numbered: false })
  expect(b?.id).toBe(a?.id)
  expect(other?.id).not.toBe(a?.id)
})

test('a statement names what it ends, and who ends it', () => {
  const { ends } = statementFrom(
    'decision',
    'D-014: Use Postgres (supersedes D-2, D-003) (supersedes R-1, by Ada: the branch is gone)',
  )
  expect(ends).toEqual([
    { id: 'D-002' },
    { id: 'D-003' },
    { id: 'R-001', by: 'Ada', why: 'the branch is gone' },
  ])
})

test('a note of an ending is read back as written, without what would close it', () => {
  const ending = { id: 'R-001', by: 'Ada (admin)', why: 'gone :-)' }
  expect(statementFrom('decision', endingNote(ending)).ends).toEqual([
    { id: 'R-001', by: 'Ada admin', why: 'gone :-' },
  ])
})

test.each([
  ['a name without letters', '(supersedes R-001, by  )', [{ id: 'R-001' }]],
  ['a comment', '<!-- (supersedes R-001, by Ada) -->', []],
  ['a code span', 'Write `(supersedes R-001, by Ada)`', []],
  ['a fence', '```\n(supersedes R-001, by Ada)\n```', []],
  [
    'line ends, code and parentheses in the reason',
    '(supersedes\nR-001, by\nAda: `x`\nbroke (twice))',
    [{ id: 'R-001', by: 'Ada', why: '`x` broke (twice)' }],
  ],
])('an ending is what a reader sees: %s', (_, text, ends) => {
  expect(statementFrom('decision', text).ends).toEqual(ends)
})

test('the id of another kind is text', () => {
  expect(statementFrom('fact', 'R-002: 10 ohm')).toMatchObject({ numbered: false })
})

test.each([
  ['spaces', `a${' '.repeat(200_000)}b`],
  ['blank lines', `a${'\n'.repeat(200_000)}b`],
  ['origins', '(in force since `x`: '.repeat(10_000)],
  ['scopes', '`scope: '.repeat(25_000)],
  ['endings', '(supersedes R-001, by '.repeat(10_000)],
])('a long text is read at once: %s', async (_, text) => {
  expect(await cpuTimeOf(() => statementFrom('rule', text))).toBeLessThan(1000)
})
