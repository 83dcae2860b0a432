import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { draftOf, openGovernedRepository } from '../../test/governed-repository.ts'
import { recordSmall } from '../../test/ledger-folder.ts'
import { carry, type Installation, type Machine, openInstallation } from '../../test/machines.ts'
import { FILE, stateFixture } from '../../test/state-folder.ts'
import { SOUND } from '../../test/test-folder.ts'
import { stopEmbedded } from '../store/index.ts'
import { loadConfig } from '../workspace/index.ts'
import accept from './accept.ts'
import doctor from './doctor.ts'
import { withGateway } from './gateway/open.ts'
import init from './init.ts'
import keyRevoke from './key-revoke.ts'
import keyRotate from './key-rotate.ts'
import lock from './lock.ts'
import logShow from './log-show.ts'
import logVerify from './log-verify.ts'
import send from './send.ts'
import advance from './state-advance.ts'

let installation: Installation | undefined
afterEach(async () => {
  await installation?.remove()
  installation = undefined
})

async function record({ root, app }: Machine, number: number): Promise<void> {
  await withGateway(app(), await loadConfig(root), gateway => recordSmall(gateway, number))
}

/** Brings what is committed, and the keys with it, to another machine. */
function bringKeys(from: Machine, to: Machine): void {
  carry(from, to, 'waybill.yaml')
  const isKey = (name: string) => name.endsWith('.pem') || name === 'origin'
  const names = readdirSync(join(from.root, '.waybill/keys')).filter(isKey)
  for (const name of names)
    copyFileSync(join(from.root, '.waybill/keys', name), join(to.root, '.waybill/keys', name))
}

test('keys that are rotated are recorded in the database, and other machines go on with the new ones', async () => {
  installation = await openInstallation()
  const { first } = installation
  const other = installation.clone()
  await record(other, 0)
  await keyRotate.run({ holder: 'gateway' }, first.app())
  await keyRotate.run({ holder: 'log' }, first.app())
  const { entries } = await logShow.run({ kind: 'key-change' }, first.app())
  expect(entries.at(-1)?.note).toMatch(/log/)
  bringKeys(first, other)
  await record(other, 1)
  expect(await logVerify.run({}, other.app())).toMatchObject({ verified: true })
  expect(await logVerify.run({}, first.app())).toMatchObject({ verified: true })
})

test('a log in a database counts where no keys are, and whom it keeps out is kept out there', async () => {
  installation = await openInstallation('ledger: postgres\npeople: claimed\n')
  const { first } = installation
  const other = installation.clone()
  rmSync(join(other.root, '.waybill'), { recursive: true })
  // Before there is a log none is found, and asking creates nothing.
  expect((await logShow.run({}, other.app())).entries).toEqual([])
  first.write('d.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
  first.write('prompts/domain-05-product.md', 'You are another agent.\n')
  expect((await send.run({ path: 'd.json' }, first.app())).quarantined).toEqual([
    'domain-05-product',
  ])
  expect((await logShow.run({}, other.app())).entries).not.toEqual([])
  expect(await logVerify.run({}, other.app())).toMatchObject({ verified: true })
  expect(await lock.run({ check: true }, other.app())).toMatchObject({
    quarantined: [{ id: 'domain-05-product' }],
  })
})

test('on a machine without the keys each command says to bring them, and no second log is begun in passing', async () => {
  installation = await openInstallation()
  await record(installation.first, 0)
  const other = installation.clone()
  rmSync(join(other.root, '.waybill'), { recursive: true })
  const origin = (await loadConfig(other.root)).trust?.find(({ log }) => log)?.log ?? ''
  const bring = expect.stringContaining('copy .waybill/keys')
  await expect(record(other, 1)).rejects.toMatchObject({ code: 'configuration', hint: bring })
  const before = other.read('waybill.yaml')
  for (const dryRun of [true, false])
    await expect(init.run({ dryRun }, other.app())).rejects.toMatchObject({
      code: 'exists',
      message: expect.stringContaining(origin),
      hint: bring,
    })
  expect(other.read('waybill.yaml')).toBe(before)
  const { items } = await doctor.run({}, other.app())
  expect(items.find(({ name }) => name === 'log')).toMatchObject({ remedy: bring })
  const { keys } = await init.run({ newLog: true }, other.app())
  expect(keys.filter(({ where }) => where === 'created').map(({ kind }) => kind)).toEqual([
    'gateway',
    'log',
  ])
})

test('a key of the log that is revoked on one machine does not shut out another that remembers its signature', async () => {
  installation = await openInstallation()
  const { first } = installation
  const other = installation.clone()
  await record(other, 0)
  const { orphaned } = await keyRevoke.run({ key: 'log', why: 'stolen' }, first.app())
  expect(orphaned).toBeGreaterThan(0)
  await expect(logShow.run({}, first.app())).rejects.toMatchObject({
    message: expect.stringMatching(/was revoked/),
  })
  await init.run({}, first.app())
  expect(await logVerify.run({}, first.app())).toMatchObject({ verified: true })
  bringKeys(first, other)
  await record(other, 1)
  expect(await logVerify.run({}, other.app())).toMatchObject({ verified: true })
})

test('a record other than a handoff is an entry in the database as well', async () => {
  installation = await openInstallation()
  const { first } = installation
  const other = installation.clone()
  first.write(FILE, stateFixture('minimal'))
  const { record } = await advance.run({ to: '4', next: 'Phase4-Again' }, first.app())
  first.write('context.json', SOUND)
  await accept.run({ path: 'context.json', session: 's-1' }, first.app())
  const { entries } = await logShow.run({ kind: 'record' }, other.app())
  expect(entries.map(({ ids }) => ids.record)).toContain(record)
  expect(entries).toHaveLength(2)
})

test('without an address the log is in the embedded database, which starts on demand', async () => {
  const repository = await openGovernedRepository('ledger: postgres\n')
  try {
    repository.write('d.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
    const app = repository.app({ environment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } })
    expect((await send.run({ path: 'd.json' }, app)).answer).toBe('sent')
    expect(await logVerify.run({}, app)).toMatchObject({ verified: true, size: 1 })
    expect(existsSync(join(repository.root, '.waybill/database'))).toBe(true)
    expect(readdirSync(join(repository.root, '.waybill/ledger'))).toEqual(['sealed'])
    expect(readdirSync(join(repository.root, '.waybill/snapshots'))).toEqual([])
  } finally {
    await stopEmbedded(join(repository.root, '.waybill'))
    repository.remove()
  }
})
