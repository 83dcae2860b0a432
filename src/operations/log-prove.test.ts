import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPair, type Pair } from '../../test/governed-pair.ts'
import { buildGoChecker, hasGo, NEEDS_GO } from '../../test/interop/go.ts'
import { text as bundleText } from '../cli/render/log-bundle.ts'
import { text as checkpointText } from '../cli/render/log-checkpoint.ts'
import { text as proofText } from '../cli/render/log-prove.ts'
import { openTrusted } from '../governance/audit/checkpoint.ts'
import { auditTrustIn } from '../governance/audit/trust.ts'
import { digestBytes } from '../governance/index.ts'
import { fromHex, logIdOf, parseNote, verifyInclusionFile } from '../ledger/index.ts'
import approve from './approve.ts'
import logBundle from './log-bundle.ts'
import logCheckpoint from './log-checkpoint.ts'
import logErase from './log-erase.ts'
import logProve from './log-prove.ts'

let pair: Pair
let handoffs: string[]
beforeAll(async () => {
  pair = await openPair('people: claimed\n')
  handoffs = []
  for (let count = 0; count < 3; count++)
    handoffs.push((await pair.receive(await pair.bring())).handoff ?? '')
})
afterAll(() => pair.remove())

const app = () => pair.receiver.app()
const plain = (_: string, words: string) => words
const trust = async () => {
  const { keys, gateway } = await logCheckpoint.run({}, app())
  return auditTrustIn([...keys, ...gateway])
}

describe('a proof', () => {
  test.each([
    ['its index', () => '1'],
    ['the id of its handoff', () => handoffs[1] ?? ''],
  ])('of an entry named by %s checks offline', async (_, word) => {
    const output = await logProve.run({ entry: word() }, app())
    expect(output).toMatchObject({ proves: 'inclusion', index: 1, size: 3, file: null })
    const trusted = await trust()
    const open = async (note: string) => {
      const opened = openTrusted(note, trusted)
      return 'code' in opened ? { fault: opened.detail } : { ...opened, verified: [] }
    }
    const leaf = fromHex(output.leaf ?? '') ?? new Uint8Array()
    const proof = proofText(output, plain, app(), false)
    expect(await verifyInclusionFile(digestBytes, proof, leaf, open)).toMatchObject({ index: 1 })
    const other = leaf.with(0, (leaf[0] ?? 0) ^ 1)
    expect(await verifyInclusionFile(digestBytes, proof, other, open)).toHaveProperty('fault')
  })

  test('of an entry named by its digest is of that entry, though others speak of it', async () => {
    const { digest } = await logProve.run({ entry: '0' }, app())
    expect(await logProve.run({ entry: digest ?? '' }, app())).toMatchObject({ index: 0 })
  })

  test('is written to a new file, and never over another', async () => {
    const output = await logProve.run({ entry: '2', out: '2.tlog-proof' }, app())
    expect(output.file).toBe('2.tlog-proof')
    expect(readFileSync(join(pair.receiver.root, '2.tlog-proof'), 'utf8')).toBe(output.proof)
    expect(proofText(output, plain, app(), false)).toMatch(
      /^✓ 2.tlog-proof proves that entry 2 is one of [0-9]+ entries of urn:/,
    )
    await expect(logProve.run({ entry: '2', out: '2.tlog-proof' }, app())).rejects.toMatchObject({
      code: 'exists',
      hint: expect.stringContaining('--out'),
    })
  })

  test.each([
    [
      'a word that several entries have',
      { entry: 'domain-05-product' },
      'usage',
      '0 (handoff-accepted',
    ],
    ['a word that no entry has', { entry: 'nobody' }, 'not-found', ''],
    ['an index behind the last', { entry: '3' }, 'not-found', ''],
    ['a size behind the last', { from: 4 }, 'not-found', ''],
    ['a size that is none', { from: 1.5 }, 'usage', ''],
    ['both', { entry: '0', from: 1 }, 'usage', ''],
    ['nothing', {}, 'usage', ''],
  ])('of %s is refused', async (_, given, code, hint) => {
    const error = await logProve.run(given, app()).catch(thrown => thrown)
    expect(error).toMatchObject({ code })
    expect(error.hint ?? '').toContain(hint)
  })
})

test('growth from an earlier size is described in words', async () => {
  const output = await logProve.run({ from: 1, out: 'grown.add-checkpoint' }, app())
  expect(proofText(output, plain, app(), false)).toBe(
    `✓ grown.add-checkpoint proves that ${output.origin} has only grown, from 1 entry to 3`,
  )
  const first = await logProve.run({ from: 0, out: 'first.add-checkpoint' }, app())
  expect(proofText(first, plain, app(), false)).toContain('growth from 0 entries needs no proof')
})

test('the checkpoint is printed as the note that it is, and its keys one a line', async () => {
  const output = await logCheckpoint.run({}, app())
  const note = readFileSync(join(pair.receiver.root, '.waybill/ledger/checkpoint'), 'utf8')
  expect(checkpointText(output, plain, app())).toBe(note)
  expect(parseNote(note)).not.toHaveProperty('fault')
  expect(output).toMatchObject({ size: 3, signers: [{ log: true }] })
  const keys = await logCheckpoint.run({ key: true }, app())
  expect(checkpointText(keys, plain, app())).toBe([...keys.keys, ...keys.gateway].join('\n'))
})

/** A verifier of the Sigstore project that trusts this log and its gateway alone. */
async function sigstore(): Promise<Verifier> {
  const { keys, gateway, origin } = await logCheckpoint.run({}, app())
  const publicKey = Buffer.from(keys[0]?.split('+').slice(2).join('+') ?? '', 'base64').subarray(1)
  const log = {
    // It has to hold the name that the checkpoint is signed under.
    baseUrl: `https://${origin}`,
    hashAlgorithm: 1,
    publicKey: {
      rawBytes: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]),
      keyDetails: 7,
    },
    logId: { keyId: Buffer.from(logIdOf(digestBytes, { name: origin, type: 1, publicKey })) },
    checkpointKeyId: undefined,
    operator: '',
  }
  const der = Buffer.from(gateway[0] ?? '', 'base64')
  const root = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot.v0.2+json',
    tlogs: [log],
    certificateAuthorities: [],
    ctlogs: [],
    timestampAuthorities: [],
  }
  const hint = Buffer.from(digestBytes(der)).toString('hex')
  return new Verifier(toTrustMaterial(root, { [hint]: { rawBytes: der, keyDetails: 5 } }), {
    tlogThreshold: 1,
    ctlogThreshold: 0,
    timestampThreshold: 0,
  })
}

describe('a bundle', () => {
  test('of an entry that a real receive has made is accepted by the Sigstore verifier', async () => {
    const verifier = await sigstore()
    for (const index of [0, 1, 2]) {
      const output = await logBundle.run({ entry: String(index) }, app())
      const printed = bundleText(output, plain, app(), false)
      expect(() =>
        verifier.verify(toSignedEntity(bundleFromJSON(JSON.parse(printed)))),
      ).not.toThrow()
      const payload = output.bundle.dsseEnvelope as { payload: string }
      const other = Buffer.from(payload.payload, 'base64')
      other[40] = (other[40] ?? 0) ^ 1
      const changed = JSON.parse(printed)
      changed.dsseEnvelope.payload = other.toString('base64')
      expect(() => verifier.verify(toSignedEntity(bundleFromJSON(changed)))).toThrow()
    }
  })

  test('of an erased entry cannot be made, and its proof still can', async () => {
    await logErase.run({ digest: '0', by: 'ada', why: 'a name' }, app())
    await expect(logBundle.run({ entry: '0' }, app())).rejects.toMatchObject({ code: 'not-found' })
    expect(await logProve.run({ entry: '0' }, app())).toMatchObject({ index: 0 })
  })
})

describe.skipIf(!hasGo)(`Go’s own checksum database${NEEDS_GO}`, () => {
  test('verifies our log with the proofs that are written', async () => {
    const { root } = pair.receiver
    await logProve.run({ entry: '1', out: 'go.tlog-proof' }, app())
    await logProve.run({ from: 2, out: 'go.add-checkpoint' }, app())
    const { keys } = await logCheckpoint.run({}, app())
    const check = buildGoChecker(root)
    const files = ['go.tlog-proof', 'go.add-checkpoint'].map(file => join(root, file))
    expect(check(join(root, '.waybill/ledger'), keys[0] ?? '', ...files)).toMatchObject({
      status: 0,
    })
  })
})

test('a proof named by a handoff that was answered twice is of its last answer', async () => {
  const brought = await pair.bring()
  const { handoff } = await pair.receive(brought)
  await pair.receive(brought)
  const { index, size } = await logProve.run({ entry: handoff ?? '' }, app())
  expect(index).toBe((size ?? 0) - 1)
})

describe('a handoff that people spoke of after it was answered', () => {
  test('is proved and exported by its answer', async () => {
    const path = await pair.bring()
    const answered = await pair.receive(path)
    const entry = answered.handoff ?? ''
    const { index } = answered.receipt
    await approve.run({ handoff: path, by: 'ada', why: 'seen' }, app())
    expect(await logProve.run({ entry }, app())).toMatchObject({ index })
    expect(await logBundle.run({ entry }, app())).toMatchObject({ index })
    await logErase.run({ digest: String(index), by: 'ada', why: 'private' }, app())
    const proved = await logProve.run({ entry, out: 'erased.tlog-proof' }, app())
    expect(proved).toMatchObject({ index, erased: true })
    expect(proofText(proved, plain, app(), false)).toContain('its content was erased')
    await expect(logBundle.run({ entry }, app())).rejects.toThrow(`entry ${index} was erased`)
  })

  test('is neither while it has no answer', async () => {
    const path = await pair.bring()
    const { receipt, handoff: entry } = await approve.run(
      { handoff: path, by: 'ada', why: 'seen' },
      app(),
    )
    const error = await logProve.run({ entry }, app()).catch(thrown => thrown)
    expect(error).toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining(`${receipt?.index}`),
    })
    expect(await logProve.run({ entry: `${receipt?.index}` }, app())).toMatchObject({
      index: receipt?.index,
    })
  })
})
