import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openScreen } from './demo/screen.ts'
import { runWaybill } from './tour/waybill.ts'

// The 90 seconds: a rule outlives two compactions and a change of agent, and its refusal is proved offline.

const { values } = parseArgs({ options: { svg: { type: 'string' } } })
const folder = mkdtempSync(join(tmpdir(), 'waybill-demo-'))
const root = join(folder, 'feed')
const screen = openScreen()

try {
  await play()
  if (values.svg) writeFileSync(values.svg, screen.svg())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function play(): Promise<void> {
  execFileSync('git', ['init', '-q', '-b', 'main', root])
  await waybill(['init'], false)

  screen.scene('Ada states a rule, once.')
  await waybill([
    ...['handoff', '--agent', 'Ada', '--state', 'The feed works.', '--next', 'Speed it up', '-q'],
    ...['--decision', 'One pass: less memory'],
    ...['--rule', 'Never push without a review. `scope: git push*`'],
  ])

  screen.scene('Claude Code starts. Its conversation is compacted, twice.')
  for (const [event, more] of [
    ['SessionStart', {}],
    ['PreCompact', {}],
    ['SessionStart', { source: 'compact' }],
    ['PreCompact', {}],
    ['SessionStart', { source: 'compact' }],
  ] as const) {
    const { answer } = await hook('claude-code', event, more)
    if (event !== 'PreCompact')
      screen.agent('Claude Code', event, lineOf('R-001', contextOf(answer)))
  }

  screen.scene('An hour later it wants to push.')
  await tryToPush('Claude Code', 'claude-code', 'PreToolUse', 'Bash')

  screen.scene('The next agent never saw that conversation.')
  const { answer } = await hook('gemini-cli', 'SessionStart', {})
  screen.agent('Gemini CLI', 'SessionStart', lineOf('R-001', contextOf(answer)))
  await tryToPush('Gemini CLI', 'gemini-cli', 'BeforeTool', 'run_shell_command')

  screen.scene('Anyone can verify the refusals offline, with the log and its public keys.')
  await waybill(['log', 'show'])
  cpSync(join(root, '.waybill/ledger'), join(folder, 'copy'), { recursive: true })
  await waybill(['log', 'verify', '--ledger', '../copy', '--key', ...publicKeys()])
}

/** What a hook answers, as the agent reads it. */
interface Answer {
  readonly hookSpecificOutput?: Readonly<Record<string, string>>
  readonly reason?: string
}

async function hook(agent: string, event: string, payload: object, more: readonly string[] = []) {
  const stdin = JSON.stringify({ session_id: agent, ...payload })
  const args = ['hook', agent, event, ...more, '--format', 'json']
  const { result } = await runWaybill(args, placeOf(stdin))
  return JSON.parse(result) as { answer: Answer }
}

async function tryToPush(name: string, agent: string, event: string, tool: string): Promise<void> {
  const command = 'git push origin main'
  const { answer } = await hook(agent, event, { tool_name: tool, tool_input: { command } })
  const reason = answer.reason ?? answer.hookSpecificOutput?.permissionDecisionReason
  if (!reason?.includes('R-001'))
    throw new Error(`${name} was not denied: ${JSON.stringify(answer)}`)
  screen.agent(name, command, `denied. ${reason}`)
}

function contextOf({ hookSpecificOutput }: Answer): string {
  return hookSpecificOutput?.additionalContext ?? ''
}

function lineOf(id: string, text: string): string {
  const line = text.split('\n').find(one => one.includes(`${id}: `))
  if (!line) throw new Error(`the brief lacks ${id}`)
  return line
}

async function waybill(args: readonly string[], isShown = true): Promise<string> {
  const { exitCode, output } = await runWaybill(args, placeOf())
  if (exitCode !== 0) throw new Error(`waybill ${args.join(' ')} failed:\n${output}`)
  if (isShown) screen.command(['waybill', ...args], output)
  return output
}

/** The public keys that waybill.yaml lists for the gateway and its log. */
function publicKeys(): string[] {
  const config = readFileSync(join(root, 'waybill.yaml'), 'utf8')
  return [...config.matchAll(/- (?:gateway|log): .*\n +key: (\S+)/g)].map(([, key = '']) => key)
}

function placeOf(stdin?: string) {
  return { folder: root, stateHome: join(folder, 'state'), ...(stdin !== undefined && { stdin }) }
}
