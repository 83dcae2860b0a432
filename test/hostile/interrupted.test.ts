import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRecords } from '../../src/workspace/index.ts'
import { type HandoffRepository, NOON, openHandoffRepository } from '../handoff-repository.ts'
import { SECTIONS } from '../handoffs.ts'
import { comesTrue, processesOf } from '../processes.ts'
import { expectDesigned, openSandbox, type Sandbox } from './sandbox.ts'

let box: Sandbox
let repo: HandoffRepository
beforeEach(() => {
  box = openSandbox()
  repo = openHandoffRepository()
  repo.handoff('a', 2)
  repo.write('src/a.ts', 'x')
  box.write('in.json', JSON.stringify({ sections: SECTIONS }))
})
afterEach(() => {
  box.remove()
  repo.remove()
})

const flags = () => ['--root', repo.root, '--now', new Date(NOON).toISOString()]
const lines = (): readonly (readonly [string, readonly string[]])[] => [
  ['new', ['new', 'handoff-document', '--from', 'in.json', '--continues', 'none', ...given()]],
  ['resume', ['resume', '--as', 'codex', '--verified-by', 'Ada', '--note', 'green', ...flags()]],
]
const given = () => ['--adr', 'ADR-0.0.25', '--agent', 'codex', ...flags()]
const filesIn = (path: string) =>
  existsSync(join(repo.root, path)) ? readdirSync(join(repo.root, path)) : []

test.each(['new', 'resume'])(
  'on a full disk %s says so, and leaves nothing half-written',
  async verb => {
    const line = lines().find(([name]) => name === verb)?.[1] ?? []
    const before = filesIn('handoffs')
    const full = await box.start(line, { fullDisk: true }).ended
    expectDesigned(full)
    expect(full.status).toBe(2)
    expect(full.stderr).toContain('cannot be written (EFBIG)')
    expect(full.stdout).toBe('')
    expect(filesIn('handoffs')).toEqual(before)
    expect(filesIn('.waybill/records')).toEqual([])
    // Once there is room again nothing is in the way, and local state is still kept from Git.
    const { status } = await box.run(...line)
    expect(status).toBe(0)
    if (verb === 'resume')
      expect(readFileSync(join(repo.root, '.waybill/.gitignore'), 'utf8')).toBe('*\n')
  },
)

/** When each signal comes, in parts of the usual time. */
const PARTS =
  process.env.WAYBILL_LONG_FAULTS === '1'
    ? [0.1, 0.4, 0.6, 0.75, 0.85, 0.95, 1.2, 1.8]
    : [0.4, 0.75, 0.95, 1.8]

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  '%s at any point leaves whole documents and whole records',
  async signal => {
    const ends: (number | null)[] = []
    for (const [, line] of lines()) {
      const begun = performance.now()
      await box.start(line).ended
      let usual = performance.now() - begun
      for (const part of PARTS) {
        const { process: child, ended } = box.start(line)
        const timer = setTimeout(() => child.kill(signal), part * usual)
        const { status } = await ended
        clearTimeout(timer)
        ends.push(status)
        // How long it takes changes with what else the machine does.
        usual *= status === 0 ? 0.8 : 1.2
      }
    }
    // It was neither always too late nor always too early.
    expect(ends.some(status => status === 0)).toBe(true)
    expect(ends.some(status => status !== 0)).toBe(true)
    const documents = filesIn('handoffs').filter(name => !name.startsWith('.'))
    expect((await box.run('check', repo.root, ...flags())).stdout).toContain(
      `${documents.length} documents accepted`,
    )
    expect(readRecords(repo.root).broken).toEqual([])
    // Who is killed cannot tidy up, but nothing takes what is left for a document.
    const rest = [...filesIn('handoffs'), ...filesIn('.waybill/records')].filter(name =>
      name.startsWith('.'),
    )
    if (signal !== 'SIGKILL') expect(rest).toEqual([])
    expect((await box.run('chain', ...flags())).stdout).toContain(
      `${documents.length} documents in`,
    )
  },
)

test('a terminal that goes away ends what a checklist runs', async () => {
  repo.handoff('b', 1, { checklist: '- `touch begun; sleep 600`' })
  const running = box.start(['resume', ...flags(), '--as', 'codex', '--run-checks', '--yes'])
  expect(await comesTrue(() => filesIn('.').includes('begun'))).toBe(true)
  running.process.kill('SIGHUP')
  expect((await running.ended).status).toBe(129)
  expect(await comesTrue(() => processesOf(repo.root).length === 0)).toBe(true)
  expect(filesIn('.waybill/records')).toEqual([])
})
