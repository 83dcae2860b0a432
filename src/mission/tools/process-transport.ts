import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { WaybillError } from '../../error.ts'
import { endProcesses, type Run, runOf } from '../runners/run-processes.ts'
import { MARK, startWatch, type Watch } from '../runners/watch.ts'

/** How a tool server is started. */
interface Launch {
  readonly command: readonly string[]
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** The search path for programs. */
  readonly path: string | undefined
  /** The largest message, in bytes. */
  readonly bytes: number
}

/** A tool server as a process, with the reason of its end. */
export interface ProcessTransport extends Transport {
  readonly pid: number | null
  readonly stderr: null
  /** The reason, once it has ended. */
  why(): string | undefined
}

/** How long a server may take to exit after close, in milliseconds. */
const GRACE = 500
/** The most unread input, in bytes. */
const MOST_WAITING = 4_194_304

/**
 * Runs a tool server as a local program over standard input and output. All its processes end when it is closed, when
 * it exits or when this process dies. It gets only the given environment.
 */
export function openProcess(
  launch: Launch,
  parse: (line: string) => JSONRPCMessage,
): ProcessTransport {
  let child: ChildProcess | undefined
  let watch: Watch | undefined
  let why: string | undefined
  let isOver = false
  let gone = () => {}
  const ended = new Promise<void>(resolve => {
    gone = resolve
  })

  const kill = (reason: string) => {
    why ??= reason
    endGroup(child)
  }
  const over = () => {
    if (isOver) return
    isOver = true
    for (const pipe of [child?.stdin, child?.stdout]) pipe?.destroy()
    gone()
    transport.onclose?.()
  }
  const failToStart = async (fault: string) => {
    why = `it cannot be started${fault}`
    await watch?.end()
    over()
    mustLive(why)
  }
  const start = async () => {
    if (child) return mustLive(why)
    const mark = randomUUID()
    watch = startWatch(mark, launch.path)
    const started = startProcess(launch, mark)
    if (typeof started === 'string') return failToStart(started)
    child = started
    const fault = await once(started, 'spawn').then(() => undefined, codeOf)
    if (fault !== undefined) return failToStart(fault)
    const run = begun(watch, mark, started)
    started.stdin?.on('error', () => {})
    started.stdout?.on(
      'data',
      lines(launch.bytes, line => receive(transport, parse, line), kill),
    )
    started.once('exit', (code, signal) => {
      kill(code === null ? `it was killed by ${signal}` : `it exited with code ${code}`)
      void endRun(run, watch)
      // Pending output may follow, or another process may hold the pipe.
      const late = setTimeout(over, GRACE)
      started.once('close', () => {
        clearTimeout(late)
        over()
      })
    })
  }
  const close = async () => {
    if (!child || isOver) return
    child.stdin?.end()
    const late = setTimeout(kill, GRACE, 'it was closed')
    await ended
    clearTimeout(late)
  }
  const transport: ProcessTransport = {
    get pid() {
      return child?.pid ?? null
    },
    stderr: null,
    why: () => why,
    start,
    close,
    send: message => write(child, JSON.stringify(message)),
  }
  return transport
}

function receive(
  transport: Transport,
  parse: (line: string) => JSONRPCMessage,
  line: string,
): void {
  try {
    transport.onmessage?.(parse(line))
  } catch (error) {
    // A malformed message answers nothing; its request times out.
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
}

function mustLive(why: string | undefined): void {
  if (why !== undefined) throw new WaybillError('input-output', why)
}

/** Starts a program; spawn may fail synchronously or later. */
function startProcess({ command, environment, folder, path }: Launch, mark: string) {
  const [program = '', ...rest] = command
  try {
    return spawn(findProgram(program, path), rest, {
      cwd: folder,
      env: { ...environment, [MARK]: mark },
      // Its standard error is ignored: it may contain anything.
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
  } catch (error) {
    return codeOf(error)
  }
}

/** Finds a program in our search path, which is not passed on. */
function findProgram(program: string, path: string | undefined): string {
  if (program.includes('/')) return program
  const places = (path ?? '').split(delimiter).filter(place => place !== '')
  return places.map(place => join(place, program)).find(mayRun) ?? program
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function begun(watch: Watch | undefined, mark: string, { pid = 0 }: ChildProcess): Run {
  watch?.tell(pid)
  return runOf(mark, pid)
}

/** Ends processes that left the group; the watcher does so if this process dies. */
async function endRun(run: Run, watch: Watch | undefined): Promise<void> {
  await endProcesses(run)
  await watch?.end()
}

function endGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}

function write(child: ChildProcess | undefined, line: string): Promise<void> {
  const input = child?.stdin
  return new Promise((resolve, reject) => {
    if (!input?.writable || input.writableLength > MOST_WAITING)
      return reject(new WaybillError('input-output', 'it does not read its input'))
    input.write(`${line}\n`, error => (error ? reject(error) : resolve()))
  })
}

/** Splits a stream into lines, scanning each byte once. */
function lines(most: number, take: (line: string) => void, refuse: (why: string) => void) {
  let parts: Buffer[] = []
  let size = 0
  return (chunk: Buffer) => {
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      take(Buffer.concat([...parts, rest.subarray(0, end)]).toString())
      parts = []
      size = 0
      rest = rest.subarray(end + 1)
    }
    size += rest.length
    if (size <= most) return void parts.push(rest)
    parts = []
    refuse(`it sent a message of more than ${most} bytes`)
  }
}

const NEWLINE = 0x0a
