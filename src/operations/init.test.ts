import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../workspace/index.ts'
import doctor from './doctor.ts'
import { STARTER } from './init/starter.ts'
import init from './init.ts'
import keyRevoke from './key-revoke.ts'
import keyRotate from './key-rotate.ts'
import type { App } from './operation.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-init-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const app = (at = root): App => ({
  now: 0,
  root: at,
  cwd: at,
  version: '0',
  stdin: async () => new Uint8Array(),
})
const run = (dryRun = false, at = root) => init.run({ dryRun }, app(at))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const write = (path: string, text: string) => writeFileSync(join(root, path), text)
const actions = ({ steps }: Awaited<ReturnType<typeof run>>) => steps.map(s => [s.path, s.action])

test('an empty folder gets its configuration, .gitignore and private local state', async () => {
  expect(actions(await run())).toEqual([
    ['waybill.yaml', 'created'],
    ['.gitignore', 'created'],
    ['.waybill/', 'created'],
    ['.waybill/keys/', 'created'],
  ])
  expect(read('.gitignore')).toBe('.waybill/\n')
  expect(statSync(join(root, '.waybill')).mode & 0o777).toBe(0o700)
  expect(readdirSync(root).sort()).toEqual(['.gitignore', '.waybill', 'waybill.yaml'])
})

test('an existing configuration is changed, and the new folder is reported as created', async () => {
  write('waybill.yaml', 'ignore: [a/]\n')
  expect(actions(await run())).toEqual([
    ['waybill.yaml', 'changed'],
    ['.gitignore', 'created'],
    ['.waybill/', 'created'],
    ['.waybill/keys/', 'created'],
  ])
})

test('a second run changes nothing, to the byte', async () => {
  await run()
  const before = [read('waybill.yaml'), read('.gitignore')]
  expect(actions(await run()).map(([, action]) => action)).toEqual(Array(4).fill('kept'))
  expect([read('waybill.yaml'), read('.gitignore')]).toEqual(before)
})

test('a dry run says the same and writes nothing', async () => {
  const planned = await run(true)
  expect(readdirSync(root)).toEqual([])
  expect(actions(planned)).toEqual(actions(await run()))
})

test('what is there is never overwritten', async () => {
  write('waybill.yaml', 'ignore: [a/]\n')
  mkdirSync(join(root, '.waybill'))
  chmodSync(join(root, '.waybill'), 0o755)
  write('.waybill/kept', 'x')
  await run()
  // What it says stays; the keys that count are added.
  expect(read('waybill.yaml').startsWith('ignore: [a/]\ntrust:\n  - gateway: urn:')).toBe(true)
  expect(read('.waybill/kept')).toBe('x')
})

test('the configuration it writes is valid, and so is every line of it in use', async () => {
  await run()
  expect(Object.keys(await loadConfig(root))).toEqual(['trust'])
  write(
    'waybill.yaml',
    STARTER.replaceAll(/^#(?! )/gm, '').replaceAll(/^# {2,}/gm, m => m.slice(1)),
  )
  const config = await loadConfig(root)
  expect(Object.keys(config).sort().join(' ')).toBe(
    'agents ignore ledger people policies rules staleness unsigned witnesses',
  )
})

test.each([
  ['a last line without its end', 'a', 'a\n.waybill/\n'],
  ['CRLF line ends', 'a\r\nb\r\n', 'a\r\nb\r\n.waybill/\r\n'],
  ['CRLF and no last end', 'a\r\nb', 'a\r\nb\r\n.waybill/\r\n'],
  ['an empty file', '', '.waybill/\n'],
  ['a byte order mark', '\ufeffa\n', '\ufeffa\n.waybill/\n'],
  ['a line that only looks like it', '.waybill-old/\n', '.waybill-old/\n.waybill/\n'],
  ['a comment that names it', '# .waybill/\n', '# .waybill/\n.waybill/\n'],
])('.gitignore with %s gets one more line', async (_, before, after) => {
  write('.gitignore', before)
  await run()
  expect(read('.gitignore')).toBe(after)
})

test.each(['.waybill/', '/.waybill/', '.waybill', '/.waybill', 'a\r\n.waybill/\r\n'])(
  '.gitignore with %j is left alone',
  async text => {
    write('.gitignore', text)
    expect(actions(await run())).toContainEqual(['.gitignore', 'kept'])
    expect(read('.gitignore')).toBe(text)
  },
)

test('a .gitignore that links into the repository stays a link; one that leads out is refused and nothing is written', async () => {
  write('ignored', 'a\n')
  symlinkSync('ignored', join(root, '.gitignore'))
  await run()
  expect(lstatSync(join(root, '.gitignore')).isSymbolicLink()).toBe(true)
  expect(read('ignored')).toBe('a\n.waybill/\n')

  const outside = mkdtempSync(join(tmpdir(), 'waybill-outside-'))
  try {
    writeFileSync(join(outside, 'ignore'), 'a\n')
    const inner = join(root, 'inner')
    mkdirSync(inner)
    symlinkSync(join(outside, 'ignore'), join(inner, '.gitignore'))
    await expect(run(false, inner)).rejects.toMatchObject({ code: 'input-output' })
    expect(readdirSync(inner)).toEqual(['.gitignore'])
    expect(readFileSync(join(outside, 'ignore'), 'utf8')).toBe('a\n')
  } finally {
    rmSync(outside, { recursive: true })
  }
})

test('a file in the place of local state is refused before anything is written', async () => {
  write('.waybill', 'x')
  await expect(run()).rejects.toMatchObject({ code: 'exists' })
  expect(readdirSync(root)).toEqual(['.waybill'])
})

test('a configuration that a check refuses is refused before anything is written', async () => {
  write('waybill.yaml', 'rules:\n  schema/type: { severity: off, reason: x }\n')
  await expect(run()).rejects.toMatchObject({ code: 'configuration' })
  expect(readdirSync(root)).toEqual(['waybill.yaml'])
})

test('a .gitignore that is no text is refused', async () => {
  writeFileSync(join(root, '.gitignore'), Uint8Array.of(0xff, 0xfe, 0x41))
  await expect(run()).rejects.toMatchObject({ code: 'input-output' })
  expect(existsSync(join(root, 'waybill.yaml'))).toBe(false)
})

/** A manifest with two agents, as small as one can be. */
const MANIFEST = JSON.stringify({
  version: '1.0.0',
  generated: '2026-01-01T00:00:00Z',
  description: 'agents',
  taxonomy: {},
  domains: Object.fromEntries(
    ['domain-01-a', 'domain-02-b'].map(id => [
      id,
      {
        name: id,
        file: `${id}.md`,
        canonical_id: id,
        version: '1.0.0',
        scope: 'what it does',
      },
    ]),
  ),
  archetypes: {},
  governance: {},
})

test('gateway, log and the agents of the manifest get keys that trust lists, once', async () => {
  write('prompt-manifest.json', MANIFEST)
  const { keys } = await run()
  expect(keys.map(({ kind, where }) => [kind, where])).toEqual(
    ['gateway', 'log', 'agent', 'agent'].map(kind => [kind, 'created']),
  )
  const { trust } = await loadConfig(root)
  expect(trust?.map(entry => entry.agent).slice(2)).toEqual(['domain-01-a', 'domain-02-b'])
  const files = readdirSync(join(root, '.waybill/keys')).filter(name => name.endsWith('.pem'))
  expect(files.map(name => name.split('.').at(-2)).sort()).toEqual(keys.map(k => k.keyid).sort())
  const again = await run()
  expect(again.keys.map(key => key.where)).toEqual(Array(4).fill('here'))
})

test('a dry run says whose keys would be made; a clone gets a gateway and a log of its own, and no keys of agents', async () => {
  write('prompt-manifest.json', MANIFEST)
  const planned = await run(true)
  expect(planned.keys.map(({ kind, where, keyid }) => [kind, where, keyid])).toEqual(
    ['gateway', 'log', 'agent', 'agent'].map(kind => [kind, 'created', null]),
  )
  await run()
  rmSync(join(root, '.waybill'), { recursive: true })
  const clone = await run()
  expect(clone.keys.map(({ kind, where }) => [kind, where])).toEqual([
    ['gateway', 'created'],
    ['log', 'created'],
    ['agent', 'elsewhere'],
    ['agent', 'elsewhere'],
  ])
  expect(clone.steps[3]?.note).toContain('the keys of 2 agents are held elsewhere')
  expect(
    readdirSync(join(root, '.waybill/keys')).filter(name => name.endsWith('.pem')),
  ).toHaveLength(2)
})

test.each([
  ['is at fault', 'nonsense: 1\n'],
  ['trusts what is no key', 'trust: [{ agent: a, key: x, from: 2026-01-01T00:00:00Z }]\n'],
])('where the configuration %s nothing is done', async (_, text) => {
  write('waybill.yaml', text)
  await expect(run()).rejects.toMatchObject({ code: 'configuration' })
  expect(readdirSync(root)).toEqual(['waybill.yaml'])
})

test('a manifest that is at fault is named, and its agents get no keys', async () => {
  write('prompt-manifest.json', '{}')
  const { steps, keys } = await run()
  expect(keys.map(({ kind }) => kind)).toEqual(['gateway', 'log'])
  expect(steps[3]?.note).toMatch(/no keys for agents: prompt-manifest.json/)
})

test('in a linked worktree, local state stands at the root of its repository', async () => {
  const main = join(root, 'main')
  mkdirSync(main)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: main,
      stdio: 'pipe',
    })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  git('worktree', 'add', '-q', '../linked')
  const output = await run(false, join(root, 'linked'))
  expect(output.steps[2]).toMatchObject({ path: '../main/.waybill/', action: 'created' })
  expect(existsSync(join(main, '.waybill'))).toBe(true)
  expect(existsSync(join(root, 'linked/.waybill'))).toBe(false)
})

test('an agent whose key was revoked gets no new one from init, which names the way to get one', async () => {
  write('prompt-manifest.json', MANIFEST)
  await run()
  await keyRevoke.run({ key: 'domain-01-a', why: 'stolen' }, { ...app(), now: 1 })
  const { keys, steps } = await init.run({}, { ...app(), now: 2 })
  expect(keys.map(({ where }) => where)).toEqual(['here', 'here', 'here', 'revoked'])
  expect(steps[3]?.note).toContain('waybill key rotate domain-01-a')
  expect((await loadConfig(root)).trust).toHaveLength(4)
})

test('a log that was written on this machine and is not here is replaced only when that is said', async () => {
  const stateHome = join(root, 'state')
  const here = { ...app(), now: Date.now(), stateHome }
  await init.run({}, here)
  const origin = (await loadConfig(root)).trust?.[1]?.log ?? ''
  await keyRotate.run({ holder: 'gateway' }, here)
  const log = async () => (await doctor.run({}, here)).items.find(({ name }) => name === 'log')
  expect(await log()).toBeUndefined()
  rmSync(join(root, '.waybill'), { recursive: true })
  expect((await log())?.message).toContain(origin)
  const before = read('waybill.yaml')
  for (const dryRun of [true, false])
    await expect(init.run({ dryRun }, here)).rejects.toMatchObject({
      code: 'exists',
      message: expect.stringContaining(origin),
      hint: expect.stringContaining('--new-log'),
    })
  expect([read('waybill.yaml'), existsSync(join(root, '.waybill'))]).toEqual([before, false])
  // Another machine has never written that log.
  const elsewhere = await init.run({ dryRun: true }, { ...here, stateHome: join(root, 'other') })
  expect(elsewhere.steps[3]?.note).toContain(`without the entries of ${origin}`)
  const { keys } = await init.run({ newLog: true }, here)
  expect(keys.map(({ kind, where }) => [kind, where])).toEqual([
    ['gateway', 'created'],
    ['log', 'created'],
  ])
  expect(await init.run({}, here)).toMatchObject({ keys: [{ where: 'here' }, { where: 'here' }] })
})
