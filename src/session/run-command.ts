import { spelled } from '../contract/index.ts'
import { maskSecrets } from '../document/index.ts'
import { keepEnd } from './keep-end.ts'
import { withoutTerminalCodes } from './terminal-codes.ts'

/** Options of a command. */
export interface CommandOptions {
  readonly folder: string
  /** The only environment variables it gets. */
  readonly environment: Readonly<Record<string, string>>
  /** Timeout in milliseconds. */
  readonly timeout: number
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
}

/** How a command ended. */
export interface CommandResult {
  readonly outcome: 'passed' | 'failed' | 'timed-out'
  /** Absent if a signal ended it or it could not start. */
  readonly exitCode?: number
  /** The end of its output, safe to display. */
  readonly output: string
}

/** How much output to keep, and how much of it to show: the difference keeps secrets at the cut whole for masking. */
const KEPT = 256 * 1024
const SHOWN = 8 * 1024
/** How long to wait for the output to close after the exit; child processes may still hold it. */
const GRACE = 200

/**
 * Runs a shell command and returns how it ended.
 *
 * It has no terminal and no input. Its child processes end with it and with this process, unless they left its process
 * group.
 */
export function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  const { folder, environment, timeout, signal } = options
  // Loaded on use: few runs execute commands.
  const { spawn } = process.getBuiltinModule('node:child_process')
  return new Promise(resolve => {
    // SIGHUP and SIGQUIT end this process at once, so the group is killed first.
    for (const signal of ENDS) process.on(signal, leave)
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, to kill all its children together, without a controlling terminal.
      detached: true,
    })
    const kept = keepEnd(KEPT)
    child.stdout.on('data', kept.add)
    child.stderr.on('data', kept.add)
    let isLate = false
    const kill = () => endGroup(child.pid)
    const timer = setTimeout(() => {
      isLate = true
      kill()
    }, timeout)
    process.on('exit', kill)
    signal?.addEventListener('abort', kill)
    let hasEnded = false
    const end = (exitCode: number | null, failure = '') => {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(timer)
      kill()
      process.off('exit', kill)
      for (const signal of ENDS) process.off(signal, leave)
      signal?.removeEventListener('abort', kill)
      child.stdout.destroy()
      child.stderr.destroy()
      const outcome = isLate ? 'timed-out' : exitCode === 0 ? 'passed' : 'failed'
      const output = fitToShow(kept.text() + failure)
      resolve({ outcome, ...(exitCode !== null && { exitCode }), output })
    }
    child.on('error', error => end(null, error.message))
    child.on('exit', code => {
      const late = setTimeout(end, GRACE, code)
      child.on('close', () => {
        clearTimeout(late)
        end(code)
      })
    })
  })
}

const ENDS = ['SIGHUP', 'SIGQUIT'] as const

function leave(): void {
  process.exit(129)
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}

function fitToShow(text: string): string {
  const plain = maskSecrets(withoutTerminalCodes(text)).replace(/\r\n?/g, '\n').trimEnd()
  const lines = plain.split('\n').map(line => spelled(line.replaceAll('\t', '  ')))
  let size = 0
  let first = lines.length
  while (first > 0 && size + (lines[first - 1]?.length ?? 0) < SHOWN)
    size += (lines[--first]?.length ?? 0) + 1
  // A cut line could start in the middle of a secret.
  return first === 0 ? lines.join('\n') : ['…', ...lines.slice(first)].join('\n')
}
