import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waybill } from '../waybill.ts'
import { PROGRAMS, whyNot } from './coding-agents.ts'
import { type ModelStandIn, openModelStandIn, type Step } from './model-stand-in.ts'

const missing = whyNot('claude-code')
const inAgent = test.skipIf(missing !== undefined)
const project = join(import.meta.dirname, '../..')

let root: string
let home: string
let model: ModelStandIn | undefined
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'waybill-agent-'))
  home = mkdtempSync(join(tmpdir(), 'waybill-home-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(root, 'waybill.yaml'), '')
})
afterEach(async () => {
  await model?.close()
  for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true })
})

const here = (...args: string[]) => waybill(args, { cwd: root })
const withRules = () =>
  here(
    ...['handoff', '--state', 'The feed works', '--next', 'Fuzz it', '--agent', 'ada'],
    ...['--rule', 'Never push without a review `scope: git push*`'],
    ...['--rule', 'Vendored code stays as it is `scope: vendor/**`'],
  )

/** Runs a session of Claude Code with our plugin; the model says what the steps say. */
async function session(steps: readonly Step[], prompt = 'Do the work', more: string[] = []) {
  model = await openModelStandIn(steps)
  const plugin = join(project, 'integrations/claude-code')
  const args = ['-p', prompt, '--plugin-dir', plugin, '--permission-mode', 'acceptEdits']
  const child = spawn(PROGRAMS['claude-code'], [...args, '--output-format', 'json', ...more], {
    cwd: root,
    env: {
      ...process.env,
      HOME: home,
      PATH: `${join(project, 'bin')}:${process.env.PATH}`,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  const { session_id } = JSON.parse(Buffer.concat(chunks).toString())
  return { id: String(session_id), requests: model.requests.map(({ text }) => text) }
}

const write = (path: string): Step => ({
  name: 'Write',
  input: { file_path: join(root, path), content: 'x' },
})
const shell = (command: string): Step => ({
  name: 'Bash',
  input: { command, description: 'a command' },
})
const drafts = () => readdirSync(join(root, 'handoffs')).filter(name => name.includes('draft'))

inAgent(
  'a session of Claude Code begins with the brief, obeys the rules and ends with a draft',
  async () => {
    await withRules()
    const steps = [write('vendor/x.js'), shell('git push origin main'), write('src.ts')]
    const { requests } = await session([...steps, { text: 'Done.' }, { text: 'No.' }])
    expect(requests[0]).toContain('Follow the rules in force below')
    expect(requests[0]).toContain('R-001: Never push without a review')
    expect(requests[1]).toContain('the standing rule R-002 is about `vendor/x.js`')
    expect(requests[2]).toContain('the standing rule R-001 is about `git push origin main`')
    expect(existsSync(join(root, 'vendor'))).toBe(false)
    expect(existsSync(join(root, 'src.ts'))).toBe(true)
    // Asked once; as nobody answered, the end of the session drafted a handoff.
    expect(requests[4]).toContain('This session left no handoff since its last change.')
    expect(requests).toHaveLength(5)
    expect(drafts()).toHaveLength(1)
  },
)

inAgent('an agent that hands over when asked leaves no draft', async () => {
  await withRules()
  const handOver = `waybill handoff --state 'It parses' --next 'Fuzz it' --decision 'One pass: less memory'`
  const allow = ['--allowedTools', 'Bash(waybill:*)']
  await session([write('src.ts'), { text: 'Done.' }, shell(handOver)], undefined, allow)
  expect(drafts()).toEqual([])
  expect((await here('brief')).stdout).toContain('One pass: less memory')
})

inAgent('after a compaction the rules are there again', async () => {
  await withRules()
  const { id } = await session([{ text: 'Done.' }])
  await model?.close()
  await session([], '/compact', ['--resume', id])
  const compacted = model?.all.map(({ text }) => text).join('\n')
  expect(compacted).toContain('Keep these rules and notes word for word in the summary')
  await model?.close()
  const { requests } = await session([{ text: 'Done.' }], 'Go on', ['--resume', id])
  expect(requests[0]).toContain('The conversation was compacted; this is what is in force.')
  expect(requests[0]).toContain('R-002: Vendored code stays as it is')
})

inAgent('a closed gate keeps code from being written, and not its way out', async () => {
  mkdirSync(join(root, 'src'))
  await here('state', 'init')
  const { requests } = await session([write('src/a.ts'), write('docs/plan.md'), { text: 'Done.' }])
  expect(requests[1]).toContain('code may not be written yet')
  expect(existsSync(join(root, 'src/a.ts'))).toBe(false)
  expect(existsSync(join(root, 'docs/plan.md'))).toBe(true)
})
