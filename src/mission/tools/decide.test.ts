import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { policyRepository } from '../../../test/policies.ts'
import { as, checkDocument } from '../../contract/index.ts'
import { findContract, loadContract, type MissionEnvelope } from '../../contracts/index.ts'
import { readDocuments } from '../../document/index.ts'
import { openPolicies, type PolicyAgent } from '../../governance/index.ts'
import type { Task } from '../runner.ts'
import { type Deciding, decideScopes } from './decide.ts'
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
const task = (id: string, role_type: Task['role_type'], tools: string[], data: string[] = []) => ({
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

const deciding = (tasks: ReturnType<typeof task>[], more: Partial<Deciding> = {}): Deciding => ({
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
const decided = async (tasks: ReturnType<typeof task>[], more?: Partial<Deciding>) =>
  (await decideScopes(deciding(tasks, more))).map(
    ({ decision_type, subject, decision, reason }) =>
      `${decision_type} ${subject} ${decision} ${reason}`,
  )

describe('a decision', () => {
  test('is made once for each tool and each data scope of an agent', async () => {
    const tasks = [task('a', 'worker', ['crm', 'files'], ['leads']), task('b', 'worker', ['crm'])]
    expect(await decided(tasks)).toEqual([
      'tool_scope crm allow analyst: the task allows this tool (waybill/tool-scope)',
      'tool_scope files allow analyst: the task allows this tool (waybill/tool-scope)',
      'data_scope leads allow analyst: the data is no more sensitive than the mission may see (waybill/data-scope)',
    ])
  })

  test('is made for each agent by itself', async () => {
    const tasks = [task('a', 'worker', ['search']), task('b', 'researcher', ['search'])]
    expect(await decided(tasks)).toEqual([
      'tool_scope search deny analyst: the analyst does not search outside (tools.cedar#1)',
      'tool_scope search allow scout: the task allows this tool (waybill/tool-scope)',
    ])
  })

  test('is to deny where it is so for one of several tasks', async () => {
    const tasks = [task('a', 'worker', ['mail']), task('b', 'worker', ['mail', 'crm'])]
    expect((await decided(tasks)).map(text => text.split(':')[0])).toEqual([
      'tool_scope mail deny analyst',
      'tool_scope crm allow analyst',
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
  const allow = (subject: string) => verdict(subject, 'allow')
  const verdict = (subject: string, decision: 'allow' | 'deny', decision_type = 'tool_scope') => ({
    subject,
    decision,
    decision_type,
  })
  test.each([
    [
      'are those that plan, package and decisions allow',
      ['a', 'b', 'c'],
      ['a', 'b'],
      [allow('a')],
      ['a'],
    ],
    ['need no package', ['a', 'b'], null, [allow('a')], ['a']],
    ['are not those that a package adds', ['a'], ['a', 'b'], [allow('a'), allow('b')], ['a']],
    ['are not those that somebody denies', ['a'], ['a'], [allow('a'), verdict('a', 'deny')], []],
    ['are not those that nobody decided on', ['a'], ['a'], [], []],
    ['are not decided as data', ['a'], ['a'], [verdict('a', 'allow', 'data_scope')], []],
    ['are named once', ['a', 'a'], null, [allow('a')], ['a']],
  ])('%s', (_, allowed_tools, tool_scope, decisions, tools) => {
    const prompt = tool_scope && { tool_scope }
    expect(toolScope({ task: { allowed_tools }, prompt, decisions })).toEqual(tools)
  })
})
