import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTestFolder } from '../../test/test-folder.ts'
import { withLock } from './lock.ts'
import { swapAtomically } from './swap.ts'

const folder = openTestFolder()
const file = join(folder.root, 'count')
afterAll(() => folder.remove())

const here = JSON.stringify(join(import.meta.dirname, 'lock.ts'))

/** A process of its own that counts up in the file, step by step, under its lock. */
function counter(steps: number, then = ''): ReturnType<typeof spawn> {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { withLock } from ${here}
    const [root, file] = ${JSON.stringify([folder.root, file])}
    for (let i = 0; i < ${steps}; i++)
      withLock(root, file, () => {
        const count = Number(readFileSync(file, 'utf8'))
        writeFileSync(file, String(count + 1))
        ${then}
      })`
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
}

test('work of several processes under one lock does not overlap', async () => {
  writeFileSync(file, '0')
  const counters = Array.from({ length: 6 }, () => counter(50))
  const exits = await Promise.all(counters.map(child => once(child, 'exit')))
  expect(exits.map(([code]) => code)).toEqual([0, 0, 0, 0, 0, 0])
  expect(readFileSync(file, 'utf8')).toBe('300')
})

test('the lock of a process that was killed is taken over, by one at a time', async () => {
  writeFileSync(file, '0')
  const victim = counter(1, "process.kill(process.pid, 'SIGKILL')")
  await once(victim, 'exit')
  const counters = Array.from({ length: 4 }, () => counter(25))
  await Promise.all(counters.map(child => once(child, 'exit')))
  expect(readFileSync(file, 'utf8')).toBe('101')
})

test('work that throws gives the lock back', () => {
  const fail = () =>
    withLock(folder.root, file, () => {
      throw new Error('no')
    })
  expect(fail).toThrow('no')
  expect(withLock(folder.root, file, () => 'yes')).toBe('yes')
})

test('a lock leaves two small files behind, in a folder that Git passes over', () => {
  for (let i = 0; i < 20; i++) withLock(folder.root, file, () => undefined)
  const locks = join(folder.root, '.waybill/locks')
  expect(readdirSync(locks).map(name => readdirSync(join(locks, name)).length)).toEqual([2])
  expect(readFileSync(join(folder.root, '.waybill/.gitignore'), 'utf8')).toBe('*\n')
  expect(statSync(join(folder.root, '.waybill')).mode & 0o777).toBe(0o700)
})

test('a file is replaced only while it has the expected bytes', () => {
  writeFileSync(file, 'old', { mode: 0o640 })
  const old = 'cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4'
  swapAtomically(folder.root, file, old, 'new')
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(() => swapAtomically(folder.root, file, old, 'newer')).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  )
  expect(readFileSync(file, 'utf8')).toBe('new')
})
