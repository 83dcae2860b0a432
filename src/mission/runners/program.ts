import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { keepEnd } from '../../session/index.ts'
import { endProcesses, type Run, runOf } from './run-processes.ts'
import { MARK, startWatch } from './watch.ts'

/** How a program is run. */
export interface ProgramOptions {
  readonly command: readonly [string, ...string[]]
  readonly folder: string
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Its standard input. */
  readonly input: string
  /** The limit of standard output, in bytes. */
  readonly bytes: number
  /** Stops the program. */
  readonly signal: AbortSignal
}

/** How a program ended. */
export type ProgramResult =
  | { readonly how: 'not-started'; readonly code: string }
  | ({ readonly how: 'exited' | 'stopped' | 'overflow' } & Written)

interface Written {
  /** Null when killed by a signal. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly output: Uint8Array
  /** The end of standard error, unmodified. */
  readonly errors: string
}

/** How much of standard error is kept, in bytes: enough to mask a secret that is shown partly. */
const KEPT = 64 * 1024
/** How long to wait for output to close after the known processes ended, in milliseconds. */
const GRACE = 1000

/**
 * Runs a program in its own session and returns when all its processes have ended. If this process dies, a watcher ends
 * them.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  const mark = randomBytes(16).toString('hex')
  // Start the watcher first, so that no process escapes it.
  const watch = startWatch(mark, options.environment.PATH)
  if (!watch) return { how: 'not-started', code: 'EAGAIN' }
  try {
    const child = start(options, mark)
    if (typeof child === 'string') return { how: 'not-started', code: child }
    if (child.pid === undefined) return { how: 'not-started', code: await failureOf(child) }
    watch.tell(child.pid)
    return await follow(child, runOf(mark, child.pid), options)
  } finally {
    await watch.end()
  }
}

function start({ command, folder, environment }: ProgramOptions, mark: string) {
  const [program, ...args] = command
  try {
    return spawn(program, args, {
      cwd: folder,
      env: { ...environment, [MARK]: mark },
      stdio: 'pipe',
      detached: true,
    })
  } catch (error) {
    return codeOf(error)
  }
}

const failureOf = (child: ChildProcessWithoutNullStreams) =>
  new Promise<string>(resolve => child.once('error', error => resolve(codeOf(error))))

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

type End = Exclude<ProgramResult['how'], 'not-started'>

async function follow(
  child: ChildProcessWithoutNullStreams,
  run: Run,
  { input, bytes, signal }: ProgramOptions,
): Promise<ProgramResult> {
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  child.on('error', () => {})
  // A program that ignores its input may still answer.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const errors = keepEnd(KEPT)
  child.stderr.on('data', errors.add)
  const output: Buffer[] = []
  let size = 0
  const how = await new Promise<End>(resolve => {
    const stop = () => resolve('stopped')
    signal.addEventListener('abort', stop)
    child.once('exit', () => {
      signal.removeEventListener('abort', stop)
      resolve('exited')
    })
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bytes) {
        output.push(chunk)
        return
      }
      child.stdout.destroy()
      resolve('overflow')
    })
    if (signal.aborted) stop()
  })
  await endProcesses(run)
  // The last output may be pending; an unknown process may hold the pipe open forever.
  await Promise.race([closed, pause(GRACE)])
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  return {
    how: how === 'exited' && size > bytes ? 'overflow' : how,
    exitCode: child.exitCode,
    signal: child.signalCode,
    output: Buffer.concat(output),
    errors: errors.text(),
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms).unref())
