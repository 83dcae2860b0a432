import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestProject } from 'vitest/node'
import { setup } from './test-run.ts'

/** Begins a run of its own, as vitest does; gives its folder and its end. */
function begin() {
  const folder = join(mkdtempSync(join(tmpdir(), 'waybill-outer-')), 'run')
  const project = { config: { env: { TMPDIR: folder } }, provide: () => {} }
  return { folder, end: setup(project as unknown as TestProject, 500) }
}

test('a run that leaves no process ends well, and takes its folder away', async () => {
  const { folder, end } = begin()
  mkdirSync(join(folder, 'left'))
  await end()
  expect(existsSync(folder)).toBe(false)
})

test.each(['where it works', 'its arguments'])(
  'a process left behind, known by %s, fails the run and is ended',
  async how => {
    const { folder, end } = begin()
    const script = 'setTimeout(() => {}, 60_000)'
    const byPlace = how === 'where it works'
    const child = spawn(process.execPath, ['-e', script, byPlace ? 'x' : folder], {
      cwd: byPlace ? folder : '/',
      stdio: 'ignore',
    })
    const ended = new Promise(resolve => child.on('exit', (_, signal) => resolve(signal)))
    await expect(end()).rejects.toThrow(`${child.pid} `)
    expect(await ended).toBe('SIGKILL')
    expect(existsSync(folder)).toBe(false)
  },
)
