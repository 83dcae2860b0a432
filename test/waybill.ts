import { Readable } from 'node:stream'
import { processHost } from '../src/app.ts'
import { run } from '../src/cli/main.ts'

/** What a run in this process may be given in addition to its arguments. */
export interface RunOptions {
  readonly cwd: string
  /** Added to the environment of the test. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: string | Uint8Array
}

/** How a run ended. */
export interface Ran {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the command line in the process of the test.
 *
 * Use `test/program.ts` instead where the process matters: signals, pipes, terminals, a crash, several at once on one lock.
 */
export async function waybill(args: readonly string[], options: RunOptions): Promise<Ran> {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const status = await run(args, {
    cwd: options.cwd,
    env: { ...processHost.env, ...options.env },
    clock: Date.now,
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    stdout: { write: text => void stdout.push(text) },
    stderr: { write: text => void stderr.push(text) },
  })
  return { status, stdout: stdout.join(''), stderr: stderr.join('') }
}
