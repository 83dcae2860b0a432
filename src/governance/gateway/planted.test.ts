import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder, recordSmall } from '../../../test/ledger-folder.ts'
import { formatInstant } from '../../document/index.ts'
import { FrameEncoder } from '../../ledger/file/frame.ts'
import { integrate } from '../../ledger/file/integrate.ts'
import { placesIn } from '../../ledger/file/paths.ts'
import { readTree } from '../../ledger/file/tree.ts'
import { segmentsIn } from '../../ledger/file/wal.ts'
import type { Draft } from '../../ledger/index.ts'
import logVerify from '../../operations/log-verify.ts'
import { loadConfig } from '../../workspace/index.ts'
import { draftEntry, type EntrySigner } from '../entries/entry.ts'
import { openKeys } from '../keys/open-keys.ts'
import { readTrust } from '../trust/trust.ts'
import { quarantineIn } from './quarantine.ts'
import { fileStorage } from './storage.ts'

let folder: LedgerFolder
beforeEach(async () => {
  folder = await openLedgerFolder()
  await folder.withGateway(gateway =>
    gateway.record('security-event', {
      subject: [{ name: AGENT, digest: { sha256: DIGEST } }],
      agents: [AGENT],
      says: { event: 'hash-mismatch', quarantined: [AGENT], hashes: [], reason: 'other bytes' },
    }),
  )
})
afterEach(() => folder.remove())

const AGENT = 'domain-analysis'
const DIGEST = 'ab'.repeat(32)

const config = () => loadConfig(folder.root)

/** What the gateway signs with. */
async function gatewayKey(): Promise<EntrySigner> {
  const keys = openKeys(folder.root, readTrust(await config()))
  const key = keys.signer('gateway', keys.origin ?? '', Date.now())
  if (!key) throw new Error('the gateway has no key')
  return key
}

function anyKey(): EntrySigner {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicDer = publicKey.export({ type: 'spki', format: 'der' })
  const keyid = createHash('sha256').update(publicDer).digest('hex')
  return { keyid, publicDer, sign: message => sign('sha256', message, privateKey) }
}

/** A forged statement that a person has answered for the agent. */
const reconciled = (signer: EntrySigner, at = Date.now()): Draft =>
  draftEntry(
    'reconciliation',
    {
      subject: [{ name: AGENT, digest: { sha256: DIGEST } }],
      predicate: {
        ...{ agent: AGENT, why: 'it is well', old: DIGEST, new: DIGEST, by: 'Ada' },
        ...{ standing: 'claimed', stated: '{}', at: formatInstant(at), ids: {}, agents: [AGENT] },
      },
    },
    signer,
  )

/** Puts an entry where a process leaves what it has promised. */
function plant(draft: Draft, first: number): void {
  const { wal } = placesIn(folder.ledger)
  const now = Date.now()
  const clock = { time: now, wall: now, uptime: 0, boot: '' }
  mkdirSync(wal, { recursive: true })
  writeFileSync(join(wal, String(first)), new FrameEncoder().encode(first, clock, [draft]))
}

const readQuarantine = async () =>
  quarantineIn(folder.root, await config(), fileStorage(folder.root), undefined)

const WHY = {
  code: 'ledger-tampered',
  message: expect.stringContaining('no checkpoint covers'),
}

async function expectRefused(): Promise<void> {
  const before = folder.read('checkpoint')
  await expect(folder.withGateway(gateway => recordSmall(gateway, 1))).rejects.toMatchObject(WHY)
  expect(folder.read('checkpoint')).toEqual(before)
}

test('an entry in the write-ahead log that the gateway has not signed is never taken in, read or verified', async () => {
  plant(reconciled(anyKey()), 1)
  await expectRefused()
  const asked = folder.withGateway(gateway => gateway.log.find(`agent:${AGENT}`))
  await expect(asked).rejects.toMatchObject(WHY)
  await expect(readQuarantine()).rejects.toMatchObject({ code: 'ledger-tampered' })
  const { faults, verified } = await logVerify.run({}, folder.app())
  expect(verified).toBe(false)
  expect(faults.map(({ code }) => code)).toContain('ledger/unknown-key')
  // Without it all is as it was.
  rmSync(join(placesIn(folder.ledger).wal, '1'))
  expect(Object.keys(await readQuarantine())).toEqual([AGENT])
  await folder.withGateway(gateway => recordSmall(gateway, 1))
})

test('an entry that the gateway has signed and could not take in any more is taken in', async () => {
  plant(reconciled(await gatewayKey()), 1)
  expect(Object.keys(await readQuarantine())).toEqual([AGENT])
  const receipt = await folder.withGateway(gateway => recordSmall(gateway, 1))
  expect(receipt.index).toBe(2)
})

test('an entry of before that is put behind the last one again is refused', async () => {
  const draft = reconciled(await gatewayKey())
  plant(draft, 1)
  await folder.withGateway(gateway => recordSmall(gateway, 1))
  await new Promise(resolve => setTimeout(resolve, 2))
  await folder.withGateway(gateway => recordSmall(gateway, 2))
  plant(draft, 4)
  await expectRefused()
  await expect(readQuarantine()).rejects.toMatchObject({ code: 'ledger-tampered' })
})

test('an entry that is indexed under other keys than its own is refused', async () => {
  const draft = reconciled(await gatewayKey())
  plant({ ...draft, keys: { ...draft.keys, also: [] } }, 1)
  await expectRefused()
})

test('an entry that was put into the tree itself is refused as well, with or without a promise', async () => {
  plant(reconciled(anyKey()), 1)
  const places = placesIn(folder.ledger)
  const tree = readTree(places)
  if (!tree) throw new Error('the log has no state')
  integrate({ folder: folder.ledger, tree, segments: segmentsIn(places.wal) })
  expect(readTree(places)?.frontier.size).toBe(2)
  await expectRefused()
  rmSync(join(places.wal, '1'))
  await expectRefused()
})
