import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { PROGRAM } from '../program.ts'
import { waybill } from '../waybill.ts'

/** Milliseconds that no case may take, on a machine that does other work too. */
const LONGEST = 60_000

/** How a run of the program ended. */
export interface Run {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A temporary folder in which the program is run. */
export interface Sandbox {
  readonly root: string
  /** Writes a file and gives its absolute path. */
  write(path: string, content: string | Uint8Array): string
  /** Runs the command line in this process. */
  run(...args: readonly string[]): Promise<Run>
  /** Starts the built program. */
  start(args: readonly string[], options?: StartOptions): Running
  remove(): void
}

/** What a run is given in addition to its arguments. */
export interface StartOptions {
  readonly input?: string | Uint8Array
  /** No file takes a single byte. */
  readonly fullDisk?: true
}

/** A run that has begun. */
export interface Running {
  readonly process: ReturnType<typeof spawn>
  readonly ended: Promise<Run>
}

/** Makes a temporary folder to run the program in. */
export function openSandbox(): Sandbox {
  const root = mkdtempSync(join(tmpdir(), 'waybill-hostile-'))
  const start = (args: readonly string[], options: StartOptions = {}) => begin(root, args, options)
  return {
    root,
    start,
    run: async (...args) => {
      const begun = performance.now()
      const ended = { ...(await waybill(args, { cwd: root })), signal: null }
      expect(performance.now() - begun, 'ended in time').toBeLessThan(LONGEST)
      expectDesigned(ended)
      return ended
    },
    write: (path, content) => {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** A shell that lets what it becomes write to no file; pipes are none. */
const FULL_DISK = ['/bin/sh', '-c', 'trap \'\' XFSZ; ulimit -f 0; exec "$@"', 'sh']

function begin(root: string, args: readonly string[], { input, fullDisk }: StartOptions): Running {
  const line = [...(fullDisk ? FULL_DISK : []), process.execPath, PROGRAM, ...args]
  const [program = '', ...rest] = line
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LONGEST,
    killSignal: 'SIGKILL',
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  // The program may end before it has read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const ended = new Promise<Run>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => {
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString()
      resolve({ status, signal, stdout: text(stdout), stderr: text(stderr) })
    })
  })
  return { process: child, ended }
}

/** Whatever the input: it ends in time, by itself, as designed, and shows none of our insides. */
export function expectDesigned({ status, signal, stderr }: Run): void {
  expect(signal, 'ended in time').toBeNull()
  expect([0, 1, 2], stderr).toContain(status)
  expect(stderr).not.toMatch(/^\s+at .+:[0-9]+:[0-9]+\)?$/m)
  expect(stderr).not.toContain('internal error')
}

/** A sound document that any test may start from. */
export const SOUND = {
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: 'ps-researcher', family: 'ps' },
  target_agent: { id: 'ps-analyst', family: 'ps' },
  timestamp: '2026-01-11T12:00:00Z',
  payload: { key_findings: [{ id: 'F-001', summary: 'It works.' }], confidence: { overall: 0.8 } },
}
