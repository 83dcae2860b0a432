import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { titlesIn } from '../../test-titles.ts'

const PAGE = join(import.meta.dirname, '../../../docs/reference/threat-model.md')
const text = readFileSync(PAGE, 'utf8')
const rows = text.split('\n').filter(line => /^\| (?!---)/.test(line) && line.includes('.test.ts'))

/** What the page names: a file of tests, and the sentences behind it up to the next file. */
const named = rows.flatMap(row =>
  [...row.matchAll(/\[[^\]]+\]\(([^)]+\.test\.ts)\)((?:,? “[^”]+”)+)/g)].flatMap(
    ([, file = '', names = '']) =>
      [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => [file, name] as const),
  ),
)

test('every attack of the threat model has a test, and each test that it names exists', () => {
  const titles = new Map(
    [...new Set(named.map(([file]) => file))].map(file => {
      const source = readFileSync(join(dirname(PAGE), file), 'utf8')
      return [file, titlesIn(source)] as const
    }),
  )
  const missing = named.filter(([file, name]) => !titles.get(file)?.includes(name))
  expect(missing).toEqual([])
  expect(named.length).toBeGreaterThan(100)
})

test('every row of an attack ends with a test', () => {
  const attacks = text.split('## What is not covered')[0]?.split('## Attacks and their answers')[1]
  const lines = (attacks ?? '').split('\n').filter(line => /^\| (?!---|attack )/.test(line))
  expect(lines.filter(line => !/\.test\.ts\) “.*” \|$/.test(line))).toEqual([])
  expect(lines.length).toBe(rows.length)
})
