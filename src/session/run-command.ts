import { spelled } from '../contract/index.ts'
import { maskSecrets } from '../document/index.ts'
import { keepEnd } from './keep-end.ts'
import { withoutTerminalCodes } from './terminal-codes.ts'

/** How a command is run. */
export interface CommandOptions {
  readonly folder: string
  /** All that it learns of the environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Milliseconds that it may take. */
  readonly timeout: number
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
}

/** How a command ended. */
export interface CommandResult {
  readonly outcome: 'passed' | 'failed' | 'timed-out'
  /** Absent where a signal ended it, or it could not be started. */
  readonly exitCode?: number
  /** The end of what it printed, fit to be shown. */
  readonly output: string
}

/** How much of the output is kept, and how much of that is shown: a secret in what is shown was kept whole. */
const KEPT = 256 * 1024
const SHOWN = 8 * 1024
/** How long a command that ended may take to close its output, which what it started may still hold. */
const GRACE = 200

/**
 * Runs a command by a shell, as it stands, and gives how it ended.
 *
 * It has no terminal and no input. What it started ends with it, and with this process, but for what has left its group
 * of processes on purpose.
 */
export function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  const { folder, environment, timeout, signal } = options
  // Loaded on use: hardly any run executes anything.
  const { spawn } = process.getBuiltinModule('node:child_process')
  return new Promise(resolve => {
    // A terminal that goes away, or asks for a dump, ends this process without a word to the others; it may do so at once.
    for (const signal of ENDS) process.on(signal, leave)
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that all it starts can be ended together; and no terminal that it could ask at.
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
    // All of it has ended already.
  }
}

function fitToShow(text: string): string {
  const plain = maskSecrets(withoutTerminalCodes(text)).replace(/\r\n?/g, '\n').trimEnd()
  const lines = plain.split('\n').map(line => spelled(line.replaceAll('\t', '  ')))
  let size = 0
  let first = lines.length
  while (first > 0 && size + (lines[first - 1]?.length ?? 0) < SHOWN)
    size += (lines[--first]?.length ?? 0) + 1
  // A line that is cut could begin in the middle of a secret.
  return first === 0 ? lines.join('\n') : ['…', ...lines.slice(first)].join('\n')
}
