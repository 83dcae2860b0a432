import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  LATER,
  openRecordedMissions,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import type { MissionSnapshot } from '../../store/index.ts'
import { pauseMission } from '../run/control.ts'
import { evidenceOf } from './evidence.ts'
import { replaySnapshot } from './replay.ts'

let missions: RecordedMissions
/** How far missions are: done, failed, and paused after the first of their tasks. */
let all: Readonly<Record<'done' | 'failed' | 'paused', MissionSnapshot>>
beforeAll(async () => {
  missions = await openRecordedMissions()
  const [done, failed, paused] = [
    await missions.begin(),
    await missions.begin(),
    await missions.begin(),
  ]
  await done.finish()
  await done.decide('approved')
  await done.deliver()
  await failed.fail('search')
  await paused.do('search')
  await pauseMission(missions.store, { tenant: TENANT, mission: paused.mission })
  all = {
    done: await missions.read(done.mission),
    failed: await missions.read(failed.mission),
    paused: await missions.read(paused.mission),
  }
})
afterAll(async () => {
  await missions?.remove()
})

type Change = (snapshot: MissionSnapshot) => MissionSnapshot

const run =
  (change: Partial<MissionSnapshot['run']>): Change =>
  s => ({ ...s, run: { ...s.run, ...change } })
const task =
  (id: string, change: Partial<MissionSnapshot['tasks'][number]>): Change =>
  s => ({ ...s, tasks: s.tasks.map(one => (one.task === id ? { ...one, ...change } : one)) })
const both =
  (...changes: readonly Change[]): Change =>
  s =>
    changes.reduce((from, change) => change(from), s)

test.each<[string, keyof typeof all, Change, readonly string[]]>([
  ['nothing of one that is done', 'done', s => s, []],
  ['nothing of one that has failed', 'failed', s => s, []],
  ['nothing of one that is paused', 'paused', s => s, []],
  [
    'whose the calls of tools were that a result names',
    'done',
    s => ({
      ...s,
      toolCalls: s.toolCalls.map(one => (one.task === 'count' ? { ...one, task: 'weigh' } : one)),
    }),
    [0, 1].map(
      i =>
        `replay/tool-call-unknown /artifacts/worker_result/wrk_count/tool_trace_refs/${i}: the trace of the task has no such call`,
    ),
  ],
  [
    'that what has left was rejected',
    'done',
    s => ({ ...s, decisions: s.decisions.map(one => ({ ...one, decision: 'rejected' })) }),
    ['replay/decision-differs /decisions/wb_001: the proposal was rejected but delivered'],
  ],
  [
    'the place of a task, to that of another',
    'done',
    s => task('weigh', { position: s.tasks.find(one => one.task === 'count')?.position ?? 0 })(s),
    ['replay/task-unknown /tasks/weigh: another task has the same position'],
  ],
  [
    'who has made something, to one who returns no such thing',
    'done',
    s => ({
      ...s,
      outputs: s.outputs.map(one =>
        one.name === 'aggregation_packet' ? { ...one, task: 'count', position: 1 } : one,
      ),
    }),
    [
      'replay/task-output /tasks/count: a aggregation_packet is recorded as its output, which no worker returns',
      'replay/task-state /tasks/join/state: the task is done but has no aggregation_packet',
    ],
  ],
  [
    'that one which is over is paused as well',
    'done',
    run({ pausedAt: '2026-01-01T00:00:00.000Z' }),
    [
      'replay/mission-state /run/state: it is finished, but its pause time is 2026-01-01T00:00:00.000Z',
    ],
  ],
  [
    'that one which is over has no end',
    'done',
    run({ endedAt: null }),
    ['replay/mission-state /run/state: it is finished, but its end time is missing'],
  ],
  [
    'that one goes on of which no task can',
    'failed',
    run({ state: 'running', endedAt: null }),
    ['replay/mission-state /run/state: it is running, but no task is active'],
  ],
  [
    'that one is over of which tasks can go on',
    'paused',
    run({ state: 'cancelled', pausedAt: null, endedAt: new Date(LATER).toISOString() }),
    ['replay/mission-state /run/state: it is cancelled, but 2 tasks are active'],
  ],
  [
    'that a task still waits for what is done',
    'paused',
    both(task('count', { state: 'blocked' }), run({ activeTasks: 1 })),
    ['replay/task-state /tasks/count/state: it is blocked, but all its dependencies are done'],
  ],
  [
    'that a task was never started which is to be',
    'paused',
    task('count', { attempt: 0 }),
    ['replay/task-state /tasks/count/state: it is queued but was never started'],
  ],
])('a change of %s is reported, without a log as well', async (_, of, change, expected) => {
  const { differences } = await replaySnapshot(change(all[of]), { tenant: TENANT, now: LATER })
  expect(differences.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toEqual(
    expected,
  )
})

test('a task that is done by a handoff which was not accepted is reported', async () => {
  const evidence = evidenceOf(missions.gateway.log)
  const refused = {
    find: async (key: string) => (key.startsWith('accepted:') ? [] : evidence.find(key)),
  }
  const given = { tenant: TENANT, now: LATER, evidence: refused }
  const codes = async (snapshot: MissionSnapshot) =>
    (await replaySnapshot(snapshot, given)).differences.map(({ code, path }) => `${code} ${path}`)
  expect(await codes(all.done)).toEqual(
    ['search', 'count', 'weigh', 'join', 'review'].map(
      id => `replay/handoff-missing /tasks/${id}/handoff`,
    ),
  )
  // Whose handoff was refused has failed by that.
  expect(await codes(all.failed)).toEqual([])
})
