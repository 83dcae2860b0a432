import { counted, listed, quote, spelled } from '../../contract/index.ts'
import type { ChecklistItem } from '../../contracts/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { runCommand } from '../../session/index.ts'
import type { App } from '../operation.ts'
import type { ResumeFinding } from './codes.ts'
import type { Journey } from './journey.ts'
import type { ResumeCheck } from './output.ts'

/** A person's choice about the commands of a checklist. */
export interface ChecksWanted {
  readonly run: boolean
  /** Whether all commands are confirmed in advance. */
  readonly yes: boolean
  /** The timeout of each command, in milliseconds. */
  readonly timeout: number
}

/** Handles the verification checklist: runs its commands when requested. */
export async function takeChecks(
  journey: Journey,
  items: readonly ChecklistItem[],
  wanted: ChecksWanted,
  app: App,
): Promise<readonly ResumeCheck[]> {
  const commands = items.filter(({ command }) => command !== undefined).length
  const forReaders = items.length - commands
  const rest = forReaders > 0 ? `${forReaders} for a reader to check` : ''
  if (!wanted.run) {
    const detail = commands > 0 ? `${counted(commands, 'command')}, run with --run-checks` : ''
    journey.leaveOut('checks', listed([detail, rest].filter(Boolean)))
    return items.map(item => notRun(item, 'not-run'))
  }
  const checks = await runAll(items, wanted, app)
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length
  const detail = `${passed} of ${counted(commands, 'command')} passed`
  journey.take('checks', rest ? `${detail}, ${rest}` : detail, ...checks.flatMap(faultOf))
  return checks
}

async function runAll(
  items: readonly ChecklistItem[],
  { yes, timeout }: ChecksWanted,
  app: App,
): Promise<ResumeCheck[]> {
  const commands = items.flatMap(({ command = [] }) => command).filter(isShowable)
  if (commands.length > 0) announce(commands, yes, app)
  const checks: ResumeCheck[] = []
  for (const item of items) {
    const { command } = item
    if (command === undefined) checks.push(notRun(item, 'not-run'))
    else if (!isShowable(command)) checks.push(notRun(item, 'refused'))
    else if (!yes && !(await agrees(command, app))) checks.push(notRun(item, 'declined'))
    else checks.push(await runOne(item, command, timeout, app))
  }
  return checks
}

/** Shows every command before the first is run. */
function announce(commands: readonly string[], yes: boolean, app: App): void {
  const shown = commands.map(command => `  $ ${command}`).join('\n')
  if (!yes && !app.ask) {
    throw new WaybillError('usage', `cannot ask whether to run these checks:\n${shown}`, {
      hint: 'read them, then pass --yes to run them',
    })
  }
  app.tell?.(`the checklist of the handoff has these commands:\n${shown}`)
}

async function agrees(command: string, { ask }: App): Promise<boolean> {
  const answer = await ask?.(`run it: ${command} [y/N] `)
  return /^y(?:es)?$/i.test(answer ?? '')
}

async function runOne(
  item: ChecklistItem,
  command: string,
  timeout: number,
  { root, environment, signal, tell }: App,
): Promise<ResumeCheck> {
  if (!environment) throw new WaybillError('usage', 'commands cannot be run here')
  tell?.(`$ ${command}`)
  const result = await runCommand(command, { folder: root, environment, timeout, signal })
  if (signal?.aborted) throw new WaybillError('interrupted', 'the checks were interrupted')
  const { outcome, exitCode = null, output } = result
  return { ...notRun(item, outcome), exitCode, output }
}

function notRun({ line, text, command }: ChecklistItem, outcome: ResumeCheck['outcome']) {
  return { line, text, command: command ?? null, outcome, exitCode: null, output: null } as const
}

/** A command that hides characters or contains a secret cannot be shown unchanged, as a confirmation needs. */
function isShowable(command: string): boolean {
  return spelled(command) === command && maskSecrets(command) === command
}

function faultOf(check: ResumeCheck): ResumeFinding[] {
  const { outcome, exitCode, line } = check
  const command = quote(check.command)
  const refusal = (message: string, hint: string): ResumeFinding[] => [
    { code: 'resume/check-failed', severity: 'error', message, hint, line },
  ]
  if (outcome === 'failed') {
    const how = exitCode === null ? 'was ended by a signal' : `exited with ${exitCode}`
    return refusal(
      `${command} ${how}`,
      'the handoff does not hold here: fix what the command reports, or write a new one',
    )
  }
  if (outcome === 'timed-out')
    return refusal(`${command} timed out`, 'allow more seconds with --timeout')
  if (outcome === 'refused')
    return refusal(
      `${command} was not run: it contains hidden characters or what looks like a secret`,
      'correct the checklist: a command must be shown unchanged before it is run',
    )
  if (outcome !== 'declined') return []
  const message = `${command} was not run: it was not confirmed`
  return [{ code: 'resume/check-declined', severity: 'warning', message, line }]
}
