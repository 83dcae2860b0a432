import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ONE_AGENT } from '../../test/one-agent.ts'
import { waybill as run } from '../../test/waybill.ts'
import { changesText } from '../cli/render/key.ts'
import { readTrust } from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-key-'))
  writeFileSync(join(root, 'prompt-manifest.json'), ONE_AGENT)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function waybill(line: string) {
  const { status, stdout, stderr } = await run([...line.split(' '), '--root', root], { cwd: root })
  return { status, out: stdout + stderr }
}

const folder = () => join(root, '.waybill/keys')
const keyFiles = () => readdirSync(folder()).filter(name => name.endsWith('.pem'))
const listedIds = async () => readTrust(await loadConfig(root)).keys.map(({ keyid }) => keyid)

test('no command says anything of a private key, in text or JSON', async () => {
  const secrets = new Set<string>()
  let said = ''
  const lines = [
    ...['init', 'key list', 'key rotate domain-01-a', 'key rotate gateway --format json'],
    ...['key list --format json', 'doctor', 'init --format json'],
    ...[
      'key revoke domain-01-a --why stolen --format json',
      'key revoke log --why lost',
      'key list',
    ],
  ]
  for (const line of lines) {
    const { status, out } = await waybill(line)
    expect([line, status]).toEqual([line, 0])
    said += out
    for (const name of keyFiles())
      for (const text of readFileSync(join(folder(), name), 'utf8').split('\n'))
        if (text !== '' && !text.startsWith('-----')) secrets.add(text)
  }
  expect(secrets.size).toBeGreaterThanOrEqual(10)
  expect(said).toContain('private key here')
  expect([...secrets].filter(secret => said.includes(secret))).toEqual([])
  expect(said).not.toContain('PRIVATE KEY')
})

test('of many that make a repository ready at once each key is made once, and none is left over', async () => {
  const ended = await Promise.all(Array.from({ length: 8 }, () => waybill('init')))
  for (const { status, out } of ended) if (status !== 0) expect(out).toMatch(/run this again/)
  expect(ended.filter(({ status }) => status === 0).length).toBeGreaterThan(0)
  const ids = await listedIds()
  expect(ids).toHaveLength(3)
  expect(
    keyFiles()
      .map(name => name.split('.').at(-2))
      .sort(),
  ).toEqual(ids.toSorted())
})

test('of many that rotate keys at once each has its turn, and the log tells of every new key', async () => {
  await waybill('init')
  const holders = ['domain-01-a', 'gateway', 'log'].flatMap(holder => [holder, holder, holder])
  const ended = await Promise.all(holders.map(holder => waybill(`key rotate ${holder}`)))
  expect(ended).toEqual(holders.map(() => ({ status: 0, out: expect.any(String) })))
  const ids = await listedIds()
  expect(ids).toHaveLength(3 + holders.length)
  expect(
    keyFiles()
      .map(name => name.split('.').at(-2))
      .sort(),
  ).toEqual(ids.toSorted())
  expect(await waybill('log verify')).toMatchObject({ status: 0 })
})

test('a key is not revoked without a reason, nor for one that repeats a credential', async () => {
  await waybill('init')
  const { status, out } = await waybill('key revoke log')
  expect([status, out]).toEqual([2, expect.stringContaining('--why')])
  const token = `ghp_${'a1B2'.repeat(9)}`
  const leaked = await waybill(`key revoke log --why ${token}`)
  expect(leaked).toMatchObject({ status: 2, out: expect.not.stringContaining(token) })
  const unknown = await waybill('key revoke nobody')
  expect([unknown.status, unknown.out]).toEqual([2, expect.stringContaining('nobody')])
  expect(keyFiles()).toHaveLength(3)
})

test('commands refuse trust that is at fault, with the place', async () => {
  writeFileSync(
    join(root, 'waybill.yaml'),
    'trust:\n  - agent: a\n    key: x\n    from: 2026-01-01T00:00:00Z\n',
  )
  for (const line of ['key list', 'key rotate a', 'key revoke a --why x', 'init']) {
    const { status, out } = await waybill(line)
    expect([line, status, out]).toEqual([line, 2, expect.stringContaining('waybill.yaml:3:10')])
  }
  expect(readdirSync(root).sort()).toEqual(['prompt-manifest.json', 'waybill.yaml'])
})

test.each([
  ['agent', true],
  ['gateway', false],
] as const)(
  'where the key of a %s is rotated, the output says what becomes of work under way',
  (kind, isTold) => {
    const [holder, at] = [{ kind, name: 'a' }, '2026-01-01T00:00:00Z']
    const change = {
      change: 'rotated',
      holder,
      keyid: 'ab',
      at,
      replaced: ['cd'],
      why: null,
    } as const
    const text = changesText({ changes: [change] }, (_, words) => words, false)
    expect(text.includes('send them again')).toBe(isTold)
  },
)

test.each([
  ['agent', 'create a new key for the agent with waybill key rotate'],
  ['log', 'waybill init creates a new log key'],
  ['person', 'people create their own keys'],
] as const)(
  'where the key of a %s is revoked, the output says who makes the next one',
  (kind, next) => {
    const holder = { kind, name: 'ada' }
    const at = '2026-01-01T00:00:00Z'
    const change = {
      change: 'revoked',
      holder,
      keyid: 'ab',
      at,
      replaced: [],
      why: 'lost',
    } as const
    const text = changesText({ changes: [change] }, (_, words) => words, false)
    expect(text).toContain(next)
    expect(text.includes('waybill init')).toBe(kind === 'log')
  },
)
