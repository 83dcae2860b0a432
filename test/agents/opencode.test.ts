import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentRepository, openAgentRepository } from './agent-repository.ts'
import { PROGRAMS, whyNot } from './coding-agents.ts'
import { type ModelStandIn, openModelStandIn, type Step } from './model-stand-in.ts'

const inAgent = test.skipIf(whyNot('opencode') !== undefined)

let repo: AgentRepository
let model: ModelStandIn | undefined
beforeEach(() => {
  repo = openAgentRepository()
})
afterEach(async () => {
  await model?.close()
  repo.remove()
})

/** Runs a session with the installed plugin; the model says what the steps say. */
async function session(steps: readonly Step[]) {
  model = await openModelStandIn(steps)
  const file = join(repo.root, 'opencode.json')
  const { mcp: _, ...config } = JSON.parse(readFileSync(file, 'utf8'))
  const provider = {
    npm: '@ai-sdk/anthropic',
    name: 'Stand-in',
    options: { baseURL: `${model.url}/v1`, apiKey: 'dummy' },
    models: { one: { name: 'One', limit: { context: 200_000, output: 8_000 } } },
  }
  const settings = { model: 'stand-in/one', small_model: 'stand-in/one' }
  writeFileSync(
    file,
    JSON.stringify({ ...config, ...settings, provider: { 'stand-in': provider } }),
  )
  const folders = Object.fromEntries(
    ['DATA', 'CONFIG', 'CACHE', 'STATE'].map(name => [`XDG_${name}_HOME`, join(repo.home, name)]),
  )
  await repo.start(PROGRAMS.opencode, ['run', 'Do the work'], {
    ...folders,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  })
  return model.requests.map(({ text }) => text)
}

inAgent('a session begins with the brief, obeys the rules and ends with a draft', async () => {
  await repo.waybill('init', '--agent', 'opencode')
  await repo.handOver()
  const write = (path: string): Step => ({
    name: 'write',
    input: { filePath: join(repo.root, path), content: 'x' },
  })
  const push = { command: 'git push origin main', description: 'push' }
  const steps: Step[] = [write('vendor/x.js'), { name: 'bash', input: push }, write('src.ts')]
  const requests = await session([...steps, { text: 'Done.' }])
  expect(requests[0]).toContain('Follow the rules in force below')
  expect(requests[1]).toContain('the standing rule R-002 is about `vendor/x.js`')
  expect(requests[2]).toContain('the standing rule R-001 is about `git push origin main`')
  expect(existsSync(join(repo.root, 'vendor'))).toBe(false)
  expect(existsSync(join(repo.root, 'src.ts'))).toBe(true)
  expect(repo.drafts()).toHaveLength(1)
})
