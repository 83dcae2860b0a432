import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { policyRepository } from '../../../test/policies.ts'
import { as, checkDocument } from '../../contract/index.ts'
import { findContract, loadContract, type MissionEnvelope } from '../../contracts/index.ts'
import { readDocuments } from '../../document/index.ts'
import { openPolicies, type PolicyAgent } from '../../governance/index.ts'
import type { Task } from '../runner.ts'
import { type Deciding, decideScopes } from './decide.ts'
import { decisionId } from './decision-id.ts'
import { toolScope } from './scope.ts'

const root = policyRepository({
  'tools.cedar': `@reason("the analyst does not search outside")
forbid (principal == Waybill::Agent::"analyst", action == Waybill::Action::"useTool", resource == Waybill::Tool::"search");
@reason("not both at once")
forbid (principal, action == Waybill::Action::"useTool", resource == Waybill::Tool::"mail")
when { context.allowedTools.contains(Waybill::Tool::"crm") };`,
})
afterAll(() => rmSync(root, { recursive: true }))

const AT = Date.parse('2026-11-21T12:00:00Z')
const MISSION = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'
const envelope: MissionEnvelope = {
  schema_name: 'mission_envelope',
  schema_version: 'v1',
  mission_id: MISSION,
  mission_type: 'brief',
  origin_surface: 'cli',
  tenant_id: 'acme',
  actor_id: 'ann',
  user_goal: 'know',
  normalized_goal: 'know',
  risk_level: 'low',
  sensitivity_class: 'confidential',
  created_at: '2026-11-21T11:59:00Z',
  producer: 'cli',
}
const task = (
  id: string,
  role_type: Task['role_type'],
  tools: string[],
  data: string[] = [],
): Task => ({
  task_id: id,
  role_type,
  objective: 'find out',
  depends_on: [],
  required_capabilities: [],
  allowed_tools: tools,
  required_data_scopes: data,
  success_criteria: ['it is known'],
})
const agent = (id: string, role: string): PolicyAgent => ({
  id,
  type: 'domain',
  version: '1.0.0',
  roles: [role],
})
const agents: Record<string, PolicyAgent> = {
  worker: agent('analyst', 'worker'),
  researcher: agent('scout', 'researcher'),
}

const deciding = (tasks: Task[], more: Partial<Deciding> = {}): Deciding => ({
  envelope,
  graph: {
    schema_name: 'mission_task_graph',
    schema_version: 'v1',
    mission_id: MISSION,
    tasks,
    created_at: '2026-11-21T11:59:30Z',
    producer: 'planner',
  },
  agentOf: ({ role_type }) => agents[role_type] ?? agent('nobody', role_type),
  policies: openPolicies(root, { policies: 'policies' }),
  at: AT,
  ...more,
})
const decided = async (tasks: Task[], more?: Partial<Deciding>) =>
  (await decideScopes(deciding(tasks, more))).map(
    ({ decision_type, subject, decision, reason }) =>
      `${decision_type} ${subject} ${decision} ${reason}`,
  )

describe('a decision', () => {
  test('is made once for each set of tools and each data scope of an agent', async () => {
    const tasks = [
      task('a', 'worker', ['crm', 'files'], ['leads']),
      task('b', 'worker', ['files', 'crm', 'crm'], ['leads']),
    ]
    expect(await decided(tasks)).toEqual([
      'tool_scope crm allow analyst: the task allows this tool (waybill/tool-scope)',
      'tool_scope files allow analyst: the task allows this tool (waybill/tool-scope)',
      'data_scope leads allow analyst: the data is no more sensitive than the mission may see (waybill/data-scope)',
    ])
  })

  test('is made for each agent by itself', async () => {
    const tasks = [task('a', 'worker', ['search']), task('b', 'researcher', ['search'])]
    expect(await decided(tasks)).toEqual([
      'agent_tool_scope search deny analyst: the analyst does not search outside (tools.cedar#1)',
      'tool_scope search allow scout: the task allows this tool (waybill/tool-scope)',
    ])
  })

  test('is to deny for the task alone for which it is so', async () => {
    const tasks = [task('a', 'worker', ['mail']), task('b', 'worker', ['mail', 'crm'])]
    expect((await decided(tasks)).map(text => text.split(':')[0])).toEqual([
      'tool_scope mail allow analyst',
      'agent_tool_scope mail deny analyst',
      'tool_scope crm allow analyst',
    ])
  })

  test('is to deny for the whole mission where no agent may', async () => {
    const tasks = [task('a', 'worker', ['search']), task('b', 'worker', ['search', 'crm'])]
    expect((await decided(tasks)).map(text => text.split(':')[0])).toEqual([
      'tool_scope search deny analyst',
      'tool_scope search deny analyst',
      'tool_scope crm allow analyst',
    ])
  })

  test('is to deny for one agent where another was allowed before', async () => {
    const tasks = [task('a', 'worker', ['search'])]
    const [text] = await decided(tasks, { allowedBefore: ['search'] })
    expect(text).toMatch(/^agent_tool_scope search deny analyst/)
  })

  test('is made for each role in which an agent has a tool', async () => {
    const tasks = [task('a', 'worker', ['crm']), task('b', 'aggregator', ['crm'])]
    const agentOf = ({ role_type }: Task) => agent('analyst', role_type)
    expect(await decided(tasks, { agentOf })).toHaveLength(2)
  })

  test('is made for the data that an agent is handed on, from earlier graphs too', async () => {
    const before = [task('z', 'researcher', [], ['logs'])]
    const tasks = [
      { ...task('c', 'worker', []), depends_on: ['b'] },
      { ...task('b', 'researcher', []), depends_on: ['a', 'z'] },
      task('a', 'researcher', [], ['leads']),
      { ...task('d', 'worker', [], ['own']), depends_on: ['d'] },
    ]
    expect((await decided(tasks, { before })).map(text => text.split(':')[0])).toEqual([
      'data_scope leads allow scout',
      'data_scope own allow analyst',
      'data_scope logs allow analyst',
      'data_scope leads allow analyst',
      'data_scope logs allow scout',
    ])
  })

  test('is to deny whatever an agent asks that is kept out', async () => {
    const tasks = [task('a', 'worker', ['crm'], ['leads'])]
    const texts = await decided(tasks, { quarantined: new Set(['analyst']) })
    expect(texts.map(text => / deny .*kept out/.test(text))).toEqual([true, true])
  })

  test('is to deny data of a class that no policy knows', async () => {
    const odd = { ...envelope, sensitivity_class: 'odd' }
    const [text] = await decided([task('a', 'worker', [], ['leads'])], { envelope: odd })
    expect(text).toMatch(/^data_scope leads deny analyst: .*policy\/failed/)
  })

  test('has an id that is the same when it is made again, and another in another mission', async () => {
    const tasks = [task('a', 'worker', ['x'], ['x']), task('b', 'researcher', ['x'])]
    const ids = async (more?: Partial<Deciding>) =>
      (await decideScopes(deciding(tasks, more))).map(({ decision_id }) => decision_id)
    const first = await ids()
    expect(await ids({ at: AT + 1000 })).toEqual(first)
    const other = await ids({ envelope: { ...envelope, mission_id: MISSION.replace('3', '4') } })
    expect(new Set([...first, ...other]).size).toBe(6)
  })

  test('passes its contract', async () => {
    const tasks = [task('a', 'worker', ['crm', 'search'], ['leads'])]
    const contract = findContract('policy-decision')
    if (!contract) throw new Error('the contract is gone')
    for (const payload of await decideScopes(deciding(tasks))) {
      const { documents } = await readDocuments(JSON.stringify(payload), 'json', [])
      const [document] = documents
      if (!document) throw new Error('there is no document')
      const recognised = as(contract, document.value)
      const facts = { envelope: { value: envelope } }
      const options = { now: AT, facts }
      const result = checkDocument(document, recognised, await loadContract(contract), options)
      expect(result.diagnostics).toEqual([])
    }
  })
})

describe('the tools of a task', () => {
  const ANALYST = { id: 'analyst', roles: ['worker'] }
  const verdict = (
    name: string,
    decision: 'allow' | 'deny',
    { agent: of = ANALYST, among = ['a', 'b'], type = 'tool_scope' } = {},
  ) => ({
    decision_id: decisionId(MISSION, { kind: 'tool', name, agent: of, tools: among }),
    subject: name,
    decision,
    decision_type: type,
  })
  const allow = (name: string, more = {}) => verdict(name, 'allow', more)
  const OTHER = { id: 'scout', roles: ['worker'] }
  const REVIEWING = { id: 'analyst', roles: ['reviewer'] }
  test.each([
    ['are those that plan, package and decisions allow', ['a'], [allow('a'), allow('b')], ['a']],
    ['need no package', null, [allow('a')], ['a']],
    ['are not those that a package adds', ['a', 'c'], [allow('a'), allow('c')], ['a']],
    ['are not those that are denied', null, [verdict('a', 'deny')], []],
    [
      'are those that are denied to another agent',
      null,
      [allow('a'), verdict('a', 'deny', { agent: OTHER, type: 'agent_tool_scope' })],
      ['a'],
    ],
    ['are not those that another agent may use', null, [allow('a', { agent: OTHER })], []],
    ['are not those of another role of the agent', null, [allow('a', { agent: REVIEWING })], []],
    ['are not those among other tools', null, [allow('a', { among: ['a'] })], []],
    [
      'are not those that are denied to the whole mission',
      null,
      [allow('a'), verdict('a', 'deny', { agent: OTHER })],
      [],
    ],
    [
      'are not those whose decision was found under another name',
      null,
      [{ ...allow('a'), subject: 'b' }],
      [],
    ],
    ['are not those without a decision', ['a'], [], []],
  ])('%s', (_, tool_scope, decisions, tools) => {
    const prompt = tool_scope && { tool_scope }
    const own: Task = task('a', 'worker', ['b', 'a', 'a'])
    const whose = { mission: MISSION, agent: 'analyst' }
    expect(toolScope({ ...whose, task: own, prompt, decisions })).toEqual(tools)
  })
})
