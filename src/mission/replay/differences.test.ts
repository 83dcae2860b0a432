import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  LATER,
  openRecordedMissions,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import type { MissionSnapshot } from '../../store/index.ts'
import { evidenceOf } from './evidence.ts'
import { replaySnapshot } from './replay.ts'

let missions: RecordedMissions
let snapshot: MissionSnapshot
beforeAll(async () => {
  missions = await openRecordedMissions()
  const finished = await missions.begin()
  await finished.wait('search')
  await finished.answer('search', 'Bob')
  await finished.do('search')
  await finished.finish()
  await finished.decide('approved')
  await finished.deliver()
  await missions.gateway.log.covered()
  snapshot = await missions.read(finished.mission)
})
afterAll(async () => {
  await missions?.remove()
})

async function codesOf(changed: MissionSnapshot): Promise<readonly string[]> {
  const evidence = evidenceOf(missions.gateway.log)
  const { differences } = await replaySnapshot(changed, { tenant: TENANT, now: LATER, evidence })
  return [...new Set(differences.map(({ code, path }) => `${code} ${path}`))]
}

type Change = (snapshot: MissionSnapshot) => MissionSnapshot

const task =
  (id: string, change: Partial<MissionSnapshot['tasks'][number]>): Change =>
  s => ({ ...s, tasks: s.tasks.map(one => (one.task === id ? { ...one, ...change } : one)) })
const artifact =
  (name: string, change: (payload: Readonly<Record<string, unknown>>) => object): Change =>
  s => ({
    ...s,
    artifacts: s.artifacts.map(one =>
      one.name === name
        ? { ...one, payload: { ...one.payload, ...change(one.payload ?? {}) } }
        : one,
    ),
  })
const run =
  (change: Partial<MissionSnapshot['run']>): Change =>
  s => ({ ...s, run: { ...s.run, ...change } })
const decision =
  (change: Partial<MissionSnapshot['decisions'][number]>): Change =>
  s => ({ ...s, decisions: s.decisions.map(one => ({ ...one, ...change })) })

test.each<[string, Change, readonly RegExp[]]>([
  ['nothing', s => s, []],
  [
    'a payload, and not its digest',
    artifact('review_packet', () => ({ issues: [] })),
    [/^replay\/digest-differs \/artifacts\/review_packet\/rev_001$/],
  ],
  [
    'the mission that an artifact names',
    artifact('review_packet', () => ({ mission_id: '00000000-0000-4000-8000-000000000000' })),
    [/^replay\/id-differs/, /^replay\/digest-differs/, /^replay\/artifact-refused/],
  ],
  [
    'the tenant of the envelope',
    artifact('mission_envelope', () => ({ tenant_id: 'other' })),
    [/^replay\/digest-differs/, /^replay\/tenant-differs .*\/tenant_id$/],
  ],
  [
    'a reference of a claim',
    artifact('aggregation_packet', () => ({
      evidence_matrix: [{ claim: 'c', support_refs: ['wrk_404'] }],
    })),
    [/^replay\/digest-differs/, /^replay\/artifact-refused .*support_refs\/0$/],
  ],
  [
    'an artifact that is gone',
    s => ({ ...s, artifacts: s.artifacts.filter(({ name }) => name !== 'research_artifact') }),
    [
      /^replay\/artifact-missing \/tasks\/search$/,
      /^replay\/task-state \/tasks\/search\/state$/,
      /^replay\/handoff-differs \/tasks\/(count|weigh|join|review)\/handoff$/,
    ],
  ],
  [
    'an artifact that no task has made',
    s => ({ ...s, outputs: s.outputs.filter(({ name }) => name !== 'writeback_proposal') }),
    [/^replay\/artifact-unaccounted \/artifacts\/writeback_proposal\/wb_001$/],
  ],
  [
    'an envelope that is gone',
    s => ({ ...s, artifacts: s.artifacts.filter(({ name }) => name !== 'mission_envelope') }),
    [/^replay\/artifact-refused/, /^replay\/artifact-missing \/artifacts\/mission_envelope$/],
  ],
  [
    'who has made something',
    s => ({
      ...s,
      outputs: s.outputs.map(one => (one.task === 'count' ? { ...one, task: 'search' } : one)),
    }),
    [/^replay\/task-output \/tasks\/search$/, /^replay\/task-output .*wrk_count/, /task-state/],
  ],
  [
    'two that have made the same',
    s => ({
      ...s,
      outputs: [...s.outputs, ...s.outputs.filter(({ task: id }) => id === 'count')],
    }),
    [/^replay\/task-output .*wrk_count$/, /^replay\/task-output \/tasks\/count$/],
  ],
  [
    'a task that is gone',
    s => ({ ...s, tasks: s.tasks.filter(({ task: id }) => id !== 'review') }),
    [
      /^replay\/task-missing \/tasks\/review$/,
      /^replay\/task-output \/tasks\/review$/,
      /tokensUsed$/,
    ],
  ],
  [
    'a task that is not planned',
    s => ({ ...s, tasks: [...s.tasks, { ...s.tasks[0], task: 'x' } as never] }),
    [/^replay\/task-unknown \/tasks\/x$/, /tokensUsed$/, /^replay\/(handoff|answer)-differs/],
  ],
  [
    'a state, back to before',
    task('count', { state: 'queued' }),
    [
      /^replay\/task-state \/tasks\/join\/state$/,
      /^replay\/task-state \/tasks\/count\/state$/,
      /openTasks$/,
      /activeTasks$/,
      /^replay\/mission-state \/run\/state$/,
    ],
  ],
  [
    'a mission that is said to go on',
    run({ state: 'running', endedAt: null }),
    [/^replay\/mission-state \/run\/state$/],
  ],
  ['a count', run({ openTasks: 1 }), [/^replay\/mission-state \/run\/openTasks$/]],
  ['the usage', run({ tokensUsed: 1 }), [/^replay\/mission-state \/run\/tokensUsed$/]],
  ['the budget', run({ tokenBudget: null }), [/^replay\/mission-state \/run\/tokenBudget$/]],
  [
    'a call of a tool that is gone',
    s => ({ ...s, toolCalls: s.toolCalls.slice(1) }),
    [/^replay\/tool-call-unknown \/artifacts\/worker_result\/wrk_count\/tool_trace_refs\/0$/],
  ],
  [
    'of which task a tool was called',
    s => ({
      ...s,
      toolCalls: [{ ...s.toolCalls[0], ref: 'r', task: 'x' } as never, ...s.toolCalls],
    }),
    [/^replay\/task-unknown \/tasks\/x$/],
  ],
  [
    'the handoff of another task',
    s => task('count', { handoff: s.tasks[0]?.handoff ?? null })(s),
    [/^replay\/handoff-differs \/tasks\/count\/handoff$/],
  ],
  [
    'a handoff that is not recorded',
    task('count', { handoff: '00000000-0000-4000-8000-000000000000' }),
    [/^replay\/handoff-missing \/tasks\/count\/handoff$/],
  ],
  ['no handoff', task('count', { handoff: null }), [/^replay\/handoff-missing/]],
  [
    'the agent that a handoff was to',
    task('count', { agent: 'another-agent' }),
    [/^replay\/handoff-differs \/tasks\/count\/handoff$/],
  ],
  ...(
    [
      ['who has answered', { answeredBy: { by: 'ines' } }],
      ['what shows who has answered', { answeredBy: { standing: 'proved' } }],
      ['the entry of an answer', { answeredBy: { entry: '0'.repeat(64) } }],
      ['that has an answer', { answeredBy: undefined }],
    ] as const
  ).map(([what, { answeredBy: change }]): [string, Change, readonly RegExp[]] => [
    what,
    s => ({
      ...s,
      tasks: s.tasks.map(({ answeredBy, ...one }) =>
        answeredBy && change ? { ...one, answeredBy: { ...answeredBy, ...change } } : one,
      ),
    }),
    [/^replay\/answer-differs \/tasks\/search\/answeredBy$/],
  ]),
  [
    'what a decision was about',
    decision({ digest: '0'.repeat(64) }),
    [/^replay\/decision-differs \/decisions\/wb_001$/],
  ],
  [
    'a decision turned round',
    decision({ decision: 'rejected' }),
    [/^replay\/decision-differs \/decisions\/wb_001$/],
  ],
  ['a decision without its entry', decision({ entry: null }), [/^replay\/decision-unrecorded/]],
  [
    'another outcome',
    s => decision({ outcome: { ...s.decisions[0]?.outcome, state: 'failed' } as never })(s),
    [/^replay\/decision-differs \/decisions\/wb_001$/],
  ],
  ...(
    [
      ['who has decided', { decidedBy: 'the board' }],
      ['why something was decided', { why: 'unanimous' }],
      ['what shows who decided', { standing: 'proved' }],
      ['the words that were stated', { statement: {} }],
      ['the signature of a decision', (s: object) => ({ statement: { ...s, proof: {} } })],
      ['what policies said', (s: object) => ({ statement: { ...s, policy: {} } })],
      ['when something was decided', { decidedAt: '2020-01-01T00:00:00.000Z' }],
      ['until when an approval counts', { expiresAt: '2041-01-01T00:00:00.000Z' }],
      ['that an approval expires', { expiresAt: null }],
    ] as const
  ).map(([what, change]): [string, Change, readonly RegExp[]] => [
    what,
    s =>
      decision(typeof change === 'function' ? change(s.decisions[0]?.statement ?? {}) : change)(s),
    [/^replay\/decision-differs \/decisions\/wb_001$/],
  ]),
  ...['code', 'message'].map((member): [string, Change, readonly RegExp[]] => [
    `the ${member} of an outcome`,
    s => {
      const { outcome } = s.decisions[0] ?? {}
      const changed = { ...outcome, outcome: { ...Object(outcome?.outcome), [member]: 'other' } }
      return decision({ outcome: changed as never })(s)
    },
    [/^replay\/decision-differs \/decisions\/wb_001$/],
  ]),
  [
    'when a mission was over',
    run({ endedAt: '2020-01-01T00:00:00.000Z' }),
    [/^replay\/mission-state \/run\/endedAt$/],
  ],
  [
    'a decision on nothing',
    s => ({ ...s, decisions: s.decisions.map(one => ({ ...one, proposal: 'wb_404' })) }),
    [/^replay\/decision-differs .*wb_404$/, /^replay\/decision-missing .*wb_001$/],
  ],
])('a change of %s is reported', async (_, change, expected) => {
  const codes = await codesOf(change(snapshot))
  expect(codes.filter(code => !expected.some(one => one.test(code)))).toEqual([])
  expect(expected.filter(one => !codes.some(code => one.test(code)))).toEqual([])
})

test('a task that was handed over before what it depends on is reported by the order of the log', async () => {
  const evidence = evidenceOf(missions.gateway.log)
  const turned = {
    find: async (key: string) =>
      (await evidence.find(key)).map(found => ({ ...found, index: -found.index })),
  }
  const given = { tenant: TENANT, now: LATER, evidence: turned }
  const { differences } = await replaySnapshot(snapshot, given)
  const reported = differences.map(({ code, path }) => `${code} ${path}`)
  expect(reported).toEqual([
    'replay/task-order /tasks/count/handoff',
    'replay/task-order /tasks/weigh/handoff',
    'replay/task-order /tasks/join/handoff',
    'replay/task-order /tasks/join/handoff',
    'replay/task-order /tasks/review/handoff',
  ])
})

test('a clock of the database that was set back is no difference, and is said', async () => {
  const changed = task('join', { startedAt: '2020-01-01T00:00:00.000Z' })(snapshot)
  const evidence = evidenceOf(missions.gateway.log)
  const given = { tenant: TENANT, now: LATER, evidence }
  const { differences, undecided } = await replaySnapshot(changed, given)
  expect(differences).toEqual([])
  const message = expect.stringContaining('the database clock was set back')
  const expected = { path: '/tasks/join/startedAt', message }
  expect(undecided).toEqual([expected, expected])
})

test('a change next to something that was erased is reported', async () => {
  const erased: Change = s => ({
    ...s,
    artifacts: s.artifacts.map(one =>
      one.name === 'research_artifact'
        ? { ...one, payload: null, tombstone: { ...one.payload, erased: {} } }
        : one,
    ),
  })
  const faulty = artifact('review_packet', () => ({ review_status: 'splendid' }))
  const codes = await codesOf(faulty(erased(snapshot)))
  expect(codes).toContain('replay/digest-differs /artifacts/review_packet/rev_001')
  expect(codes).toContain('replay/artifact-refused /artifacts/review_packet/rev_001/review_status')
})
