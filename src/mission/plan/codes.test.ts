import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ANSWER_CODES } from './codes.ts'

test('every code that is given to a finding has a meaning, and no other', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter(
    file => !file.endsWith('.test.ts') && file !== 'codes.ts',
  )
  const text = files.map(file => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
  const used = [...text.matchAll(/'(mission\/[a-z-]+)'/g)].map(([, code]) => code)
  expect([...new Set(used)].sort()).toEqual(Object.keys(ANSWER_CODES).sort())
})
