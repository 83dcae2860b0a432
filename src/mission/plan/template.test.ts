import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FIRST, GOOD, HEAD, PROMPT } from '../../../test/mission-templates.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { WaybillError } from '../../error.ts'
import { listTemplates, parseTemplate, readTemplate } from './template.ts'

let folder: TestFolder
const place = () => ({ root: folder.root, folder: 'missions/templates' })
const write = (name: string, text: string | Uint8Array) =>
  folder.write(`missions/templates/${name}`, text)
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

/** What is said of a text as a template. */
async function faultsOf(text: string | Uint8Array): Promise<string> {
  write('t.yaml', text)
  try {
    await readTemplate(place(), 't')
    return ''
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    expect(error.code).toBe('configuration')
    return error.message
  }
}

describe('a template', () => {
  test('is listed by its name, others are not', () => {
    write('b.yaml', 'x')
    write('a_1-2.yaml', 'x')
    write('notes.md', 'x')
    write('.hidden.yaml', 'x')
    write('prompts/p/v1.yaml', 'x')
    expect(listTemplates(place())).toEqual(['a_1-2', 'b'])
    expect(listTemplates({ root: folder.root, folder: 'elsewhere' })).toEqual([])
  })

  test('is read with what it leaves out', async () => {
    write('lead.yaml', GOOD)
    expect(await readTemplate(place(), 'lead')).toMatchObject({
      name: 'lead',
      planner: 'template',
      retries: { limit: 2, first: 1000, longest: 60_000 },
      tasks: [{ task_id: 'find', depends_on: [] }, { allowed_tools: [] }],
      prompts: {},
      agents: {},
    })
  })

  test.each(['leed', '../lead', 'prompts/lead', '', 'lead.yaml', 'a/../lead'])(
    'that is called %j is not there',
    async name => {
      write('lead.yaml', GOOD)
      await expect(readTemplate(place(), name)).rejects.toMatchObject({ code: 'not-found' })
    },
  )

  test('with a name that is nearly right is recognised', async () => {
    write('lead.yaml', GOOD)
    const reading = readTemplate(place(), 'leed')
    await expect(reading).rejects.toMatchObject({ hint: "did you mean 'lead'?" })
  })
})

const change = (from: string, to: string) => GOOD.replace(from, to)

test.each<[string, string, RegExp]>([
  ['an unknown key', change('title:', 'titel: x\ntitle:'), /:1:1 unknown key 'titel' .*'title'/],
  [
    'an unknown key of a task',
    change('depends_on', 'depend_on'),
    /:19:5 .*did you mean 'depends_on'/,
  ],
  ['no key that is needed', change('title: Lead brief\n', ''), /'title' is missing/],
  ['a role that is none', change('worker', 'wroker'), /:11:16 .*did you mean 'worker'/],
  ['no criterion', change('[it is reviewed]', '[]'), /:20:23 .*fewer than 1/],
  ['no tasks', HEAD, /the mission has no tasks/],
  ['an empty list of tasks', `${HEAD}tasks: []\n`, /:9:8 the mission has no tasks/],
  ['a task twice', `${GOOD}${FIRST}`, /:21:14 the id 'find' is not unique/],
  ['a dependency on nothing', change('[find]', '[fnd]'), /:19:18 .*'fnd'.*did you mean 'find'/],
  [
    'a circle',
    change('allowed_tools:', 'depends_on: [review]\n    allowed_tools:'),
    /:13:18 tasks depend on each other in a cycle: 'find' → 'review' → 'find'/,
  ],
  ['a task that waits for itself', change('[find]', '[review]'), /:19:18 .*depends on itself/],
  [
    'two reviewers',
    change('role_type: worker', 'role_type: reviewer'),
    /:17:16 a mission has one reviewer/,
  ],
  [
    'a placeholder that is none',
    change('mission.user_goal', 'mission.user_gaol'),
    /:15:9 there is no placeholder \{\{mission\.user_gaol\}\} \(did you mean \{\{mission\.user_goal\}\}/,
  ],
  [
    'a placeholder of prompts',
    change('mission.user_goal', 'task.objective'),
    /:15:9 there is no pla/,
  ],
  [
    'an empty placeholder',
    change('mission.user_goal', ''),
    /:15:9 there is no placeholder \{\{\}\}/,
  ],
  [
    'a reference without a key',
    change('context_refs.lead_ids', 'context_refs.'),
    /:12:16 there is no/,
  ],
  [
    'a reference into the depth',
    change('context_refs.lead_ids', 'context_refs.a.b'),
    /:12:16 there is no/,
  ],
  [
    'an open placeholder',
    change('{{mission.user_goal}}', '{{mission.user_goal'),
    /:15:9 .*not closed/,
  ],
  [
    'a placeholder where none is read',
    change('crm_search', '"{{mission.user_goal}}"'),
    /:13:21 there is no/,
  ],
  [
    'prompts of no task',
    `${GOOD}prompts: { fnd: a@v1 }\n`,
    /:21:12 the mission has no task or role 'fnd'/,
  ],
  [
    'prompts that are not there',
    `${GOOD}prompts: { find: a@v1 }\n`,
    /:21:18 there is no prompt template 'a@v1'/,
  ],
  [
    'prompts without a version',
    `${GOOD}prompts: { find: a }\n`,
    /:21:18 'a' does not have the required form/,
  ],
  ['prompts from elsewhere', `${GOOD}prompts: { find: ../a@v1 }\n`, /:21:18 .*required form/],
  [
    'an agent for no task',
    `${GOOD}agents: { worker: a }\n`,
    /:21:11 the mission has no task 'worker'/,
  ],
  [
    'pauses the wrong way round',
    `${GOOD}retries: { first_ms: 9, longest_ms: 3 }\n`,
    /:21:22 the first delay, 9/,
  ],
  ['too many retries', `${GOOD}retries: { limit: 101 }\n`, /:21:19 '101' is above 100/],
  [
    'tasks together with an agent that plans',
    `${GOOD}planner: agent\n`,
    /:10:3 with planner: agent/,
  ],
  [
    'a credential',
    change('Review it', `ghp_${'a1B2'.repeat(9)}`),
    /:18:16 looks like a credential/,
  ],
  [
    'an invisible character',
    change('Review it', '"Review\\u200b it"'),
    /:18:16 this text, which handoffs repeat, contains an invisible character: a zero-width/,
  ],
  ['an alias', change('[it is reviewed]', '*a'), /alias/],
  ['a key twice', change('title: Lead brief', 'title: a\ntitle: b'), /:2:1 /],
  ['half a merge', `<<<<<<< a\n${GOOD}=======\n>>>>>>> b\n`, /unfinished merge/],
  ['nothing', '', /empty/],
  ['a list', '- 1\n', /must be an object/],
  ['the character that cannot be stored', change('Review it', '"a\\0b"'), /:18:16 .*\\u0000/],
])('a template with %s is refused in its place', async (_, text, expected) => {
  const message = await faultsOf(text)
  expect(message).toMatch(expected)
  expect(message).toContain('missions/templates/t.yaml')
  expect(message).not.toContain('a1B2')
})

test('agents may be named for tasks that an agent will plan, however these are called', async () => {
  const agents = 'agents: { review: a, worker1: b, aggregate: c }'
  expect(await faultsOf(`${HEAD}planner: agent\n${agents}\n`)).toBe('')
})

test('agents and prompts may be named as well for what one of several tasks will plan', async () => {
  write('prompts/lead/v1.yaml', PROMPT)
  const plan = '{ task_id: plan, role_type: planner, objective: Plan it, success_criteria: [done] }'
  const named = 'agents: { report: a }\nprompts: { worker: lead@v1 }'
  expect(await faultsOf(`${HEAD}tasks: [${plan}]\n${named}\n`)).toBe('')
  const slip = 'prompts: { workr: lead@v1 }'
  expect(await faultsOf(`${HEAD}tasks: [${plan}]\n${slip}\n`)).toContain("role 'workr'")
})

describe('a hostile template', () => {
  test('of ten thousand tasks in a chain is read', async () => {
    const tasks = Array.from(
      { length: 10_000 },
      (_, i) =>
        `  - {task_id: t${i}, role_type: worker, objective: o, depends_on: [${i ? `t${i - 1}` : ''}], success_criteria: [c]}`,
    )
    expect(await faultsOf(`${HEAD}tasks:\n${tasks.join('\n')}\n`)).toBe('')
    expect(await faultsOf(`${HEAD}tasks:\n${tasks.join('\n')}\n${tasks[0]}\n`)).toMatch(
      /more than 10000/,
    )
  })

  test('of more bytes than are read is refused', async () => {
    expect(await faultsOf(`# ${'x'.repeat(8 * 1024 * 1024)}\n${GOOD}`)).toMatch(
      /the mission template|cannot be read/,
    )
  })

  test('with very many faults tells the first', async () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n')
    const lines = (await faultsOf(`${GOOD}${keys}\n`)).split('\n')
    const listed = lines.filter(line => !line.startsWith('    '))
    expect(listed.length).toBeLessThan(60)
    expect(listed.length).toBeGreaterThan(40)
    // The lines of the first ten, each with a mark under it.
    expect(lines.length - listed.length).toBe(20)
  })

  test('of aliases that would grow is refused', async () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`)
    expect(await faultsOf(`${GOOD}${bomb.join('\n')}\n`)).toMatch(/alias/)
  })

  test('of any bytes is refused or read, and nothing else is thrown', async () => {
    const lines = fc.shuffledSubarray(GOOD.split('\n')).map(each => each.join('\n'))
    const text = fc.oneof(
      lines,
      fc.string(),
      lines.map(each => each.replace(/[a-z]+/, '{{')),
    )
    await fc.assert(
      fc.asyncProperty(text, async each => {
        const bytes = new TextEncoder().encode(each)
        await parseTemplate(bytes, 't', 't.yaml', async () => undefined).catch(error =>
          expect(error).toBeInstanceOf(WaybillError),
        )
      }),
      { numRuns: 300 },
    )
    const bytes = fc.uint8Array({ maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(bytes, async each => {
        const reading = parseTemplate(each, 't', 't.yaml', async () => undefined)
        await expect(reading).rejects.toBeInstanceOf(WaybillError)
      }),
    )
  })
})

test.each([
  ['is for another role', PROMPT.replace('worker', 'planner'), /for the role planner, not worker/],
  ['is itself at fault', PROMPT.replace('role_type', 'role'), /v1\.yaml:1:1 unknown key 'role'/],
])('a template whose prompts are in one that %s is refused', async (_, prompt, expected) => {
  write('prompts/lead_worker/v1.yaml', prompt)
  expect(await faultsOf(`${GOOD}prompts: { find: lead_worker@v1 }\n`)).toMatch(expected)
})
