import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentRepository, openAgentRepository } from './agent-repository.ts'
import { PROGRAMS, whyNot } from './coding-agents.ts'
import { type ModelStandIn, openModelStandIn, type Step } from './model-stand-in.ts'

const inAgent = test.skipIf(whyNot('claude-code') !== undefined)
const plugin = join(import.meta.dirname, '../../integrations/claude-code')

let repo: AgentRepository
let model: ModelStandIn | undefined
beforeEach(() => {
  repo = openAgentRepository()
})
afterEach(async () => {
  await model?.close()
  repo.remove()
})

/** Runs a session with our plugin; the model says what the steps say. */
async function session(steps: readonly Step[], prompt = 'Do the work', more: string[] = []) {
  await model?.close()
  model = await openModelStandIn(steps)
  const args = ['-p', prompt, '--plugin-dir', plugin, '--permission-mode', 'acceptEdits']
  const output = await repo.start(
    PROGRAMS['claude-code'],
    [...args, '--output-format', 'json', ...more],
    {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
    },
  )
  const { session_id: id } = JSON.parse(output)
  return { id: String(id), requests: model.requests.map(({ text }) => text) }
}

const write = (path: string): Step => ({
  name: 'Write',
  input: { file_path: join(repo.root, path), content: 'x' },
})
const shell = (command: string): Step => ({
  name: 'Bash',
  input: { command, description: 'a command' },
})

inAgent('a session begins with the brief, obeys the rules and ends with a draft', async () => {
  await repo.handOver()
  const steps = [write('vendor/x.js'), shell('git push origin main'), write('src.ts')]
  const { requests } = await session([...steps, { text: 'Done.' }, { text: 'No.' }])
  expect(requests[0]).toContain('Follow the rules in force below')
  expect(requests[0]).toContain('R-001: Never push without a review')
  expect(requests[1]).toContain('the standing rule R-002 is about `vendor/x.js`')
  expect(requests[2]).toContain('the standing rule R-001 is about `git push origin main`')
  expect(existsSync(join(repo.root, 'vendor'))).toBe(false)
  expect(existsSync(join(repo.root, 'src.ts'))).toBe(true)
  // Asked once; without an answer, the end of the session drafts a handoff.
  expect(requests[4]).toContain('This session left no handoff since its last change.')
  expect(requests).toHaveLength(5)
  expect(repo.drafts()).toHaveLength(1)
})

inAgent('an agent that hands over when asked leaves no draft', async () => {
  await repo.handOver()
  const handOver = `waybill handoff --state 'It parses' --next 'Fuzz it' --decision 'One pass: less memory'`
  const allow = ['--allowedTools', 'Bash(waybill:*)']
  await session([write('src.ts'), { text: 'Done.' }, shell(handOver)], undefined, allow)
  expect(repo.drafts()).toEqual([])
  expect((await repo.waybill('brief')).stdout).toContain('One pass: less memory')
})

inAgent('after a compaction the rules are there again', async () => {
  await repo.handOver()
  const { id } = await session([{ text: 'Done.' }])
  await session([], '/compact', ['--resume', id])
  const compacted = model?.all.map(({ text }) => text).join('\n')
  expect(compacted).toContain('Keep these rules and notes word for word in the summary')
  const { requests } = await session([{ text: 'Done.' }], 'Go on', ['--resume', id])
  expect(requests[0]).toContain('The conversation was compacted; this is what is in force.')
  expect(requests[0]).toContain('R-002: Vendored code stays as it is')
})

inAgent('a closed gate keeps code from being written, and not its way out', async () => {
  mkdirSync(join(repo.root, 'src'))
  await repo.waybill('state', 'init')
  const { requests } = await session([write('src/a.ts'), write('docs/plan.md'), { text: 'Done.' }])
  expect(requests[1]).toContain('code may not be written yet')
  expect(existsSync(join(repo.root, 'src/a.ts'))).toBe(false)
  expect(existsSync(join(repo.root, 'docs/plan.md'))).toBe(true)
})

inAgent('the plugin is valid', async () => {
  const output = await repo.start(PROGRAMS['claude-code'], ['plugin', 'validate', plugin], {
    IS_SANDBOX: '1',
  })
  expect(output).toContain('Validation passed')
  expect(output).not.toMatch(/warning/i)
})
