import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { comesTrue } from '../../test/processes.ts'
import { openTestFolder } from '../../test/test-folder.ts'
import { holdLock, withLock } from './lock.ts'
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

/** A process of its own that counts up, holding the lock across a pause each time. */
function patientCounter(steps: number): ReturnType<typeof spawn> {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { holdLock } from ${here}
    const [root, file] = ${JSON.stringify([folder.root, file])}
    for (let i = 0; i < ${steps}; i++) {
      const held = await holdLock(root, file)
      const count = Number(readFileSync(file, 'utf8'))
      await new Promise(resolve => setTimeout(resolve, 1))
      writeFileSync(file, String(count + 1))
      held.release()
    }`
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
}

test('a lock that is held across pauses excludes those who hold it so, and those who do not', async () => {
  writeFileSync(file, '0')
  const counters = [patientCounter(20), patientCounter(20), patientCounter(20), counter(20)]
  const exits = await Promise.all(counters.map(child => once(child, 'exit')))
  expect(exits.map(([code]) => code)).toEqual([0, 0, 0, 0])
  expect(readFileSync(file, 'utf8')).toBe('80')
})

test('the holder of a lock sees that another process waits for it, and no longer when that has ended', async () => {
  const held = await holdLock(folder.root, file)
  expect(held.isWanted()).toBe(false)
  const waiting = patientCounter(1)
  expect(await comesTrue(() => held.isWanted())).toBe(true)
  waiting.kill('SIGKILL')
  await once(waiting, 'exit')
  expect(held.isWanted()).toBe(false)
  const next = holdLock(folder.root, file)
  expect(await comesTrue(() => held.isWanted())).toBe(true)
  held.release()
  held.release()
  const second = await next
  expect(second.isWanted()).toBe(false)
  second.release()
})

test('a lock that another machine holds is refused at once', async () => {
  const { root, remove } = openTestFolder()
  const held = await holdLock(root, 'a')
  const locks = join(root, '.waybill/locks')
  const files = readdirSync(locks).flatMap(name =>
    readdirSync(join(locks, name)).map(number => join(locks, name, number)),
  )
  const own = files.find(name => readFileSync(name, 'utf8').includes('"pid"')) ?? ''
  const holder = JSON.parse(readFileSync(own, 'utf8'))
  writeFileSync(own, JSON.stringify({ ...holder, host: 'elsewhere.example' }))
  await expect(holdLock(root, 'a')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('on another machine, elsewhere.example'),
  })
  held.release()
  ;(await holdLock(root, 'a')).release()
  remove()
})

test('a pipe among the files of a lock blocks no process, and is no holder', async () => {
  const { root, remove } = openTestFolder()
  withLock(root, 'a', () => undefined)
  const locks = join(root, '.waybill/locks')
  const [name = ''] = readdirSync(locks)
  execFileSync('mkfifo', [join(locks, name, '99'), join(locks, name, '1.waits')])
  expect(withLock(root, 'a', () => 'done')).toBe('done')
  const held = await holdLock(root, 'a')
  expect(held.isWanted()).toBe(false)
  held.release()
  expect(readdirSync(join(locks, name)).sort()).toEqual(['1.waits', '102', '103'])
  remove()
})

test('a pipe in the place of a file that is to be replaced is reported, and stays', () => {
  const { root, remove } = openTestFolder()
  const pipe = join(root, 'state.yaml')
  execFileSync('mkfifo', [pipe])
  expect(() => swapAtomically(root, pipe, 'cd'.repeat(32), 'new')).toThrow(
    expect.objectContaining({
      code: 'input-output',
      message: `${pipe} cannot be read (it is not a regular file)`,
    }),
  )
  expect(statSync(pipe).isFIFO()).toBe(true)
  remove()
})
