import { afterAll, beforeAll, expect, test } from 'vitest'
import { listArtifacts } from '../../src/store/index.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { PROBE, REACHING, templateOf } from '../probing-agent.ts'

const POLICIES = `@reason("product does not say anything")
forbid (principal == Waybill::Agent::"domain-05-product", action == Waybill::Action::"useTool", resource == Waybill::Tool::"say");
@reason("analysis sees no logs")
forbid (principal == Waybill::Agent::"domain-02-analysis", action == Waybill::Action::"readData", resource == Waybill::Resource::"logs");
@reason("open leads may be changed")
permit (principal, action == Waybill::Action::"writeBack", resource == Waybill::Resource::"lead_open");
`

const [ANALYSIS, PRODUCT] = ['domain-02-analysis', 'domain-05-product']
const REVIEW = { join: { role: 'aggregator', after: ['read'] } }

const TEMPLATES = {
  passes: templateOf({
    pass: { role: 'librarian', agent: ANALYSIS, does: 'read=documents leave=logs,crm.leads' },
    read: {
      ...{ after: ['pass'], tools: ['read', 'leads', 'say', 'wild'] },
      ...{ data: ['documents', 'logs', 'crm.leads'], agent: 'domain-06-technical' },
      does: 'read:docs/a.txt read:logs/a.txt read:docs/../logs/a read:DOCS/a leads:x say:x wild:x large:x',
    },
    leave: {
      ...{ after: ['pass'], tools: ['read', 'leads'], data: ['documents'] },
      does: 'read:docs/a.txt read:logs/a.txt leads:x',
    },
  }),
  agents: templateOf({
    one: { tools: ['say'], agent: PRODUCT, does: 'say:x' },
    two: { tools: ['say'], agent: ANALYSIS, does: 'say:x' },
  }),
  nobody: templateOf({ one: { tools: ['say'], agent: PRODUCT, does: 'say:x' } }),
  data: templateOf({
    read: { data: ['logs'] },
    also: { data: ['documents'], agent: ANALYSIS },
    join: { role: 'aggregator', after: ['read'], agent: ANALYSIS },
  }),
  own: templateOf({ read: { data: ['logs'], agent: ANALYSIS } }),
  planned: templateOf({ plan: { role: 'planner', agent: ANALYSIS } }),
  forged: templateOf({
    one: { tools: ['say'], agent: ANALYSIS, does: 'say:x' },
    two: { after: ['one'], does: 'FORGE' },
  }),
  unasked: templateOf({
    read: {},
    ...REVIEW,
    review: { role: 'reviewer', after: ['join'], does: 'UNASKED' },
  }),
  closed: templateOf({
    read: {},
    ...REVIEW,
    review: { role: 'reviewer', after: ['join'], does: 'UNASKED CLOSED' },
  }),
}

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository(REACHING)
  repository.write('agents/agent.mjs', PROBE)
  repository.write('policies/missions.cedar', POLICIES)
  for (const [name, text] of Object.entries(TEMPLATES))
    repository.write(`missions/templates/${name}.yaml`, text)
  repository.commit()
  await repository.worker()
})
afterAll(() => repository?.remove())

const artifacts = async (mission: string, name: Parameters<typeof listArtifacts>[1]) =>
  (await repository.database.store.tenant('default', tx => listArtifacts(tx, name, mission))).map(
    ({ payload }) => payload ?? {},
  )

/** What came of the calls of each task. */
async function cameOf(mission: string) {
  const results = await artifacts(mission, 'worker_result')
  return Object.fromEntries(
    results.map(({ task_id, structured_output: { came } = {} }: Came) => [task_id, came]),
  )
}
interface Came {
  readonly task_id?: string
  readonly structured_output?: { readonly came?: readonly string[] }
}

async function replays(mission: string) {
  const { code, out, err } = await repository.mission('replay', mission)
  expect([code, code === 0 ? '' : out + err]).toEqual([0, ''])
}

test('an agent reaches what its pass and the scopes of its task allow, and nothing else', async () => {
  const mission = await repository.begin('passes')
  await repository.reaches(mission, 'finished', 'failed')
  expect(await cameOf(mission)).toEqual({
    read: [
      'read:docs/a.txt ok',
      'read:logs/a.txt mission/pass-scope',
      'read:docs/../logs/a mission/place-unknown',
      'read:DOCS/a mission/place-unknown',
      'leads:x mission/pass-scope',
      'say:x ok',
      'wild:x mission/pass-scope',
      expect.stringContaining('not in the scope of this task'),
    ],
    leave: [
      'read:docs/a.txt mission/pass-scope',
      'read:logs/a.txt mission/data-scope',
      'leads:x mission/data-scope',
    ],
  })
  const refusals = (await artifacts(mission, 'policy_decision'))
    .filter(({ decision_type }) => decision_type === 'tool_call')
    .map(({ subject, decision, reason }) => `${decision} ${subject} ${reason}`)
  expect(refusals.sort()).toEqual([
    'deny leads the task leave, attempt 1, was denied the call (mission/data-scope)',
    'deny leads the task read, attempt 1, was denied the call (mission/pass-scope)',
    'deny read the task leave, attempt 1, was denied the call (mission/data-scope)',
    'deny read the task leave, attempt 1, was denied the call (mission/pass-scope)',
    'deny read the task read, attempt 1, was denied the call (mission/pass-scope)',
    'deny read the task read, attempt 1, was denied the call (mission/place-unknown)',
    'deny wild the task read, attempt 1, was denied the call (mission/pass-scope)',
  ])
  await replays(mission)
})

test('a tool that is denied to one agent is one that others have', async () => {
  const mission = await repository.begin('agents')
  expect((await repository.reaches(mission, 'finished', 'failed')).state).toBe('finished')
  expect(await cameOf(mission)).toEqual({ one: ['say:x no tools'], two: ['say:x ok'] })
  const decided = await artifacts(mission, 'policy_decision')
  expect(decided.map(({ decision_type, decision }) => `${decision_type} ${decision}`)).toEqual(
    expect.arrayContaining(['agent_tool_scope deny', 'tool_scope allow']),
  )
  await replays(mission)
  await expect(repository.begin('nobody')).rejects.toThrow('mission-task-graph/tools-allowed')
})

test('the same holds of a graph that an agent has made', async () => {
  const mission = await repository.begin('planned')
  expect((await repository.reaches(mission, 'finished', 'failed')).state).toBe('finished')
  expect(await cameOf(mission)).toEqual({ one: ['say:x no tools'] })
  const decided = await artifacts(mission, 'policy_decision')
  expect(decided.map(({ decision_type, reason }) => `${decision_type} ${reason}`).sort()).toEqual([
    expect.stringMatching(/^agent_tool_scope domain-05-product: product does not say/),
    expect.stringMatching(/^data_scope domain-02-analysis: /),
    expect.stringMatching(/^data_scope domain-05-product: /),
    expect.stringMatching(/^tool_scope domain-02-analysis: /),
  ])
  await replays(mission)
})

test('an agent is not given what others have made of data that it may not read', async () => {
  const mission = await repository.begin('data')
  const { tasks } = await repository.reaches(mission, 'failed', 'finished')
  expect(tasks).toMatchObject([
    { task: 'read', state: 'done' },
    { task: 'also', state: 'done' },
    {
      ...{ task: 'join', state: 'failed', attempt: 1, handoff: null },
      reason: {
        code: 'mission/data-denied',
        message: expect.stringMatching(/the result of 'read' needs .* 'logs'.*sees no logs/),
      },
    },
  ])
  const own = await repository.begin('own')
  expect(await repository.reaches(own, 'failed', 'finished')).toMatchObject({
    reason: { code: 'mission/data-denied' },
    tasks: [{ state: 'failed', attempt: 1, handoff: null }],
  })
})

test('a call of another task is no call of this one', async () => {
  const mission = await repository.begin('forged')
  const { tasks } = await repository.reaches(mission, 'failed', 'finished')
  expect(tasks).toMatchObject([
    { state: 'done' },
    { state: 'failed', reason: { code: 'mission/answer-refused' } },
  ])
})

test('what needs no approval goes out only where a policy permits just that', async () => {
  const mission = await repository.begin('unasked')
  expect((await repository.reaches(mission, 'finished', 'failed')).state).toBe('finished')
  const decided = await artifacts(mission, 'policy_decision')
  expect(decided).toMatchObject([{ decision_type: 'writeback', decision: 'allow' }])
  expect((await repository.mission('status', mission)).out).toContain('approved')
  await replays(mission)
  const closed = await repository.begin('closed')
  expect(await repository.reaches(closed, 'failed', 'finished')).toMatchObject({
    reason: { code: 'mission/answer-refused' },
  })
})
