import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  LATER,
  openRecordedMissions,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import { canonicalJson } from '../../ledger/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { type Exported, exportMission, openBundle, verifyBundle } from './bundle.ts'
import { type BundleContent, bundleLines } from './bundle-lines.ts'

let missions: RecordedMissions
let exported: Exported
let content: BundleContent
beforeAll(async () => {
  missions = await openRecordedMissions()
  const { store, gateway, trust } = missions
  const finished = await missions.begin()
  await finished.finish()
  const { mission } = finished
  const options = { now: LATER, log: gateway.log }
  exported = await exportMission(store, { tenant: TENANT, mission }, options)
  const opened = await openBundle(Buffer.from([...exported.lines()].join('')), {
    now: LATER,
    trust,
  })
  if (!opened.content) throw new Error(JSON.stringify(opened.verified.differences))
  content = opened.content
})
afterAll(async () => {
  await missions?.remove()
})

async function codes(text: string, root?: string): Promise<readonly string[]> {
  const { trust } = missions
  const verified = await verifyBundle(Buffer.from(text), { now: LATER, trust, root })
  return verified.differences.map(({ code }) => code)
}

/** It is handed to no task: only the root vouches for the last artifact. */
const REVIEW = 'rev_001'

type Change = (from: BundleContent) => BundleContent
const artifacts =
  (change: (one: Artifact) => Artifact): Change =>
  from => ({
    ...from,
    snapshot: { ...from.snapshot, artifacts: from.snapshot.artifacts.map(change) },
  })
type Artifact = BundleContent['snapshot']['artifacts'][number]
const entry =
  (change: (one: BundleContent['entries'][number]) => object): Change =>
  from => ({ ...from, entries: from.entries.map(one => ({ ...one, ...change(one) })) })
const renamed = (payload: object) => ({ payload: { ...payload }, digest: digestOf(payload) })
const digestOf = (payload: object) => sha256(String(canonicalJson(payload)))

test.each<[string, Change, string]>([
  [
    'an artifact of another mission',
    artifacts(one =>
      one.name === 'review_packet'
        ? {
            ...one,
            ...renamed({ ...one.payload, mission_id: '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10' }),
          }
        : one,
    ),
    'replay/id-differs',
  ],
  [
    'two payloads that were exchanged',
    from => {
      const [a, b] = from.snapshot.artifacts.filter(({ name }) => name === 'worker_result')
      return artifacts(one => (one === a ? { ...one, payload: b?.payload ?? null } : one))(from)
    },
    'replay/digest-differs',
  ],
  [
    'an artifact that was not asked for',
    from => ({
      ...from,
      snapshot: { ...from.snapshot, outputs: from.snapshot.outputs.slice(1) },
    }),
    'replay/artifact-unaccounted',
  ],
  ['no entries', from => ({ ...from, entries: [] }), 'replay/handoff-missing'],
  ['no log', from => ({ ...from, log: null }), 'bundle/no-evidence'],
  ['another place', entry(({ index }) => ({ index: index + 1 })), 'bundle/entry'],
  ['another content', entry(() => ({ content: 'something' })), 'bundle/entry'],
  ['no proof', entry(() => ({ proof: [] })), 'bundle/entry'],
  [
    'a proof that is too long',
    entry(({ proof }) => ({ proof: [...proof, 'AAAA'] })),
    'bundle/entry',
  ],
  ['a leaf of its own', entry(() => ({ leaf: 'AAAA' })), 'bundle/entry'],
  [
    'the contents of two entries exchanged',
    from =>
      entry(one => ({
        content: (from.entries[0] === one ? from.entries[1] : from.entries[0])?.content,
      }))(from),
    'bundle/entry',
  ],
  [
    'a log of another name',
    from => ({ ...from, log: from.log && { ...from.log, origin: 'example.org/other' } }),
    'bundle/checkpoint',
  ],
  [
    'a checkpoint that says more',
    from => ({
      ...from,
      log: from.log && {
        ...from.log,
        checkpoint: from.log.checkpoint.replace(/\n([0-9]+)\n/, '\n99\n'),
      },
    }),
    'bundle/checkpoint',
  ],
])(
  'a bundle that was rewritten, with digests that fit, is refused for %s',
  async (_, change, code) => {
    const remade = [...bundleLines(change(content))].join('')
    const found = await codes(remade)
    expect(found).toContain(code)
  },
)

test('one whose digests, results and handoffs fit is not what was exported, by its root', async () => {
  const { root } = exported
  const approved_output = { summary: 'something better' }
  const change: Change = from => {
    const changed = artifacts(one =>
      one.id === REVIEW ? { ...one, ...renamed({ ...one.payload, approved_output }) } : one,
    )(from)
    const digest = changed.snapshot.artifacts.find(({ id }) => id === REVIEW)?.digest ?? ''
    const outputs = changed.snapshot.outputs.map(one =>
      one.id === REVIEW ? { ...one, digest } : one,
    )
    return { ...changed, snapshot: { ...changed.snapshot, outputs } }
  }
  const remade = [...bundleLines(change(content))].join('')
  expect(await codes(remade, root)).toEqual(['bundle/not-expected'])
})
