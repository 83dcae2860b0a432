import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../test/tree.ts'
import * as ledger from './index.ts'

test('the example of the package comment runs, and says what it says', () => {
  const source = readFileSync(join(import.meta.dirname, 'index.ts'), 'utf8')
  const lines =
    /```ts\n([\s\S]*?)```/
      .exec(source)?.[1]
      ?.split('\n')
      .map(line => line.replace(/^ \* ?/, '')) ?? []
  const [last = '', ...before] = lines.filter(line => line !== '').reverse()
  const [expression, expected] = last.split(' // ')
  const body = [...before.reverse(), `return ${expression}`].join('\n')
  const run = new Function('sha256', ...Object.keys(ledger), body)
  expect(run(sha256, ...Object.values(ledger))).toBe(JSON.parse(expected ?? ''))
  expect(expected).toBe('true')
})

test('the core runs wherever JavaScript does: no Node, no clock, no chance', () => {
  const core = globSync('*.ts', { cwd: import.meta.dirname }).filter(
    file => !/\.(test|suite)\.ts$/.test(file),
  )
  const forbidden =
    /from 'node:|\bBuffer\b|\bprocess\.|Date\.now|new Date\(|Math\.random|performance\./
  const breaches = core.filter(file => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    return forbidden.test(source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  })
  expect(core.length).toBeGreaterThan(15)
  expect(breaches).toEqual([])
})
