import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentsFolder, domainIds, openAgentsFolder } from '../agents-folder.ts'
import { expectDesigned, openSandbox, type Sandbox } from './sandbox.ts'

// The real program on hostile manifests and prompts, or on ones that change under its hands.

let box: Sandbox
let folder: AgentsFolder
beforeEach(() => {
  box = openSandbox()
  folder = openAgentsFolder()
})
afterEach(() => {
  box.remove()
  folder.remove()
})

const NOW = ['--now', '2026-06-01T00:00:00Z']
const begin = (...args: readonly string[]) => box.start([...args, '--root', folder.root, ...NOW])
const run = (...args: readonly string[]) => box.run(...args, '--root', folder.root, ...NOW)

test('the exit codes tell what a pipeline has to know', async () => {
  expect((await run('lock', 'verify')).status).toBe(2)
  expect((await run('lock', '--check')).status).toBe(1)
  expect((await run('lock', '--dry-run')).status).toBe(0)
  expect((await run('lock')).status).toBe(0)
  expect((await run('lock', '--check')).status).toBe(0)
  expect((await run('lock', 'verify')).status).toBe(0)
  folder.write('agents/domains/domain-00001.md', 'Other words.\n')
  expect((await run('lock', 'verify')).status).toBe(1)
  const checked = await run('lock', '--check')
  expect(checked.status).toBe(1)
  expect(checked.stdout).toMatch(/~ domain-00001 +hash [0-9a-f]{8} → [0-9a-f]{8} +review/)
  rmSync(join(folder.root, 'agents/desk'), { recursive: true })
  expect((await run('lock')).status).toBe(1)
  expect((await run('lock', '--manifest', 'none.json')).status).toBe(2)
})

test.each([
  ['a flag before the second verb', ['lock', '--check', 'verify'], /write --check behind 'verify'/],
  ['a misspelled second verb', ['lock', 'verfiy'], /Did you mean verify\?/],
])('%s is not passed over', async (_, line, said) => {
  const ended = await box.run(...line)
  expect(ended.status).toBe(2)
  expect(ended.stderr).toMatch(said)
})

test('a pipe as a prompt is no file, and no process waits for it', async () => {
  rmSync(join(folder.root, 'agents/domains/domain-00001.md'))
  spawnSync('mkfifo', [join(folder.root, 'agents/domains/domain-00001.md')])
  const { status, stdout } = await run('lock')
  expect(status).toBe(1)
  expect(stdout).toContain('prompt-files-exist')
})

test('what ids and paths hold does not reach the terminal', async () => {
  folder.writeManifest(({ domains }) => {
    domains['domain-\u001b[2J'] = {
      ...domains['domain-00001'],
      canonical_id: 'domain-\u001b[2J',
      file: '\u202etxt.md',
    }
  })
  for (const line of [['lock'], ['lock', 'verify', '--lock', 'agents/prompt-lock.json']]) {
    const { stdout, stderr } = await run(...line)
    for (const hidden of ['\u001b[2J', '\u202e']) expect(`${stdout}${stderr}`).not.toContain(hidden)
  }
})

test('of several who lock at once one wins, the others get an error, and the lock is whole', async () => {
  await run('lock')
  for (const id of domainIds(2)) folder.write(`agents/domains/${id}.md`, 'Other words.\n')
  const runs = await Promise.all(Array.from({ length: 3 }, () => begin('lock').ended))
  for (const ended of runs) expectDesigned(ended)
  const statuses = runs.map(({ status }) => status)
  expect(statuses).toContain(0)
  expect(statuses.filter(status => status !== 0 && status !== 2)).toEqual([])
  for (const { status, stderr } of runs) if (status === 2) expect(stderr).toMatch(/changed/)
  expect((await run('lock', 'verify')).status).toBe(0)
  expect((await run('lock', '--check')).status).toBe(0)
})

test('on a full disk the old lock stays, and no half-written one', async () => {
  await run('lock')
  const text = folder.lockText()
  folder.write('agents/domains/domain-00001.md', 'Other words.\n')
  const line = ['lock', '--root', folder.root, ...NOW]
  const ended = await box.start(line, { fullDisk: true }).ended
  expectDesigned(ended)
  expect(ended.status).toBe(2)
  expect(folder.lockText()).toBe(text)
  expect(readdirSync(join(folder.root, 'agents')).filter(name => name.startsWith('.'))).toEqual([])
})

/** When each signal comes, in parts of the usual time. */
const PARTS =
  process.env.WAYBILL_LONG_FAULTS === '1' ? [0.5, 0.7, 0.8, 0.9, 0.95, 1] : [0.7, 0.9, 1]

test.each(['SIGINT', 'SIGKILL'] as const)(
  '%s at any time leaves the old lock or the new one, and the next run works',
  async signal => {
    folder.remove()
    folder = openAgentsFolder(300)
    await run('lock')
    const old = folder.lockText()
    for (const id of domainIds(300)) folder.write(`agents/domains/${id}.md`, 'Other words.\n')
    const begun = performance.now()
    await begin('lock').ended
    const usual = performance.now() - begun
    const whole = [old, folder.lockText()]
    for (const part of PARTS) {
      folder.write('agents/prompt-lock.json', old)
      const { process: child, ended } = begin('lock')
      const timer = setTimeout(() => child.kill(signal), part * usual)
      await ended
      clearTimeout(timer)
      expect(whole).toContain(folder.lockText())
    }
    folder.write('agents/prompt-lock.json', old)
    expect((await run('lock')).status).toBe(0)
    expect(folder.lockText()).toBe(whole[1])
  },
)
