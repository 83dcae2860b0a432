import { expect, test } from 'vitest'
import { statementsOf } from '../../contracts/index.ts'
import { inForce, type StatedDocument } from '../in-force.ts'
import { carryStatements } from './carry-statements.ts'
import { bodyOf, type HandoffContent } from './handoff-text.ts'

function before(context: string, decisions: string) {
  const document: StatedDocument = {
    path: 'handoffs/s1.md',
    verified: false,
    isElsewhere: false,
    statements: statementsOf(
      `## Important Context\n\n${context}\n\n## Decisions Made\n\n${decisions}\n`,
    ),
  }
  return { ...inForce([document]), documents: [document] }
}

function content(context: string, decisions: string): HandoffContent {
  const sections = [
    { title: 'Important Context', level: 2 as const, body: context },
    { title: 'Decisions Made', level: 2 as const, body: decisions },
  ]
  return { frontmatter: {}, preamble: '', sections }
}

const NONE = { supersede: [], by: undefined }
const context = ({ sections }: HandoffContent) => bodyOf(sections, 'Important Context')
const decisions = ({ sections }: HandoffContent) => bodyOf(sections, 'Decisions Made')

const RULES =
  '### Standing Rules\n\n- R-001: Never force-push. `scope: git push*`\n- Ask first:\n  always.'

test('rules are copied verbatim with their origin, and get a number where they have none', () => {
  const carried = carryStatements(content('It is slow.', '- Use Go.'), before(RULES, '- A'), NONE)
  expect(context(carried.content)).toBe(`It is slow.

### Standing Rules

- R-001: Never force-push. \`scope: git push*\`
  (in force since \`s1.md\`)
- R-002: Ask first:
  always.
  (in force since \`s1.md\`)`)
  expect(decisions(carried.content)).toBe('- D-001: Use Go.')
})

test('the rules of the author come after those carried over, under one heading', () => {
  const own = 'Slow.\n\n### Standing Rules\n\n- No network.\n\n### Places\n\n- here'
  const carried = carryStatements(content(own, 'None'), before(RULES, ''), NONE)
  const after = statementsOf(`## Important Context\n\n${context(carried.content)}\n`)
  expect(after.filter(({ kind }) => kind === 'rule').map(({ id, text }) => [id, text])).toEqual([
    ['R-001', 'Never force-push.'],
    ['R-003', 'Ask first:\nalways.'],
    ['R-002', 'No network.'],
  ])
  expect(context(carried.content).match(/Standing Rules/g)).toHaveLength(1)
})

test('what the author repeats is not copied again, and gets the number that it has', () => {
  const own = '### Standing Rules\n\n- Never force-push. `scope: git push*`\n- Ask first: always.'
  const carried = carryStatements(content(own, '- Use Go'), before(RULES, '- D-004: Use Go.'), NONE)
  expect(carried.rules).toEqual([])
  expect(context(carried.content)).toContain('- R-001: Never force-push.')
  expect(decisions(carried.content)).toBe('- D-004: Use Go')
})

test('a decision ends with a reason; a rule needs a person too', () => {
  const base = before(RULES, '- D-001: Use Go.')
  const supersede = [
    { id: 'D-001', why: 'too slow' },
    { id: 'R-001', why: 'the branch is gone' },
  ]
  const without = carryStatements(content('x', 'None.'), base, { supersede, by: undefined })
  expect(without.problems.map(({ id }) => id)).toEqual(['R-001'])
  const named = carryStatements(content('x', '- Use C'), base, { supersede, by: 'Ada' })
  expect(named.problems).toEqual([])
  expect(decisions(named.content)).toBe(`- D-002: Use C
- D-003: D-001 no longer holds (supersedes D-001, by Ada: too slow)
- D-004: R-001 no longer holds (supersedes R-001, by Ada: the branch is gone)`)
  expect(context(named.content)).not.toContain('force-push')
})

test('the person is named in endings that the author wrote, and an unknown id is a problem', () => {
  const own = '- Pushing is fine (supersedes R-001: gone). See (supersedes D-009).'
  const { content: written, problems } = carryStatements(content('x', own), before(RULES, ''), {
    supersede: [],
    by: 'Ada',
  })
  expect(decisions(written)).toContain('(supersedes R-001, by Ada: gone)')
  expect(problems.map(({ id }) => id)).toEqual(['D-009'])
})

test('a heading with prose is numbered in the heading', () => {
  const carried = carryStatements(content('x', '### Use Go\n\nIt is fast.'), before('', ''), NONE)
  expect(decisions(carried.content)).toBe('### D-001: Use Go\n\nIt is fast.')
})

test('fences, tables and quotes get no number, which would make text of them', () => {
  const rules = '### Standing Rules\n\n- ```\n  git push\n  ```'
  const table = '| a | b |\n| --- | --- |\n| c | d |'
  const carried = carryStatements(content('', table), before(rules, ''), NONE)
  expect(context(carried.content)).toContain('- ```\n  git push\n  ```\n  (in force since')
  expect(decisions(carried.content)).toBe(table)
})

test('the person is named in an ending that is wrapped', () => {
  const carried = carryStatements(content('', '- Push (supersedes\n  R-001)'), before(RULES, ''), {
    supersede: [],
    by: 'Ada $1',
  })
  expect(carried.problems).toEqual([])
  expect(decisions(carried.content)).toContain('R-001, by Ada $1)')
})

test('the last number that an id can have is not counted on from', () => {
  const rules = '### Standing Rules\n\n- R-999999: Top\n- Free'
  const carried = carryStatements(content('', '- A'), before(rules, ''), NONE)
  expect(context(carried.content)).toContain('- R-001: Free')
})
