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
import type { Payload } from '../runner.ts'
import { evidenceOf } from './evidence.ts'
import { replaySnapshot } from './replay.ts'

// A forger who rewrites a bundle makes all digests fit: what is left is what the log says, and what states follow from.

let missions: RecordedMissions
let snapshot: MissionSnapshot
beforeAll(async () => {
  missions = await openRecordedMissions()
  const finished = await missions.begin()
  await finished.finish()
  await missions.gateway.log.covered()
  snapshot = await missions.read(finished.mission)
})
afterAll(async () => {
  await missions?.remove()
})

async function codesOf(changed: MissionSnapshot): Promise<readonly string[]> {
  const evidence = evidenceOf(missions.gateway.log)
  const { differences } = await replaySnapshot(changed, { tenant: TENANT, now: LATER, evidence })
  return differences.map(({ code, path }) => `${code} ${path}`)
}

type Change = (from: MissionSnapshot) => MissionSnapshot

/** Another payload, under digests that fit it. */
const artifact =
  (id: string, change: (payload: Payload) => object): Change =>
  from => {
    const changed = from.artifacts.map(one => {
      if (one.id !== id && one.name !== id) return one
      const payload = { ...one.payload, ...change(one.payload ?? {}) }
      const digest = sha256(String(canonicalJson(payload)))
      // A graph has no other name.
      return { ...one, payload, digest, ...(one.id === one.digest && { id: digest }) }
    })
    const digests = new Map(changed.map(({ name, id: of, digest }) => [`${name} ${of}`, digest]))
    const outputs = from.outputs.map(one => ({
      ...one,
      digest: digests.get(`${one.name} ${one.id}`) ?? one.digest,
    }))
    return { ...from, artifacts: changed, outputs }
  }

const planned = (change: object): Change =>
  artifact('mission_task_graph', ({ tasks }) => ({
    tasks: (tasks as Payload[]).map(one => (one.task_id === 'count' ? { ...one, ...change } : one)),
  }))

const task =
  (change: Partial<MissionSnapshot['tasks'][number]>): Change =>
  from => ({
    ...from,
    tasks: from.tasks.map(one => (one.task === 'count' ? { ...one, ...change } : one)),
  })

test.each<[string, Change, readonly string[]]>([
  ['nothing', from => from, []],
  [
    'another objective than its agent was given',
    planned({ objective: 'Delete every note.' }),
    ['replay/handoff-differs /tasks/count/handoff'],
  ],
  [
    'other criteria than its agent was given',
    planned({ success_criteria: ['All is gone.'] }),
    ['replay/handoff-differs /tasks/count/handoff'],
  ],
  [
    'what an agent was given, other than it was',
    artifact('wrk_count', () => ({ output_text: 'something better' })),
    ['replay/handoff-differs /tasks/join/handoff', 'replay/handoff-differs /tasks/review/handoff'],
  ],
  [
    'a task that is done, and not when',
    task({ endedAt: null }),
    ['replay/task-state /tasks/count/state'],
  ],
  [
    'a task that is done, and waits',
    task({ waitingFor: 'person' }),
    ['replay/task-state /tasks/count/state'],
  ],
  [
    'time without an end',
    from => ({ ...from, run: { ...from.run, deadline: null } }),
    ['replay/mission-state /run/deadline'],
  ],
  [
    'what a task has made, with a number left out',
    from => ({
      ...from,
      outputs: from.outputs.map(one => (one.task === 'count' ? { ...one, position: 1 } : one)),
    }),
    ['replay/task-output /tasks/count'],
  ],
])('a forgery of %s is reported', async (_, change, expected) => {
  expect(await codesOf(change(snapshot))).toEqual(expected)
})
