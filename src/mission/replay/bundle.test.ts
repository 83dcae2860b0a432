import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  LATER,
  openRecordedMissions,
  type RecordedMission,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import { canonicalJson } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { type BundleTrust, exportMission, verifyBundle } from './bundle.ts'

const MIB = 2 ** 20

let missions: RecordedMissions
let strangers: RecordedMissions
let finished: RecordedMission
let bytes: Buffer
let lines: readonly string[]
beforeAll(async () => {
  missions = await openRecordedMissions()
  strangers = await openRecordedMissions()
  finished = await missions.begin()
  await finished.finish()
  await finished.decide('approved')
  await finished.deliver()
  lines = [...(await exported(finished)).lines()]
  bytes = Buffer.from(lines.join(''))
})
afterAll(async () => {
  await missions?.remove()
  await strangers?.remove()
})

function exported({ mission }: RecordedMission, { now = LATER, log = true } = {}) {
  const { store, gateway } = missions
  return exportMission(
    store,
    { tenant: TENANT, mission },
    { now, ...(log && { log: gateway.log }) },
  )
}

const verify = (given: Uint8Array | string, more: Partial<BundleTrust> = {}) =>
  verifyBundle(typeof given === 'string' ? Buffer.from(given) : given, { now: LATER, ...more })
const codes = async (given: Uint8Array | string, more: Partial<BundleTrust> = {}) => {
  const { accepted, differences } = await verify(given, more)
  expect(accepted).toBe(differences.length === 0)
  return differences.map(({ code }) => code)
}

describe('a bundle', () => {
  test('is the same for the same mission, but for the time', async () => {
    const again = [...(await exported(finished)).lines()]
    expect(again).toEqual(lines)
    const later = [...(await exported(finished, { now: LATER + 1 })).lines()]
    expect(later.slice(1, -1)).toEqual(lines.slice(1, -1))
    expect(later[0]).not.toBe(lines[0])
  })

  test('is verified offline by the keys of its log', async () => {
    const { root, entries } = await exported(finished)
    const { trust } = missions
    expect(await verify(bytes, { trust, root })).toMatchObject({
      ...{ accepted: true, evidence: 'verified', tenant: TENANT, entries, differences: [] },
      replayed: { mission: finished.mission, state: 'finished', root },
    })
    expect(entries).toBe(7)
    expect(await verify(bytes)).toMatchObject({ accepted: true, evidence: 'unverified' })
  })

  test('of another root or another log is not taken for this one', async () => {
    expect(await codes(bytes, { root: '0'.repeat(64) })).toEqual(['bundle/not-expected'])
    expect(await codes(bytes, { trust: strangers.trust })).toEqual(['bundle/checkpoint'])
  })

  test('without a log is sound, and proves nothing to a reader who trusts a log', async () => {
    const bare = [...(await exported(finished, { log: false })).lines()].join('')
    expect(await verify(bare)).toMatchObject({ accepted: true, evidence: 'none' })
    expect(await codes(bare, { trust: missions.trust })).toEqual(['bundle/no-evidence'])
  })

  test('is judged by the time that its log proves where the clock of its reader is behind', async () => {
    const past = Date.UTC(2020, 0, 1)
    expect(await verify(bytes, { now: past })).toMatchObject({ accepted: true, differences: [] })
    // The time of export that the bundle itself states can be changed by every sender.
    const bare = [...(await exported(finished, { log: false })).lines()].join('')
    expect(new Set(await codes(bare, { now: past }))).toEqual(new Set(['replay/artifact-refused']))
  })

  test('names the payloads by the digest of the text that it holds', () => {
    const payloads = lines.map(line => JSON.parse(line)).filter(({ part }) => part === 'artifact')
    expect(payloads).toHaveLength(9)
    for (const { payload, digest } of payloads) expect(sha256(payload)).toBe(digest)
  })

  test('of a mission that still runs is verified too', async () => {
    const one = await missions.begin()
    await one.do('search')
    await one.begin('count')
    const running = [...(await exported(one)).lines()].join('')
    const { trust } = missions
    expect(await verify(running, { trust })).toMatchObject({ accepted: true, differences: [] })
  })
})

describe('what was changed is refused', () => {
  test('any byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const flipped = Buffer.from(bytes)
          flipped[at] = (flipped[at] ?? 0) ^ by
          expect((await verify(flipped)).accepted).toBe(false)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('any line that is taken out, doubled or moved, and any end that is cut off', async () => {
    for (const [i, line] of lines.entries()) {
      const rest = lines.toSpliced(i, 1)
      const moved = rest.toSpliced((i + 1) % lines.length, 0, line)
      for (const other of [rest, lines.toSpliced(i, 0, line), moved, lines.slice(0, i)])
        expect((await codes(other.join('')))[0]).toMatch(/^bundle\/(?:malformed|digest-differs)$/)
    }
  })

  const head = () => JSON.parse(lines[0] ?? '')
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  test.each<[string, () => string | Uint8Array, string]>([
    ['nothing', () => '', 'bundle/malformed'],
    ['no line end', () => bytes.subarray(0, -1), 'bundle/malformed'],
    ['something after the manifest', () => `${bytes}\n`, 'bundle/malformed'],
    ['a mark at the beginning', () => `\ufeff${bytes}`, 'bundle/malformed'],
    ['other line ends', () => `${bytes}`.replaceAll('\n', '\r\n'), 'bundle/malformed'],
    [
      'bytes that are no text',
      () => Buffer.concat([Buffer.from([0xff]), bytes]),
      'bundle/malformed',
    ],
    ['a deep value', () => `${deep}\n`, 'bundle/malformed'],
    ['deep keys', () => `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}\n`, 'bundle/malformed'],
    [
      'a key twice',
      () => `${bytes}`.replace('{"exportedAt"', '{"exportedAt":"x","exportedAt"'),
      'bundle/malformed',
    ],
    [
      'a key too many',
      () => `${canonicalJson({ ...head(), z: 1 })}\n${lines.slice(1).join('')}`,
      'bundle/malformed',
    ],
    [
      'a prototype',
      () => `${bytes}`.replace('"format"', '"__proto__":{"accepted":true},"format"'),
      'bundle/malformed',
    ],
    [
      'a version that is to come',
      () => `${canonicalJson({ ...head(), version: 'v2' })}\n${lines.slice(1).join('')}`,
      'bundle/version',
    ],
    ['a null', () => 'null\n', 'bundle/malformed'],
    ['a line of more than 64 MiB', () => Buffer.alloc(64 * MIB + 1, 'x'), 'bundle/too-large'],
    ['more than 512 MiB', () => Buffer.alloc(512 * MIB + 1), 'bundle/too-large'],
    ['two bundles', () => `${bytes}${bytes}`, 'bundle/malformed'],
  ])('%s', async (_, given, code) => {
    expect(await codes(given())).toEqual([code])
  })

  test('whatever the bytes are, the answer tells, and nothing is thrown', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...lines),
      fc.json().map(text => `${text}\n`),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async pieces => {
        expect((await verify(pieces.join(''))).accepted).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})
