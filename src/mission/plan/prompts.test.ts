import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exampleOf, graphOf, MISSION } from '../../../test/mission-payloads.ts'
import { PROMPT } from '../../../test/mission-templates.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import type { MissionEnvelope } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import type { Payload, Task } from '../runner.ts'
import { RETURNED } from './artifacts.ts'
import { checkArtifacts } from './check.ts'
import { defaultPrompt } from './default-prompts.ts'
import { type PromptTemplate, promptPackage, readPrompt } from './prompts.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const IDS = { package: 'pkg_1', producer: 'prompt-master' }
const envelope = exampleOf('mission-envelope.v1') as unknown as MissionEnvelope
const [first] = graphOf(MISSION, { task_worker_01: [] }).tasks as Task[]
const task: Task = {
  ...(first as Task),
  role_type: 'worker',
  objective: 'Find {{mission.user_goal}}',
  allowed_tools: ['crm_search', 'external_search', 'crm_search'],
  success_criteria: ['one', 'two'],
}

let folder: TestFolder
const read = (reference: string) =>
  readPrompt({ root: folder.root, folder: 'missions/templates' }, reference)
const write = (text: string, path = 'lead_worker/v1.0') =>
  folder.write(`missions/templates/prompts/${path}.yaml`, text)
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

async function faultsOf(text: string): Promise<string> {
  write(text)
  try {
    await read('lead_worker@v1.0')
    return ''
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return error.message
  }
}

/** What the contracts say of a package, together with the graph of its task and the tools that policies allow. */
async function judge(made: Payload, own: Task): Promise<readonly string[]> {
  const graph = { ...graphOf(MISSION, {}), tasks: [own] }
  const allow = (subject: string): Payload => ({
    ...exampleOf('policy-decision.v1'),
    decision_id: subject,
    subject,
  })
  const stored = [envelope, graph, allow('crm_search'), allow('other_tool')]
  const [checked] = await checkArtifacts([made], stored, { now: NOW })
  return checked?.diagnostics.map(({ code, path }) => `${code} ${path}`) ?? []
}

const EXAMPLES = `examples:
  - { id: e1, input: { lead: 1 }, output: "{{not.filled}}" }
  - { id: e2, input: a, output: b }
`

describe('a prompt template', () => {
  test('is read in its version', async () => {
    write(`${PROMPT}constraints: { must_cite_sources: true }\n${EXAMPLES}`)
    expect(await read('lead_worker@v1.0')).toMatchObject({
      id: 'lead_worker',
      version: 'v1.0',
      role: 'worker',
      mustCiteSources: true,
      modelRoute: 'tier_high',
      examples: [{ id: 'e1' }, { id: 'e2' }],
    })
  })

  test.each(['lead_worker@v2', 'lead_worker', '@v1', 'a/b@v1', '..@v1', 'lead_worker@../v1.0', ''])(
    'that is called %j is not there',
    async reference => {
      write(PROMPT)
      await expect(read(reference)).rejects.toMatchObject({ code: 'not-found' })
    },
  )

  test.each([
    ['an unknown key', PROMPT.replace('model_route', 'model_rout'), /:4:1 .*'model_route'/],
    ['an unknown placeholder', PROMPT.replace('task.objective', 'task.goal'), /:3:14 there is no/],
    ['a placeholder in its head', PROMPT.replace('leads', '{{tasks}}'), /:2:16 there is no pla/],
    [
      'leave to write back',
      `${PROMPT}constraints: { must_not_writeback_directly: false }\n`,
      /:5:45 expected 'true'/,
    ],
    ['an example twice', `${PROMPT}${EXAMPLES.replace('e2', 'e1')}`, /:7:11 the example id 'e1'/],
    [
      'an example without an answer',
      `${PROMPT}examples: [{ id: a, input: 1 }]\n`,
      /'output' is mis/,
    ],
    ['a credential', PROMPT.replace('leads', `ghp_${'a1B2'.repeat(9)}`), /:2:25 looks like/],
    ['a role that is none', PROMPT.replace('worker', 'worke'), /:1:12 .*did you mean 'worker'/],
  ])('with %s is refused in its place', async (_, text, expected) => {
    expect(await faultsOf(text)).toMatch(expected)
  })

  test('that lies outside of the repository is not there', async () => {
    const { symlinkSync } = await import('node:fs')
    const elsewhere = openTestFolder()
    elsewhere.write('v1.0.yaml', PROMPT)
    write(PROMPT, 'other/v1')
    symlinkSync(elsewhere.root, `${folder.root}/missions/templates/prompts/lead_worker`)
    await expect(read('lead_worker@v1.0')).rejects.toMatchObject({ code: 'not-found' })
    elsewhere.remove()
  })
})

describe('a prompt package', () => {
  const template: PromptTemplate = {
    ...defaultPrompt('worker'),
    systemPrompt: 'You are {{mission.actor_role}}',
    taskPrompt: '{{task.objective}}\n{{task.success_criteria}}\n{{mission.context_refs.lead_ids}}',
    examples: [{ id: 'e1', input: { a: 1 }, output: '{{mission.user_goal}}' }],
  }

  test('is filled in once, and examples are not', () => {
    const made = promptPackage(template, task, envelope, ['crm_search'], NOW, IDS)
    expect(made.task_prompt).toBe('Find {{mission.user_goal}}\n- one\n- two\nlead_123')
    expect(made.system_prompt).toBe(
      'You are sales_director\n\nExample e1\nGiven:\n{\n  "a": 1\n}\nAnswer:\n{{mission.user_goal}}',
    )
    expect(made.examples_used).toEqual(['e1'])
    expect(made.constraints.must_not_writeback_directly).toBe(true)
  })

  test.each([
    [['crm_search', 'other_tool'], ['crm_search']],
    [[], []],
    [['other_tool'], []],
  ])('has of the tools %j only those of its task', async (allowed, scope) => {
    const made = promptPackage(template, task, envelope, allowed, NOW, IDS)
    expect(made.tool_scope).toEqual(scope)
    expect(await judge({ ...made }, task)).toEqual([])
  })

  test('is not made for another role', () => {
    const make = () => promptPackage(defaultPrompt('planner'), task, envelope, [], NOW, IDS)
    expect(make).toThrow(/for the role planner, not worker/)
  })

  test.each(Object.keys(RETURNED) as Task['role_type'][])(
    'of the built-in prompts for a %s is sound',
    async role => {
      const own = { ...task, role_type: role, allowed_tools: ['crm_search'] }
      const made = promptPackage(defaultPrompt(role), own, envelope, ['crm_search'], NOW, IDS)
      expect(await judge({ ...made }, own)).toEqual([])
      expect(made.task_prompt).toContain(envelope.normalized_goal)
      expect(made.task_prompt).toContain('- one\n- two')
      expect(made.system_prompt.length).toBeGreaterThan(80)
    },
  )
})
