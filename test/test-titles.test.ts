import { expect, test } from 'vitest'
import { propertiesIn, titlesIn } from './test-titles.ts'

const SOURCE = `
// test('in a comment', () => {})
const ROWS = [['a row of a table', () => 'in a function'], { name: 'a named row' }]
const text = 'no title'
describe.each(ROWS)('a group of %s', () => {
  test('a test', () => check('in its body'))
  it.skipIf(text)(\`one of \${text}\`, () => {})
})
describe.skip('a group that is skipped', () => {
  test('in a group that is skipped', () => {})
})
test.todo('for later')
test.each([['inline'] as const])('%s', name => check(name))
test.skip.each(['a skipped row'])('skipped: %s', () => {})
`

test('titles are those of tests that run, and the rows that fill them in', () => {
  expect(titlesIn(SOURCE)).toEqual([
    'a group of %s',
    'a row of a table',
    'a named row',
    'a test',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source
    'one of ${text}',
    '%s',
    'inline',
  ])
})

test('properties are the titles of tests that run, with those of their groups', () => {
  expect(propertiesIn(SOURCE)).toEqual([
    'a group of %s: a test',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source
    'a group of %s: one of ${text}',
    '%s',
  ])
})
