import { expect, test } from 'vitest'
import { statementsOf } from '../contracts/index.ts'
import { inForce, type StatedDocument } from './in-force.ts'

interface Content {
  readonly rules?: readonly string[]
  readonly decisions?: readonly string[]
  readonly facts?: readonly string[]
  readonly isElsewhere?: boolean
}

function chain(...contents: readonly Content[]): StatedDocument[] {
  const list = (entries: readonly string[] = []) => entries.map(entry => `- ${entry}`).join('\n')
  return contents.map(({ rules, decisions, facts, isElsewhere = false }, i) => ({
    path: `s${i + 1}.md`,
    timestamp: `2026-02-1${i}T00:00:00Z`,
    agent: 'ada',
    verified: false,
    isElsewhere,
    statements: statementsOf(
      `## Important Context\n\n${list(facts)}\n\n### Standing Rules\n\n${list(rules)}\n\n## Decisions Made\n\n${list(decisions)}\n`,
    ),
  }))
}

const idsOf = (...contents: readonly Content[]) =>
  inForce(chain(...contents)).items.map(({ id, since }) => `${id} ${since.path}`)

test('what a successor does not repeat stays in force', () => {
  const first = { rules: ['R-001: No force-push'], decisions: ['D-001: SQLite'], facts: ['F-1: a'] }
  expect(idsOf(first, {}, { decisions: ['D-002: HTTP/2'] })).toEqual([
    'R-001 s1.md',
    'D-001 s1.md',
    'D-002 s3.md',
    'F-001 s1.md',
  ])
})

test('what is repeated is one statement, since the first document, and takes the number it is given', () => {
  expect(idsOf({ rules: ['No force-push'] }, { rules: ['R-001: No  force-push.'] })).toEqual([
    'R-001 s1.md',
  ])
})

test('a decision ends when a later one supersedes it, and does not return by being repeated', () => {
  const result = inForce(
    chain(
      { decisions: ['D-001: SQLite'] },
      { decisions: ['D-002: Postgres (supersedes D-001: too slow)'] },
      { decisions: ['D-001: SQLite', 'D-002: Postgres (supersedes D-001: too slow)'] },
    ),
  )
  expect(result.items.map(({ id }) => id)).toEqual(['D-002'])
  expect(result.ended).toMatchObject([
    { statement: { id: 'D-001' }, why: 'too slow', at: { path: 's2.md' } },
  ])
  expect(result.conflicts).toEqual([])
})

test('a rule ends only where a person is named', () => {
  const rules = ['R-001: No force-push']
  const without = inForce(chain({ rules }, { decisions: ['It is gone (supersedes R-001)'] }))
  expect(without.items[0]?.id).toBe('R-001')
  expect(without.conflicts).toMatchObject([{ id: 'R-001', why: 'ended by no person' }])
  const named = inForce(chain({ rules }, { decisions: ['Gone (supersedes R-1, by Ada)'] }))
  expect(named.items.map(({ kind }) => kind)).toEqual(['decision'])
  expect(named.ended).toMatchObject([{ statement: { id: 'R-001' }, by: 'Ada' }])
})

test('a document cannot end what an earlier one could not know, and nothing ends itself', () => {
  expect(
    idsOf({ decisions: ['D-001: A (supersedes D-002, D-001)'] }, { decisions: ['D-002: B'] }),
  ).toEqual(['D-001 s1.md', 'D-002 s2.md'])
})

test('an id with other words keeps its first words, and that is reported', () => {
  const result = inForce(chain({ rules: ['R-001: Never push'] }, { rules: ['R-001: Always push'] }))
  expect(result.items.map(({ text }) => text)).toEqual(['Never push'])
  expect(result.conflicts).toMatchObject([
    { id: 'R-001', why: 'worded differently', places: [{ path: 's1.md' }, { path: 's2.md' }] },
  ])
})

test('of another line of a fork only the rules hold, and it ends nothing', () => {
  expect(
    idsOf(
      { isElsewhere: true, rules: ['R-009: No network'], decisions: ['D-009: x (supersedes D-1)'] },
      { rules: ['R-001: No force-push'], decisions: ['D-001: SQLite'] },
    ),
  ).toEqual(['R-009 s1.md', 'R-001 s2.md', 'D-001 s2.md'])
})

test('two decisions that supersede the same one are reported', () => {
  const result = inForce(
    chain(
      { decisions: ['D-001: SQLite'] },
      { decisions: ['D-002: Postgres (supersedes D-001)'] },
      { decisions: ['D-003: Files (supersedes D-001)'] },
    ),
  )
  expect(result.conflicts).toMatchObject([{ id: 'D-001', why: 'superseded twice' }])
})

test('two rules of two lines with one id both hold, and the own line keeps the id', () => {
  const documents = chain(
    { rules: ['R-001: No force-push'] },
    { isElsewhere: true, rules: ['R-001: Force-push', 'R-002: No network'] },
    { rules: ['R-001: No force-push', 'R-002: No new dependency'] },
  )
  const { items, conflicts } = inForce(documents)
  expect(items.map(({ id, text, since }) => `${id} ${text} ${since.path}`)).toEqual([
    'R-001 No force-push s1.md',
    expect.stringMatching(/^R-[a-z]{6} Force-push s2.md$/),
    expect.stringMatching(/^R-[a-z]{6} No network s2.md$/),
    'R-002 No new dependency s3.md',
  ])
  expect(conflicts.map(({ id, why }) => `${id} ${why}`)).toEqual([
    'R-001 worded differently in a fork',
    'R-002 worded differently in a fork',
  ])
  const later = { rules: ['R-003: No network'], decisions: ['x (supersedes R-002, by Ada)'] }
  const after = inForce([...documents, ...chain({}, {}, {}, later).slice(3)])
  expect(after.items.map(({ text }) => text)).toEqual([
    'No force-push',
    'Force-push',
    'No network',
    'x (supersedes R-002, by Ada)',
  ])
})

test('a rule of another line ends on this one', () => {
  const rules = { isElsewhere: true, rules: ['R-009: No network'] }
  expect(idsOf(rules, { decisions: ['D-001: x (supersedes R-009, by Ada)'] })).toEqual([
    'D-001 s2.md',
  ])
})

test('of a whole family all lines hold, and each ends only what it alone states', () => {
  const { items, ended } = inForce(
    chain(
      { decisions: ['D-001: SQLite', 'D-002: HTTP/2'], facts: ['F-001: a'] },
      { isElsewhere: true, decisions: ['D-003: Go'], facts: ['F-002: b'] },
      { isElsewhere: true, decisions: ['D-004: Rust (supersedes D-003, D-002)'] },
      { decisions: ['D-005: Postgres (supersedes D-001)'] },
    ),
    true,
  )
  expect(items.map(({ id }) => id)).toEqual(['D-002', 'D-004', 'D-005', 'F-001', 'F-002'])
  expect(ended.map(({ statement: { id } }) => id)).toEqual(['D-001', 'D-003'])
})
