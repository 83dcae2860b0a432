import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { comesTrue, processesOf } from '../../test/processes.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { runCommand } from './run-command.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const run = (command: string, more: { timeout?: number; signal?: AbortSignal } = {}) =>
  runCommand(command, {
    folder: folder.root,
    environment: { PATH: process.env.PATH ?? '' },
    timeout: 120_000,
    ...more,
  })

test.each([
  ['true', { outcome: 'passed', exitCode: 0, output: '' }],
  ['exit 3', { outcome: 'failed', exitCode: 3, output: '' }],
  ['echo one; echo two >&2', { outcome: 'passed', exitCode: 0, output: 'one\ntwo' }],
  ['kill -9 $$', { outcome: 'failed', output: '' }],
  ['no-such-command-anywhere 2>/dev/null', { outcome: 'failed', exitCode: 127, output: '' }],
  [`printf '\\033[31mred\\033[0m\\a\\n'`, { outcome: 'passed', exitCode: 0, output: 'red\\u{7}' }],
  ['cat; echo end', { outcome: 'passed', exitCode: 0, output: 'end' }],
])('%s', async (command, result) => {
  expect(await run(command)).toEqual(result)
})

test('it learns nothing of the environment but what it is given', async () => {
  process.env.WAYBILL_TEST_KEY = 'kept back'
  const { output } = await run('env')
  delete process.env.WAYBILL_TEST_KEY
  expect(output).toContain('PATH=')
  expect(output).not.toContain('kept back')
})

test('it runs in the folder, and what it prints is masked', async () => {
  const key = `ghp_${'a1B2'.repeat(9)}`
  expect((await run(`pwd; echo token=${key}`)).output).not.toContain(key)
  await run('echo here > made')
  expect(readFileSync(join(folder.root, 'made'), 'utf8')).toBe('here\n')
})

test('one that takes too long ends, with all that it started', async () => {
  const ended = await run('sleep 600 & sleep 600', { timeout: 300 })
  expect(ended).toEqual({ outcome: 'timed-out', output: '' })
  expect(await comesTrue(() => processesOf(folder.root).length === 0)).toBe(true)
})

test('what it leaves running delays no answer, and ends too', async () => {
  // Waiting for it would end in a timeout.
  expect(await run('sleep 600 & echo done')).toEqual({
    outcome: 'passed',
    exitCode: 0,
    output: 'done',
  })
  expect(await comesTrue(() => processesOf(folder.root).length === 0)).toBe(true)
})

test('it can be ended early', async () => {
  const stop = new AbortController()
  const ended = run('sleep 600', { signal: stop.signal })
  setTimeout(() => stop.abort(), 200)
  expect(await ended).toEqual({ outcome: 'failed', output: '' })
})

test('of a flood only the end is kept, in whole lines', async () => {
  const { output } = await run('yes 0123456789 | head -c 3000000; echo; echo last')
  expect(output.length).toBeLessThan(9000)
  expect(output).toMatch(/^…\n0123456789\n[\s\S]*\nlast$/)
})

test('a secret of many lines is masked though much follows it', async () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'
  const { output } = await run(
    `echo '-----BEGIN PRIVATE KEY-----'; for i in 1 2 3 4 5; do echo ${body}; done; echo '-----END PRIVATE KEY-----'; yes x | head -c 4000`,
  )
  expect(output).not.toContain(body)
})
