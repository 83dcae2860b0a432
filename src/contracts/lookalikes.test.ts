import { describe, expect, test } from 'vitest'
import { agentsOf } from './agents.ts'
import { lookalikeOf, strangenessOf } from './lookalikes.ts'

const ID = 'domain-10-modern-analysis'
const entry = (id: string) => ({
  name: id,
  file: `${id}.md`,
  canonical_id: id,
  version: '1.0.0',
  scope: 'Everything.',
})
const agents = agentsOf({ domains: { a: entry('domain-02-x'), b: entry(ID) }, archetypes: {} })

describe('an id', () => {
  test.each([
    ['a letter of another script', ID.replace('a', 'а')],
    ['letters of another script alone', ID.replace('domain', 'ԁоⅿаіո')],
    ['digits of another script', ID.replace('10', '١٠')],
    ['wide digits', ID.replace('10', '１０')],
    ['another hyphen', ID.replaceAll('-', '‐')],
    ['a mark that combines', ID.replace('i', 'i\u0307')],
    ['an invisible character', ID.replace('-', '-\u200b')],
    ['the letter O for a zero', ID.replace('0', 'O')],
    ['a small l for a one', ID.replace('1', 'l')],
    ['r and n for an m', ID.replace('modern', 'rnodern')],
  ])('with %s looks like one of the manifest', (_, id) => {
    expect(lookalikeOf(id, agents)?.id).toBe(ID)
  })

  test.each([
    ['in capitals', ID.toUpperCase()],
    ['with other separators', ID.replaceAll('-', '_')],
    ['with another digit', ID.replace('10', '11')],
    ['that is longer', `${ID}а`],
    ['of nothing', ''],
    ['of another script that is no agent', 'аналитик'],
  ])('%s does not', (_, id) => {
    expect(lookalikeOf(id, agents)).toBeUndefined()
  })
})

test.each([
  ['__proto__', "begins with '_' (U+005F)"],
  ['.hidden', "begins with '.' (U+002E)"],
  ['_\u0430', "contains '\u0430' (U+0430)"],
  ['domain..x', "contains '..'"],
  ['domain-_x', undefined],
  ['a'.repeat(128), undefined],
  ['a'.repeat(129), 'is longer than 128 characters'],
])('what is strange about %s is named as it is: %s', (id, strange) => {
  expect(strangenessOf(id)).toBe(strange)
})
