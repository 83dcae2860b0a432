import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

describe('decisions', () => {
  const records = globSync('docs/decisions/*.md', { cwd: root }).sort()

  test('are numbered without a gap', () => {
    const numbers = records.map(file => Number(basename(file).slice(0, 4)))
    expect(numbers.length).toBeGreaterThan(0)
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  })

  test.each(records)('%s fits on a screen', file => {
    expect(readFileSync(join(root, file), 'utf8').split('\n').length).toBeLessThanOrEqual(40)
  })
})
