import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROGRAM } from '../../test/program.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { readRecords } from '../workspace/index.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const read = () => readFileSync(join(folder.root, 'ORCHESTRATION.yaml'), 'utf8')

function run(...args: string[]): Promise<{ code: number | null; text: string }> {
  return new Promise(resolve => {
    const child = spawn(
      process.execPath,
      [PROGRAM, 'pipeline', 'set', ...args, '--root', folder.root],
      { cwd: folder.root },
    )
    let text = ''
    child.stdout.on('data', data => {
      text += data
    })
    child.stderr.on('data', data => {
      text += data
    })
    child.on('close', code => resolve({ code, text }))
  })
}

test('of several concurrent writers each succeeds or gets an error, and nothing is lost', async () => {
  const agents = Array.from({ length: 6 }, (_, i) => `      - { id: agent-${i}, status: PENDING }`)
  folder.write(
    'ORCHESTRATION.yaml',
    `pipelines:\n  p:\n    phases:\n    - id: 1\n      agents:\n${agents.join('\n')}\nmetrics: { agents_executed: 0 }\n`,
  )
  const results = await Promise.all(agents.map((_, i) => run(`agent-${i}`, 'COMPLETE')))
  const won = results.filter(({ code }) => code === 0)
  const refused = results.filter(
    ({ code, text }) => code === 2 && /changed by another process/.test(text),
  )
  expect(won.length).toBeGreaterThan(0)
  expect(won.length + refused.length).toBe(results.length)
  expect(read().match(/status: COMPLETE/g)).toHaveLength(won.length)
  expect(read()).toContain(`agents_executed: ${won.length}`)
  expect(readRecords(folder.root).records).toHaveLength(won.length)
})
