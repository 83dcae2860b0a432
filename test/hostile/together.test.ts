import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROGRAM } from '../program.ts'
import { expectDesigned, openSandbox, type Sandbox, SOUND } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = openSandbox()
})
afterEach(() => box.remove())

function writeFaulty(count: number): void {
  const text = JSON.stringify({ ...SOUND, session_id: 1, timestamp: 'x' }, null, 1)
  for (let i = 0; i < count; i++) box.write(`documents/${i}.json`, text)
}

const leftOver = () => readdirSync(box.root).filter(name => name !== 'documents')

test('two checks that write the baseline at once leave a whole one and nothing else', async () => {
  writeFaulty(100)
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => box.start(['check', '--baseline']).ended),
  )
  for (const run of runs) expectDesigned(run)
  expect(leftOver()).toEqual(['.waybill-baseline.json'])
  const baseline = JSON.parse(readFileSync(join(box.root, '.waybill-baseline.json'), 'utf8'))
  expect(baseline.faults.length).toBeGreaterThanOrEqual(200)
  expect((await box.run('check')).status).toBe(0)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a long check and leaves nothing',
  async signal => {
    writeFaulty(3000)
    const killedAfter = async (delay: number) => {
      const { process: child, ended } = box.start(['check', '--baseline'])
      setTimeout(() => child.kill(signal), delay)
      return ended
    }
    let run = await killedAfter(600)
    // It may have been done before: a timer is late on a busy machine.
    for (let delay = 300; run.status === 0 && delay > 1; delay /= 2) run = await killedAfter(delay)
    expect(run.signal === signal || run.status === 130 || run.status === 143).toBe(true)
    expect(run.stderr).not.toContain('at ')
    expect(leftOver().filter(name => name !== '.waybill-baseline.json')).toEqual([])
  },
)

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s in the midst of writing the baseline leaves no half of it',
  async signal => {
    writeFaulty(300)
    const { process: child, ended } = box.start(['check', '--baseline'])
    const wasSent = new Promise<boolean>(resolve => {
      const seen = watch(box.root, (_, name) => {
        if (name?.startsWith('..waybill-baseline')) resolve(child.kill(signal))
      })
      void ended.finally(() => seen.close())
    })
    const { status } = await ended
    expect(await wasSent).toBe(true)
    // On a busy machine it may have been done by the time of the signal.
    expect([0, signal === 'SIGINT' ? 130 : 143]).toContain(status)
    expect(leftOver()).toEqual(['.waybill-baseline.json'])
  },
)

const sh = (command: string) =>
  spawnSync('sh', ['-c', command, process.execPath, PROGRAM], {
    cwd: box.root,
    encoding: 'utf8',
    timeout: 60_000,
  })

test('a reader that goes away ends a check quietly', () => {
  writeFaulty(1000)
  const { stdout, stderr } = sh('"$0" "$1" check | head -n 1')
  expect(stdout.split('\n').filter(Boolean)).toHaveLength(1)
  expect(stderr).toBe('')
})

test('standard input without end is refused after what may be read', () => {
  const { status, stdout, stderr } = sh('"$0" "$1" check - < /dev/zero')
  expect(status).toBe(1)
  expect(stdout).toContain('syntax/too-large')
  expect(stderr).toBe('')
})

test.runIf(existsSync('/dev/full'))('a full disk is an error in words', () => {
  writeFaulty(1)
  const { status, stderr } = sh('"$0" "$1" check > /dev/full')
  expect(status).toBe(2)
  expect(stderr).toBe('waybill: the output cannot be written (ENOSPC)\n')
})
