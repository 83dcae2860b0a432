import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { recordSmall } from '../../test/ledger-folder.ts'
import { entriesOf } from '../../test/log-entries.ts'
import { loadConfig } from '../workspace/index.ts'
import { withGateway } from './gateway/open.ts'
import init from './init.ts'
import keyRevoke from './key-revoke.ts'
import keyRotate from './key-rotate.ts'
import logVerify from './log-verify.ts'
import send from './send.ts'

const PRODUCT = 'domain-05-product'

let repository: GovernedRepository
beforeEach(async () => {
  repository = await openGovernedRepository()
  repository.write('draft.json', JSON.stringify(draftOf(PRODUCT, 'domain-02-analysis')))
  await send.run({ path: 'draft.json' }, repository.app())
})
afterEach(() => repository.remove())

const at = (path: string) => join(repository.root, path)
const revoke = (key: string) => keyRevoke.run({ key, why: 'lost' }, repository.app())
const rotate = (holder = PRODUCT) => keyRotate.run({ holder }, repository.app())
const state = () => ({
  config: readFileSync(at('waybill.yaml'), 'utf8'),
  keys: readdirSync(at('.waybill/keys')).sort(),
})

test.each([PRODUCT, 'gateway', 'log'])(
  'where the log is gone the key of %s is not rotated, and nothing is changed',
  async holder => {
    const before = state()
    renameSync(at('.waybill/ledger'), at('kept'))
    await expect(rotate(holder)).rejects.toMatchObject({ code: 'ledger-tampered' })
    expect(state()).toEqual(before)
    renameSync(at('kept'), at('.waybill/ledger'))
    await rotate(holder)
    expect((await entriesOf(repository)).at(-1)).toMatchObject({ kind: 'key-change' })
  },
)

test('a change that cannot be recorded is undone, and the error names the way on', async () => {
  const before = state()
  const place = at('.waybill/ledger/.state/wal')
  let changed = before
  // Just then the log can be written no more: the key is made and listed already.
  const recording = () => {
    changed = state()
    rmSync(place, { recursive: true, force: true })
    writeFileSync(place, '')
  }
  const app = repository.app({ recording })
  await expect(keyRotate.run({ holder: PRODUCT }, app)).rejects.toMatchObject({
    code: 'input-output',
    message: expect.stringContaining(place),
    hint: expect.stringMatching(/try again$/),
  })
  expect(changed.keys).toHaveLength(before.keys.length + 1)
  expect(changed.config).not.toBe(before.config)
  expect(state()).toEqual(before)
  rmSync(place)
  await rotate()
  expect(state().keys).toHaveLength(before.keys.length + 1)
})

const takeAway = (kind: string) => {
  const names = readdirSync(at('.waybill/keys')).filter(name => name.startsWith(`${kind}.`))
  expect(names).toHaveLength(1)
  for (const name of names) rmSync(at(`.waybill/keys/${name}`))
}

test.each(['gateway', 'log'])(
  'where the key of the %s is not here no key is rotated without the log, and nothing is changed',
  async kind => {
    takeAway(kind)
    const before = state()
    await expect(rotate()).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(`waybill.yaml lists for the ${kind} `),
    })
    expect(state()).toEqual(before)
  },
)

test('where there is no log of ours the key of an agent is rotated all the same', async () => {
  rmSync(at('.waybill'), { recursive: true })
  await expect(rotate()).resolves.toMatchObject({ changes: [{ change: 'rotated' }] })
})

test('a key is revoked where the log can sign nothing, and a message says that the log lacks it', async () => {
  takeAway('gateway')
  const notices: string[] = []
  const app = repository.app({ tell: line => notices.push(line) })
  const { changes } = await keyRevoke.run({ key: PRODUCT, why: 'stolen' }, app)
  expect(changes).toMatchObject([{ change: 'revoked' }])
  expect(state().config).toContain('revoked: ')
  expect(notices).toEqual([
    expect.stringMatching(/^the change is in waybill\.yaml but not in the log: /),
  ])
})

test('where a key can neither be recorded nor undone, both failures are reported with the key', async () => {
  const before = state()
  const place = at('.waybill/ledger/.state/wal')
  let edited = ''
  // While the change is being recorded the log becomes unwritable, and the configuration is edited.
  const recording = () => {
    rmSync(place, { recursive: true, force: true })
    writeFileSync(place, '')
    edited = `${state().config}# looked over\n`
    writeFileSync(at('waybill.yaml'), edited)
  }
  const error = await keyRotate
    .run({ holder: PRODUCT }, repository.app({ recording }))
    .catch((thrown: unknown) => thrown)
  const after = state()
  expect(after.config).toBe(edited)
  const [added = ''] = after.keys.filter(name => !before.keys.includes(name))
  const keyid = added.split('.').at(-2)
  expect(keyid).toMatch(/^[0-9a-f]{64}$/)
  expect(error).toMatchObject({
    code: 'input-output',
    message: expect.stringMatching(
      new RegExp(
        `.*wal.*; the new key ${keyid} of agent ${PRODUCT} is not in the log .*: waybill\\.yaml was changed`,
        's',
      ),
    ),
    hint: expect.stringContaining('rotate the key again'),
  })
})

test.each([
  ['the gateway rotated', () => rotate('gateway')],
  ['the log rotated', () => rotate('log')],
  ['the gateway revoked', () => revoke('gateway')],
  ['the log revoked', () => revoke('log')],
  ['an agent rotated', () => rotate()],
  ['an agent revoked', () => revoke(PRODUCT)],
])(
  'who is at work while others have the key of %s records nothing more with the old one',
  async (_, change) => {
    const config = await loadConfig(repository.root)
    await withGateway(repository.app(), config, async gateway => {
      await recordSmall(gateway, 0)
      await gateway.log.covered()
      await change()
      await expect(recordSmall(gateway, 1)).rejects.toMatchObject({
        code: 'conflict',
        hint: expect.stringContaining('restart long-running'),
      })
    })
    await init.run({}, repository.app())
    await withGateway(repository.app(), await loadConfig(repository.root), gateway =>
      recordSmall(gateway, 2),
    )
    expect(await logVerify.run({}, repository.app())).toMatchObject({ verified: true, faults: [] })
  },
)

test('what was recorded before the new key counts was signed by the old one in its time, also where gateway time is ahead', async () => {
  const ahead = Date.now() + 1500
  const config = await loadConfig(repository.root)
  const early = repository.app({ clock: () => ahead })
  await withGateway(early, config, gateway => recordSmall(gateway, 0))
  const { changes } = await rotate('gateway')
  expect(changes[0]?.at).toBe(new Date(ahead + 1).toISOString())
  expect(await logVerify.run({}, repository.app())).toMatchObject({ verified: true, faults: [] })
})

test('a process that begins between the creation and the listing of the gateway’s new key records nothing', async () => {
  const config = await loadConfig(repository.root)
  const [name = ''] = readdirSync(at('.waybill/keys')).filter(name => name.startsWith('gateway.'))
  const made = at(`.waybill/keys/gateway.${'0'.repeat(64)}.pem`)
  writeFileSync(made, readFileSync(at(`.waybill/keys/${name}`)), { mode: 0o600 })
  const record = () => withGateway(repository.app(), config, gateway => recordSmall(gateway, 0))
  await expect(record()).rejects.toMatchObject({ code: 'conflict' })
  // What a killed process has left behind stays, and blocks no other.
  const before = Date.now() / 1000 - 100
  utimesSync(made, before, before)
  await expect(record()).resolves.toMatchObject({ digest: expect.any(String) })
})

test('a process that read the configuration before the gateway’s key was rotated records nothing', async () => {
  const config = await loadConfig(repository.root)
  await rotate('gateway')
  const recorded = withGateway(repository.app(), config, gateway => recordSmall(gateway, 0))
  await expect(recorded).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('waybill.yaml'),
  })
})
