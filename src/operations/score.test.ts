import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { waybill } from '../../test/waybill.ts'
import score from './score.ts'

const STATEMENTS = [
  { id: 'R-001', kind: 'rule', text: 'Never push by force.' },
  { id: 'F-001', kind: 'fact', text: 'The port is 6432.', value: '6432' },
  { id: 'F-002', kind: 'fact', round: 2, text: 'The port is 7001.', supersedes: 'F-001' },
]

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  folder.write('statements.json', JSON.stringify({ statements: STATEMENTS }))
})
afterEach(() => folder.remove())

const run = (text: string, given: { round?: number; budget?: number } = {}) => {
  folder.write('kept.md', text)
  return score.run({ file: 'kept.md', against: 'statements.json', ...given }, folder.app())
}

test.each([
  ['has everything', '- Never push by force.\n- The port is 7001.', true],
  ['misses a fact', '- Never push by force.', true],
  ['misses a rule', '- The port is 7001.', false],
  ['shows a stale value', '- Never push by force.\n- The port is 6432.', false],
])('a text that %s is accepted or not', async (_, text, accepted) => {
  const output = await run(text)
  expect(output.accepted).toBe(accepted)
  expect(score.failed?.(output)).toBe(!accepted)
})

test('only what holds after the round counts', async () => {
  const text = '- Never push by force.\n- The port is 6432.'
  expect(await run(text, { round: 1 })).toMatchObject({ inForce: 2, survived: 2, accepted: true })
})

test('only the budget is read, and no character of it in part', async () => {
  const text = `Never push by force.${'€'.repeat(100)}The port is 7001.`
  const output = await run(text, { budget: 6 })
  expect(output).toMatchObject({ tokens: 6, survived: 1, tokensPerSurvivor: 6 })
})

test('a person reads what is missing, what is stale and where, from standard input too', async () => {
  const { status, stdout } = await waybill(['score', '-', '--against', 'statements.json'], {
    cwd: folder.root,
    stdin: 'The port\nis 6432.\n',
  })
  expect(status).toBe(1)
  expect(stdout).toBe(`-: 0 of 2 statements after round 2, 6 tokens

  rules       0 of 1
  facts       0 of 1
  stale       1 of 1 shown as current

  missing R-001  Never push by force.
  missing F-002  The port is 7001.
  stale   F-001  The port is 6432. line 1

✗ 1 rule missing, 1 stale statement shown as current
`)
})

const rule = STATEMENTS[0]
test.each([
  ['no JSON', '{', /^statements\.json: /],
  ['no list', '{}', 'statements.json: statements must be a list of 1 to 500'],
  ['nothing in it', { statements: [] }, 'must be a list'],
  ['an entry that is none', { statements: [null] }, 'statement 1: id must be text'],
  ['an unknown kind', { statements: [{ ...rule, kind: 'law' }] }, 'kind must be one of rule,'],
  ['text without words', { statements: [{ ...rule, text: '**' }] }, 'text must be text'],
  ['a round of zero', { statements: [{ ...rule, round: 0 }] }, 'round must be a whole number'],
  ['a value of marks', { statements: [{ ...rule, value: '_' }] }, 'value must be text'],
  ['one id twice', { statements: [rule, rule] }, "the id 'R-001' is given twice"],
  [
    'a successor of nothing',
    { statements: [{ ...rule, supersedes: 'R-009' }] },
    "'R-001' supersedes 'R-009', which is not above it",
  ],
])('statements with %s are refused, and the place is named', async (_, content, message) => {
  folder.write('statements.json', typeof content === 'string' ? content : JSON.stringify(content))
  await expect(run('x')).rejects.toThrow(message)
})

test.each([
  [{ file: 'gone.md', against: 'statements.json' }, 'not-found'],
  [{ file: '-', against: '-' }, 'usage'],
  [{ file: '-', against: 'statements.json', round: 0 }, 'usage'],
  [{ file: '-', against: 'statements.json', budget: 0 }, 'usage'],
])('%j is refused', async (given, code) => {
  await expect(score.run(given, folder.app())).rejects.toMatchObject({ code })
})
