import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRecords, sha256 } from '../../src/workspace/index.ts'
import { folderOf } from '../fixture.ts'
import { expectDesigned, openSandbox, type Sandbox } from './sandbox.ts'

// What writes the state, a pipeline or a received context leaves the old bytes or the new ones, whatever happens.

const PIPELINE = `# the plan
pipelines:
  p:
    phases:
      - id: 1
        agents: [{ id: a, status: PENDING }, { id: b, status: PENDING }]
metrics: { agents_executed: 0 }
`
const example = (contract: string, name: string) =>
  readFileSync(join(folderOf(contract), 'fixtures/valid', name), 'utf8')
const STATE = example('session-state.v1', 'minimal.yaml')
const CONTEXT = example('session-context.v1', 'example.json')
const NOW = ['--now', '2026-06-01T00:00:00Z']

const VERBS: readonly (readonly [name: string, file: string, line: readonly string[]])[] = [
  ['state init', 'NEW.yaml', ['state', 'init', '--file', 'NEW.yaml']],
  ['state advance', 'SESSION_STATE.yaml', ['state', 'advance', '--to', '2', ...NOW]],
  ['state gate', 'SESSION_STATE.yaml', ['state', 'gate', '5.4', 'pending', ...NOW]],
  ['pipeline set', 'ORCHESTRATION.yaml', ['pipeline', 'set', 'a', 'COMPLETE', ...NOW]],
  ['accept', 'out.json', ['accept', 'in.json', '--session', 's', '--output', 'out.json', ...NOW]],
]

let box: Sandbox
beforeEach(() => {
  box = openSandbox()
  restore()
})
afterEach(() => box.remove())

function restore(): void {
  box.write('waybill.yaml', '# a root\n')
  box.write('SESSION_STATE.yaml', STATE)
  box.write('ORCHESTRATION.yaml', PIPELINE)
  box.write('in.json', CONTEXT)
  for (const name of ['NEW.yaml', 'out.json']) rmSync(join(box.root, name), { force: true })
}

const read = (file: string) =>
  existsSync(join(box.root, file)) ? readFileSync(join(box.root, file), 'utf8') : undefined
/** What is only there while something is written. */
const leftovers = () =>
  readdirSync(box.root, { recursive: true })
    .map(String)
    .filter(name => /(?:^|\/)\.[^/]*\.[0-9a-f-]{36}$|\.new$/.test(name))

test.each(VERBS)('on a full disk %s says so, and leaves what there was', async (_, file, line) => {
  const before = read(file)
  for (const known of [false, true]) {
    // The second time the folder of local state and its lock are there already.
    if (known) await box.run('state', 'advance', '--to', '4', '--next', 'Phase4-More', ...NOW)
    const now = known ? read(file) : before
    const run = await box.start(line, { fullDisk: true }).ended
    expectDesigned(run)
    expect(run.status).toBe(2)
    expect(run.stderr).toMatch(/cannot be written/)
    expect(read(file)).toBe(now)
    expect(leftovers()).toEqual([])
  }
  expect((await box.run(...line)).status).toBe(0)
  expect(read(file)).not.toBe(before)
})

/** When each signal comes, in parts of the usual time. */
const PARTS = process.env.WAYBILL_LONG_FAULTS === '1' ? [0.6, 0.8, 0.95, 1.1] : [0.8, 0.95]

test.each(['SIGINT', 'SIGKILL'] as const)(
  '%s at any point leaves the old bytes or the new ones, and nothing is in the way afterwards',
  async signal => {
    for (const [, file, line] of VERBS) {
      restore()
      const before = read(file)
      const begun = performance.now()
      await box.start(line).ended
      const usual = performance.now() - begun
      const whole = new Set([before, read(file)])
      for (const part of PARTS) {
        restore()
        const { process: child, ended } = box.start(line)
        const timer = setTimeout(() => child.kill(signal), part * usual)
        await ended
        clearTimeout(timer)
        expect(whole).toContain(read(file))
      }
      restore()
      expect((await box.run(...line)).status).toBe(0)
    }
    if (signal === 'SIGINT') expect(leftovers()).toEqual([])
    expect(readRecords(box.root).broken).toEqual([])
  },
)

test('a move that could not be recorded says that the file itself is in order', async () => {
  box.write('.waybill/.gitignore', '*\n')
  box.write('.waybill/records', 'this is no folder')
  for (const [name, file, line] of VERBS.slice(1, 4)) {
    const before = sha256(read(file) ?? '')
    const run = await box.run(...line)
    expect([name, run.status]).toEqual([name, 2])
    expect(run.stderr).toContain(`${file} was written, but recording it failed`)
    expect(sha256(read(file) ?? '')).not.toBe(before)
  }
})
