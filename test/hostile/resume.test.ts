import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HandoffRepository, NOON, openHandoffRepository } from '../handoff-repository.ts'
import { comesTrue, processesOf } from '../processes.ts'
import { openSandbox, type Run, type Sandbox } from './sandbox.ts'

let box: Sandbox
let repo: HandoffRepository
beforeEach(() => {
  box = openSandbox()
  repo = openHandoffRepository()
})
afterEach(() => {
  box.remove()
  repo.remove()
})

const flags = () => ['--root', repo.root, '--now', new Date(NOON).toISOString()]
const resume = (...args: readonly string[]) =>
  box.run('resume', '--format', 'json', ...flags(), ...args)
const read = ({ stdout }: Run) => JSON.parse(stdout)
const records = () => {
  const place = join(repo.root, '.waybill/records')
  return existsSync(place) ? readdirSync(place) : []
}

test('of sessions that resume at the same moment all but one learn of another', async () => {
  repo.handoff('a', 2)
  repo.commit(1)
  const agents = ['one', 'two', 'three', 'four']
  const line = ['resume', '--format', 'json', ...flags()]
  const runs = agents.map(agent => box.start([...line, '--as', agent]).ended)
  const outputs = (await Promise.all(runs)).map(read)
  expect(outputs.every(({ accepted }) => accepted)).toBe(true)
  expect(outputs.filter(({ others }) => others.length === 0).length).toBeLessThan(2)
  expect(records()).toHaveLength(4)
})

test('Ctrl-C ends what a checklist runs, and no resumption is recorded', async () => {
  repo.handoff('a', 2, { checklist: '- `touch begun; sleep 600`' })
  const running = box.start(['resume', ...flags(), '--run-checks', '--yes'])
  expect(await comesTrue(() => existsSync(join(repo.root, 'begun')))).toBe(true)
  running.process.kill('SIGINT')
  expect((await running.ended).status).toBe(130)
  expect(await comesTrue(() => processesOf(repo.root).length === 0)).toBe(true)
  expect(records()).toEqual([])
})

test('a checklist sees nothing of our environment, and has no terminal to ask', async () => {
  repo.handoff('a', 2, { checklist: '- `env; tty; read line && false`' })
  process.env.WAYBILL_TEST_KEY = 'kept back'
  const { stdout } = await resume('--run-checks', '--yes')
  delete process.env.WAYBILL_TEST_KEY
  const [check] = JSON.parse(stdout).checks
  expect(check.output).toContain('PATH=')
  expect(check.output).toContain('not a tty')
  expect(check.output).not.toContain('kept back')
})

test('nothing is run without a yes where no terminal can be asked', async () => {
  repo.handoff('a', 2, { checklist: '- `touch made`' })
  const ended = await resume('--run-checks')
  expect(ended.status).toBe(2)
  expect(ended.stderr).toContain('$ touch made')
  expect(existsSync(join(repo.root, 'made'))).toBe(false)
})

test('a clone without its history gives a warning that changes are unknown', async () => {
  repo.handoff('a', 20)
  repo.commit(19)
  repo.write('a.txt', '1')
  repo.commit(1)
  const clone = join(box.root, 'clone')
  repo.git('clone', '-q', '--depth', '1', `file://${repo.root}`, clone)
  const ended = await box.run('resume', '--format', 'json', '--root', clone, ...flags().slice(2))
  const output = read(ended)
  expect(output.diagnostics).toMatchObject([
    { code: 'resume/changed-since', message: expect.stringContaining('are unknown') },
  ])
  expect(output.accepted).toBe(true)
})

test('links out of the repository are neither read nor resumed', async () => {
  const elsewhere = box.write(
    'secret/2026-06-01T11-00-00Z-x.md',
    '---\nmode: CREATE\n---\n# Private\n',
  )
  const path = repo.handoff('a', 2)
  symlinkSync(elsewhere, join(repo.root, 'handoffs/2026-06-01T11-00-00Z-x.md'))
  symlinkSync(join(box.root, 'secret'), join(repo.root, 'more'))
  const ended = await resume()
  expect(read(ended).handoff.path).toBe(path)
  expect(ended.stdout).not.toContain('Private')
  const chain = await box.run('chain', ...flags())
  expect(chain.stdout).not.toContain('Private')
  expect(chain.status).toBe(0)
})

test('no program that a repository names is run by resuming', async () => {
  repo.handoff('a', 2)
  repo.commit(1)
  const trap = join(repo.root, '.git/trap')
  repo.write('.git/trap', `#!/bin/sh\ntouch '${repo.root}/sprung'\ncat\n`)
  chmodSync(trap, 0o755)
  for (const setting of [
    'core.fsmonitor',
    'core.pager',
    'pager.log',
    'diff.external',
    'gpg.program',
  ])
    repo.git('config', setting, trap)
  repo.git('config', 'log.showSignature', 'true')
  expect((await resume()).status).toBe(0)
  expect((await box.run('chain', ...flags())).status).toBe(0)
  expect(existsSync(join(repo.root, 'sprung'))).toBe(false)
})

test.each([
  ['a file', () => repo.write('.waybill', '')],
  ['a link', () => symlinkSync(box.root, join(repo.root, '.waybill'))],
  [
    'a folder whose records are a link',
    () => {
      mkdirSync(join(repo.root, '.waybill'))
      symlinkSync(box.root, join(repo.root, '.waybill/records'))
    },
  ],
])('local state that is %s is refused, and nothing is written through it', async (_, make) => {
  repo.handoff('a', 2)
  make()
  const before = readdirSync(box.root)
  expect((await resume()).status).toBe(2)
  expect(readdirSync(box.root)).toEqual(before)
})

test('thousands of forks, and a predecessor that each of them names in vain', async () => {
  const first = repo.handoff('first', 20)
  for (let i = 0; i < 2000; i++)
    repo.handoff(`fork-${i}`, 19 - i / 200, { before: i % 2 === 0 ? first : 'gone.md' })
  const chain = await box.run('chain', ...flags())
  expect(chain.status).toBe(1)
  expect(chain.stdout).toContain('broken in 1000 places')
  const ended = await resume(join(repo.root, first))
  expect(read(ended)).toMatchObject({ accepted: true, chain: [] })
})

test.each([
  ['absolute', '/etc/passwd'],
  ['escaping', '../../../../../../etc/passwd'],
  ['a device', '/dev/zero'],
])('a predecessor that is %s is not opened', async (_, before) => {
  repo.handoff('a', 2, { before })
  const ended = await resume()
  expect(ended.status).toBe(1)
  expect(ended.stdout + ended.stderr).not.toContain('root:')
  expect((await box.run('chain', ...flags())).status).toBe(1)
})
