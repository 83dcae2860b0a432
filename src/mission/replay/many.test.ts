import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  LATER,
  openRecordedMissions,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { MissionSnapshot } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { verifyBundle } from './bundle.ts'
import { bundleLines } from './bundle-lines.ts'

// Each review is one too many beside every other: what is wrong is as much as their number times itself.

/** So many that to keep what is wrong with all of them would take more memory than there is. */
const REVIEWS = 2500

let missions: RecordedMissions
let snapshot: MissionSnapshot
let bytes: Uint8Array
const content = { tenant: TENANT, exportedAt: new Date(LATER).toISOString() }
beforeAll(async () => {
  missions = await openRecordedMissions()
  const finished = await missions.begin()
  await finished.finish()
  snapshot = await missions.read(finished.mission)
  const none = { log: null, entries: [] }
  const many = bundleLines({ ...content, ...none, snapshot: reviewed(snapshot) })
  bytes = Buffer.from([...many].join(''))
})
afterAll(async () => {
  await missions?.remove()
})

function reviewed(from: MissionSnapshot): MissionSnapshot {
  const review = from.artifacts.find(({ name }) => name === 'review_packet')
  if (!review) throw new Error('it was not reviewed')
  const more = Array.from({ length: REVIEWS }, (_, i) => {
    const id = `rev_${1000 + i}`
    const payload = { ...review.payload, packet_id: id }
    return { ...review, id, payload, digest: sha256(String(canonicalJson(payload))) }
  })
  return { ...from, artifacts: [...from.artifacts, ...more] }
}

test('of a bundle with millions of faults a thousand are told, and that there are more', async () => {
  const { differences } = await verifyBundle(bytes, { now: LATER })
  expect(differences).toHaveLength(1001)
  expect(new Set(differences.map(({ code }) => code))).toEqual(
    new Set(['replay/artifact-refused', 'replay/too-many']),
  )
  expect(differences.at(-1)).toMatchObject({ code: 'replay/too-many', path: '' })
})

test('of a bundle with thousands of entries that nothing proves a thousand are told', async () => {
  const none = { content: '{}', leaf: '', proof: [] }
  const entries = Array.from({ length: REVIEWS }, (_, index) => ({ index, ...none }))
  const { origin } = missions.gateway.log
  const checkpoint = (await missions.gateway.log.covered())?.note ?? ''
  const all = bundleLines({ ...content, log: { origin, checkpoint }, entries, snapshot })
  const { differences } = await verifyBundle(Buffer.from([...all].join('')), { now: LATER })
  expect(differences.filter(({ code }) => code === 'bundle/entry')).toHaveLength(1000)
  expect(differences[1000]).toMatchObject({ code: 'replay/too-many', path: '' })
})

test('the verification of a large bundle ends at its first pause once it is cancelled', async () => {
  const stop = new AbortController()
  const why = new Error('it was ended')
  const verified = verifyBundle(bytes, { now: LATER, signal: stop.signal })
  stop.abort(why)
  await expect(verified).rejects.toBe(why)
})
