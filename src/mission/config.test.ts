import { expect, test } from 'vitest'
import { WaybillError } from '../error.ts'
import { parseConfig } from '../workspace/index.ts'
import { type Missions, readMissions } from './config.ts'

const SOUND = `
missions:
  orchestrator: orchestrator
  roles: { planner: plans, worker: works, reviewer: reviews, researcher: asks }
  runners:
    plans: { runner: model, route: large, seconds: 60, steps: 4 }
    works: { runner: command, command: [agents/work], environment: [MY_KEY], seconds: 5, bytes: 4096 }
    asks: { runner: a2a, url: 'https://agents.example.com/card', token: ASK_TOKEN, seconds: 5 }
    reviews: { runner: human }
  models:
    large: { provider: anthropic, model: m, url: 'http://127.0.0.1:8080', key: MODEL_KEY }
  servers:
    files: { command: [serve-files], environment: [HOME] }
    web: { url: 'https://tools.example.com/mcp', token: TOOLS_TOKEN }
  tools:
    read: { server: files, name: read_file, bytes: 1024 }
  templates: missions/templates
  writebacks:
    publish: { webhook: 'https://example.com/hook', secret: HOOK_SECRET }
    '*': { function: public.take }
`

const read = async (text: string) => readMissions(await parseConfig(new TextEncoder().encode(text)))

/** What is said of a configuration: the lines of its error. */
const said = async (text: string) => {
  const error = await read(text).catch((thrown: unknown) => thrown)
  if (!(error instanceof WaybillError)) throw new Error('it is sound', { cause: error })
  expect(error.code).toBe('configuration')
  return error.message
    .split('\n')
    .slice(1)
    .map(line => line.trim())
}

/** The sound configuration, with one stretch of its text as something else. */
const changed = (from: string, to: string) => {
  expect(SOUND.split(from)).toHaveLength(2)
  return SOUND.replace(from, to)
}

test('a sound configuration is what it says', async () => {
  const missions: Missions = await read(SOUND)
  expect(missions.runners.works?.command).toEqual(['agents/work'])
  expect(missions.roles.reviewer).toBe('reviews')
})

test.each([
  ['planner: plans', 'planer: plans', "'planer'", "did you mean 'planner'?"],
  ['planner: plans', 'boss: plans', "'boss'", 'roles are planner, prompt_master'],
  ['planner: plans', 'planner: nobody', "'nobody' has the role 'planner'", "add 'nobody'"],
  ['planner: plans', 'planner: toString', "'toString' has the role", 'to missions.runners'],
  ['runner: human }', 'runner: human, seconds: 5 }', "'seconds' does not", 'has nothing else'],
  ['runner: model, ', 'runner: model, bytes: 4096, ', "'bytes' does not belong", 'remove it'],
  ['command: [agents/work], ', '', "runner: command needs 'command'", "add 'command'"],
  ['runner: command, ', 'runner: command, url: "https://x.org", ', "'url' does not", 'remove it'],
  ['runner: command, ', 'runner: command, route: large, ', "'route' does not", 'environment, sec'],
  ["url: 'https://agents.example.com/card', ", '', "runner: a2a needs 'url'", "add 'url'"],
  ['https://agents.example.com/card', 'agents.example.com', 'not an http or https URL', 'https://'],
  ['https://agents.example.com/card', 'file:///etc/passwd', 'not an http or https URL', 'https://'],
  [
    'https://agents.example',
    'https://ada:pw@agents.example',
    'a user name or password',
    'variable',
  ],
  [
    'token: ASK_TOKEN',
    'token: "Bearer x"',
    'not the name of an environment variable',
    'variable here',
  ],
  [
    'key: MODEL_KEY',
    `key: ghp_${'a1B2'.repeat(9)}`,
    'not the name of an environment variable',
    'name of',
  ],
  ['route: large', 'route: larg', "no 'larg' in missions.models", "did you mean 'large'?"],
  ['https://tools.example.com/mcp', '/mcp', 'not an http or https URL', 'https://'],
  ['{ command: [serve-files], ', '{ ', "neither 'command' nor 'url'", "add 'command' or 'url'"],
  ['{ url: ', '{ command: [x], url: ', "both 'command' and 'url'", "remove 'command' or 'url'"],
  ['command: [serve-files], ', 'command: [x], token: T, ', "'token' does not", 'environment'],
  ['token: TOOLS_TOKEN', 'environment: [HOME]', "'environment' does not belong", 'url, token'],
  ['server: files', 'server: file', "no 'file' in missions.servers", "did you mean 'files'?"],
  [', secret: HOOK_SECRET', '', "a webhook needs 'secret'", "add 'secret'"],
  ['function: public.take', 'function: f, secret: S', "'secret' does not belong", 'remove it'],
  ['{ function: public.take }', '{ }', "neither 'webhook' nor 'function'", 'add'],
  ['{ function: ', '{ webhook: "https://x.org", function: ', "both 'webhook'", 'remove'],
  ['templates: missions', 'templates: ../missions', 'is outside the repository', 'a folder inside'],
  [
    'templates: missions/',
    'templates: /missions/',
    'is absolute',
    'a folder inside the repository',
  ],
])('%s as %s is a fault that says what to do', async (from, to, message, hint) => {
  const lines = await said(changed(from, to))
  expect(lines).toEqual([expect.stringContaining(message)])
  expect(lines).toEqual([expect.stringContaining(hint)])
  expect(lines).toEqual([expect.stringMatching(/^waybill\.yaml:[0-9]+:[0-9]+ /)])
  expect(lines.join()).not.toMatch(/ghp_a1|ada:pw|Bearer/)
})

test('all faults are listed, each at its place', async () => {
  const text = `missions:
  orchestrator: o
  roles: { cook: a }
  runners:
    b: { runner: human, command: [x] }
    c: { runner: model }
`
  expect(await said(text)).toEqual([
    expect.stringMatching(/^waybill\.yaml:3:\d+ there is no role 'cook'/),
    expect.stringMatching(
      /^waybill\.yaml:3:\d+ 'a' has the role 'cook' but no runner \(did you mean 'b'\? If not, add 'a'/,
    ),
    expect.stringMatching(/^waybill\.yaml:5:\d+ 'command' does not belong to runner: human/),
    expect.stringMatching(/^waybill\.yaml:6:\d+ there is no model for this runner/),
  ])
})

test.each(['', 'people: claimed\n'])(
  'where missions are not spoken of, that is said',
  async text => {
    expect(await said(text)).toEqual([expect.stringContaining("there is no section 'missions'")])
  },
)
