import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WaybillError } from '../error.ts'
import checkOperation from './check.ts'
import type { App } from './operation.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-check-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const app = (more: Partial<App> = {}): App => ({
  now: Date.UTC(2026, 5, 1),
  root,
  cwd: root,
  version: '0.0.0',
  stdin: async () => new Uint8Array(),
  ...more,
})
const check = (input: Parameters<typeof checkOperation.run>[0] = {}, more: Partial<App> = {}) =>
  checkOperation.run(input, app(more))

function write(path: string, text: string | Uint8Array) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const context = {
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: 'ps-researcher', family: 'ps' },
  target_agent: { id: 'ps-analyst', family: 'ps' },
  timestamp: '2026-01-11T12:00:00Z',
  payload: { key_findings: [{ id: 'F-001', summary: 'It works.' }], confidence: { overall: 0.8 } },
}
const sound = JSON.stringify(context, null, 2)
const faulty = JSON.stringify({ ...context, source_agent: { id: 'nse-architect', family: 'ps' } })
describe('Git', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: root,
      stdio: 'pipe',
    })
  beforeEach(() => {
    git('init', '-q', '-b', 'main')
    write('old.json', sound)
    git('add', '.')
    git('commit', '-qm', 'one')
  })

  test('--changed checks what differs from a commit, and new files', async () => {
    write('new.json', sound)
    expect((await check({ changed: true })).documents.map(d => d.path)).toEqual(['new.json'])
    git('add', '.')
    git('commit', '-qm', 'two')
    expect((await check({ changed: true })).documents).toEqual([])
    expect((await check({ changed: 'HEAD~1' })).documents.map(d => d.path)).toEqual(['new.json'])
  })

  test('--staged checks what the next commit would hold, not the work tree', async () => {
    write('old.json', faulty)
    git('add', '.')
    write('old.json', sound)
    const output = await check({ staged: true })
    expect(output.documents.map(d => [d.path, d.accepted])).toEqual([['old.json', false]])
  })

  test('a commit that does not exist is an error of the call, and no option of Git', async () => {
    await expect(check({ changed: 'nowhere' })).rejects.toThrow(WaybillError)
    await expect(check({ changed: '--output=stolen' })).rejects.toThrow(WaybillError)
  })
})

test('many files are checked on two threads with the same result as on one', async () => {
  for (let i = 0; i < 3100; i++) write(`d${i % 7}/${i}.json`, i % 9 === 0 ? faulty : sound)
  const alone = await check()
  const worker = new URL('./check/worker.ts', import.meta.url)
  const steps: number[] = []
  const together = await check({}, { worker: () => worker, progress: done => steps.push(done) })
  expect(together).toEqual(alone)
  expect(alone.summary).toMatchObject({ documents: 3100, rejected: 345 })
  expect(steps.at(-1)).toBe(3100)
})
