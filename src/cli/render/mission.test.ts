import { expect, test } from 'vitest'
import type {
  ListedMissionParts,
  ListedTaskParts,
  MissionStatusParts,
} from '../../operations/mission/output.ts'
import type { ProposalDecisionParts } from '../../operations/mission-approve/output.ts'
import type { App } from '../../operations/operation.ts'
import { headLine } from './mission.ts'
import { text as answered } from './mission-answer.ts'
import { text as approved } from './mission-approve.ts'
import { text as cancelled } from './mission-cancel.ts'
import { text } from './mission-list.ts'
import { liveMission } from './mission-live.ts'
import { text as paused } from './mission-pause.ts'
import { text as rejected } from './mission-reject.ts'
import { text as resumed } from './mission-resume.ts'
import { text as retried } from './mission-retry.ts'
import { text as status } from './mission-status.ts'
import { text as submitted } from './mission-submit.ts'
import { text as watched } from './mission-watch.ts'
import { text as worked } from './mission-work.ts'

const MISSION: ListedMissionParts = {
  mission: '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
  tenant: 'default',
  state: 'running',
  goal: 'Find out',
  template: 'brief',
  startedAt: '2026-02-10T09:00:00Z',
  endedAt: null,
  deadline: '2026-02-10T09:02:00Z',
  tokensUsed: 0,
  tokenBudget: 500,
  openTasks: 3,
  activeTasks: 1,
  reason: null,
}

const plain = (_: string, words: string) => words
const BUDGET = '0 of 500 tokens, until 2026-02-10T09:02:00Z'

test.each([
  ['in the line of the mission where it fits', 120, [BUDGET], []],
  ['below it where it would be cut off', 79, [], [`  ${BUDGET}`]],
])('the budget stands %s', (_, columns, within, below) => {
  expect(headLine(MISSION, plain, columns).split('\n')).toEqual([
    [`● ${MISSION.mission} running`, ...within].join(' '),
    ...below,
    '  Find out',
  ])
})

test('a list says what is still to be done, and why something failed', () => {
  const reason = { code: 'mission/runner-failed', message: 'one: it\n  ended' }
  const failed = { ...MISSION, state: 'failed', endedAt: '2026-02-10T09:00:02Z', reason } as const
  const missions = [MISSION, failed]
  expect(text({ state: null, missions, more: false }, plain).split('\n').slice(2)).toEqual([
    '  3 tasks open',
    `✗ ${MISSION.mission} failed 2.0 s, 0 of 500 tokens`,
    '  Find out',
    '  mission/runner-failed one: it',
  ])
})

test('where no mission is in a state, it is said how those in every other are listed', () => {
  const none = { missions: [], more: false }
  expect(text({ state: null, ...none }, plain)).toBe('no missions')
  expect(text({ state: 'failed', ...none }, plain)).toBe(
    'no missions are failed\nomit --state to list all missions',
  )
})

const APP = { now: 0, root: '/', cwd: '/' } as App
const STATUS: MissionStatusParts = {
  ...MISSION,
  tasks: [],
  artifacts: [],
  proposals: [],
  review: null,
}
const TASK: ListedTaskParts = {
  task: 'one',
  role: 'worker',
  agent: 'counter',
  state: 'queued',
  dependsOn: [],
  attempt: 2,
  failures: 0,
  waitingFor: null,
  answeredBy: { by: 'ada', standing: 'claimed', entry: 'ab'.repeat(32) },
  startedAt: null,
  ms: null,
  tokensUsed: 0,
  handoff: null,
  reason: null,
}
const DECISION: ProposalDecisionParts = {
  outcome: 'recorded',
  decision: 'approved',
  mission: MISSION.mission,
  tenant: 'default',
  proposal: 'wb_1',
  digest: 'ab'.repeat(32),
  payload: { stage: 'next' },
  agents: [],
  by: 'ada',
  standing: 'claimed',
  keyid: null,
  entry: '7',
  expires: null,
}

test('whether a proposal can be approved depends on what the review says', () => {
  const proposal = { proposal: 'wb_1', state: 'pending', action: 'update', target: 'lead' }
  const waiting = { ...proposal, by: null, delivery: null } as (typeof STATUS.proposals)[number]
  const shown = (review: string) => status({ ...STATUS, review, proposals: [waiting] }, plain)
  expect(shown('approved_with_edits')).toContain('waybill mission approve wb_1 --mission')
  expect(shown('rejected')).not.toContain('mission approve')
  expect(shown('rejected')).toContain(
    "after review 'rejected'; close it: waybill mission reject wb_1",
  )
})

test('nothing that came with a mission from elsewhere steers the terminal', () => {
  const [esc, reason] = ['\u001b[2J', { code: 'c\u001b[2J', message: 'm\u001b[2J' }]
  const foreign = { ...TASK, task: `t${esc}`, agent: `a${esc}`, reason, waitingFor: `w${esc}` }
  const waits = { ...foreign, state: 'waiting', answeredBy: null } as const
  const tasks = [waits, { ...foreign, task: 'other', state: 'failed' } as const]
  const ofMission = { ...STATUS, state: 'failed', reason, tasks } as const
  expect(status(ofMission, plain)).not.toContain('\u001b')
  expect(liveMission()(ofMission, plain)).not.toContain('\u001b')
  const later = tasks.map(one => ({ ...one, task: `${one.task} later` }))
  const quiet = watched({ ...ofMission, tasks: later }, plain, APP, true)
  expect(quiet).toContain('other later')
  expect(quiet).not.toContain('\u001b')
})

test('the commands that are named for the mission of another tenant name the tenant', () => {
  const person = { ...TASK, state: 'waiting', waitingFor: 'person', answeredBy: null } as const
  const proposal = { proposal: 'wb_1', state: 'pending', action: 'update', target: 'lead' }
  const waiting = { ...proposal, by: null, delivery: null } as (typeof STATUS.proposals)[number]
  const ofMission = { ...STATUS, tenant: 'acme', state: 'failed', review: 'approved' } as const
  const shown = status({ ...ofMission, tasks: [person], proposals: [waiting] }, plain)
  const commands = shown.match(/waybill mission [^;\n]*/g)
  expect(commands).toHaveLength(3)
  for (const command of commands ?? []) expect(command).toContain(' --tenant acme')
  expect(status({ ...ofMission, tenant: 'default', tasks: [person] }, plain)).not.toContain(
    '--tenant',
  )
})

test('quietly nothing is said of an act that went well', () => {
  expect(answered({ ...STATUS, answered: 'one' }, plain, APP, false)).not.toBe('')
  expect(answered({ ...STATUS, answered: 'one' }, plain, APP, true)).toBe('')
  const begun = { mission: MISSION.mission, faults: [], status: STATUS }
  expect(submitted(begun, plain, APP, false)).toContain('waybill mission work')
  expect(submitted(begun, plain, APP, true)).toBe('')
  expect(worked({ worker: 'w', event: 'started' }, plain, APP, true)).toBe('')
  for (const render of [cancelled, retried]) {
    expect(render(STATUS, plain, APP, false)).not.toBe('')
    expect(render(STATUS, plain, APP, true)).toBe('')
  }
  for (const render of [paused, resumed]) {
    const handoff = { path: 'h.md', accepted: true, staleness: null, findings: [] }
    expect(render({ ...STATUS, handoff: null }, plain, APP, true)).toBe('')
    expect(render({ ...STATUS, handoff } as never, plain, APP, true)).toBe('')
    const refused = { ...handoff, accepted: false }
    expect(render({ ...STATUS, handoff: refused } as never, plain, APP, true)).toBe(
      '✗ h.md was refused',
    )
  }
  for (const render of [approved, rejected]) {
    expect(render(DECISION, plain, APP, true)).toBe('')
    const shown: ProposalDecisionParts = { ...DECISION, outcome: 'would-record', entry: null }
    expect(render(shown, plain, APP, true)).toBe(render(shown, plain, APP, false))
  }
})

test('quiet output says all the same why a mission did not begin', () => {
  const fault = { code: 'schema/const', path: '/schema_name', message: 'it is no graph' }
  const refused = {
    ...{ mission: null, status: null },
    faults: [{ ...fault, artifact: 'mission_task_graph' }],
  }
  expect(submitted(refused, plain, APP, true)).toBe(submitted(refused, plain, APP, false))
  expect(submitted(refused, plain, APP, true)).toContain('it is no graph')
})

test.each<[string, boolean, Partial<ListedTaskParts>]>([
  ['is queued', true, {}],
  ['is with a worker', true, { state: 'running' }],
  ['was taken', false, { state: 'done' }],
  ['was refused', false, { state: 'waiting', waitingFor: 'person', answeredBy: null }],
  ['was refused, and is tried again', false, { answeredBy: null }],
])('that an answer is checked by the next worker is said of one that %s: %j', (_, isSaid, more) => {
  const other = { ...TASK, task: 'two' }
  const tasks = [{ ...TASK, ...more }, other]
  const shown = answered({ ...STATUS, tasks, answered: 'one' }, plain, APP, false)
  expect(shown.includes('the next worker checks the answer')).toBe(isSaid)
})
