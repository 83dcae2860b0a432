import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exampleOf } from '../../../test/mission-payloads.ts'
import { FIRST, GOOD, HEAD, PROMPT } from '../../../test/mission-templates.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import type { MissionEnvelope } from '../../contracts/index.ts'
import { checkArtifacts } from './check.ts'
import { envelopeFrom, graphFrom, plansFor, type Wish } from './draft.ts'
import { readTemplate } from './template.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const ID = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'

let folder: TestFolder
const place = () => ({ root: folder.root, folder: 'missions/templates' })
const write = (name: string, text: string) => folder.write(`missions/templates/${name}`, text)
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const wish: Wish = {
  goal: '  Find the best\n leads ',
  tenant: 'tenant_velocity',
  actor: 'oracle_operator',
  origin: 'cli',
  contextRefs: { lead_ids: ['lead_1', 'lead_2'], page_id: null },
}

describe('a mission from a template', () => {
  const read = async (text: string) => {
    write('lead.yaml', text)
    return readTemplate(place(), 'lead')
  }

  test('has a sound envelope and a sound graph', async () => {
    const template = await read(GOOD)
    const envelope = envelopeFrom(template, wish, NOW, ID)
    expect(envelope).toMatchObject({
      mission_id: ID,
      mission_type: 'lead_brief',
      user_goal: wish.goal,
      normalized_goal: 'Find the best leads',
      token_budget: 180_000,
      created_at: '2026-06-01T12:00:00Z',
    })
    const graph = graphFrom(template, envelope, NOW)
    expect(graph.tasks[0]).toMatchObject({
      objective: 'Find leads for Find the best leads among lead_1, lead_2',
      success_criteria: [`answers ${wish.goal}`],
    })
    const policy = { ...exampleOf('policy-decision.v1'), subject: 'crm_search' }
    const checked = await checkArtifacts([envelope, graph], [policy], { now: NOW })
    expect(checked.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  })

  test('has what was wished for in the place of defaults', async () => {
    const more = { riskLevel: 'high', timeBudgetMs: 5, requestedOutputs: ['x'] } as const
    const envelope = envelopeFrom(await read(GOOD), { ...wish, ...more }, NOW, ID)
    expect(envelope).toMatchObject({
      risk_level: 'high',
      time_budget_ms: 5,
      token_budget: 180_000,
      requested_outputs: ['x'],
    })
  })

  test.each([
    [{ lead_ids: [] }, 'among none'],
    [{ lead_ids: ['{{mission.user_goal}}'] }, 'among {{mission.user_goal}}'],
  ])('whose references are %j fills them in once', async (contextRefs, expected) => {
    const template = await read(GOOD)
    const envelope = envelopeFrom(template, { ...wish, contextRefs }, NOW, ID)
    expect(graphFrom(template, envelope, NOW).tasks[0]?.objective).toContain(expected)
  })

  test('that lacks a reference is not begun', async () => {
    const template = await read(GOOD)
    const envelope = envelopeFrom(template, { ...wish, contextRefs: {} }, NOW, ID)
    expect(() => graphFrom(template, envelope, NOW)).toThrow(/no context reference 'lead_ids'/)
  })

  test('whose goal would fill the memory is not begun', async () => {
    const many = Array.from({ length: 100 }, (_, i) => FIRST.replace('find', `find${i}`)).join('')
    const template = await read(`${HEAD}tasks:\n${many}`)
    const envelope = envelopeFrom(template, { ...wish, goal: 'x'.repeat(100_000) }, NOW, ID)
    expect(() => graphFrom(template, envelope, NOW)).toThrow(/are too long/)
  })

  test('that an agent plans begins with the one task of planning', async () => {
    const template = await read(`${HEAD}planner: agent\nagents: { later: a }\n`)
    const envelope = envelopeFrom(template, wish, NOW, ID)
    const graph = graphFrom(template, envelope, NOW)
    expect(graph.tasks).toMatchObject([{ task_id: 'plan', role_type: 'planner' }])
    expect(graph.tasks[0]?.objective).toContain('Find the best leads')
    const checked = await checkArtifacts([envelope, graph], [], { now: NOW })
    expect(checked.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  })

  test('says who does what, with which prompts', async () => {
    write('prompts/lead_worker/v1.yaml', PROMPT)
    const more =
      'prompts: { worker: lead_worker@v1 }\nagents: { review: ann }\nretries: { limit: 0 }\n'
    const template = await read(GOOD + more)
    const envelope = exampleOf('mission-envelope.v1') as unknown as MissionEnvelope
    const { tasks } = graphFrom(template, envelope, NOW)
    const retries = { limit: 0, first: 1000, longest: 60_000 }
    expect(plansFor(template, tasks, { worker: 'bob', reviewer: 'eve' })).toEqual([
      { task: 'find', agent: 'bob', prompt: 'lead_worker@v1', retries },
      { task: 'review', agent: 'ann', prompt: null, retries },
    ])
    expect(() => plansFor(template, tasks, {})).toThrow(/no agent runs the task 'find'/)
  })

  test.each([
    ['{ first_ms: 90000 }', { limit: 2, first: 90_000, longest: 90_000 }],
    ['{ longest_ms: 10 }', { limit: 2, first: 10, longest: 10 }],
    ['{ limit: 5, first_ms: 1, longest_ms: 2 }', { limit: 5, first: 1, longest: 2 }],
  ])('with retries %s never waits longer than it may', async (text, retries) => {
    expect((await read(`${GOOD}retries: ${text}\n`)).retries).toEqual(retries)
  })
})
