import { type Host, processHost } from '../app.ts'
import { isTerminal, print } from './terminal.ts'

/** Where a run of the program reads, writes and ends. */
export interface Io extends Host {
  readonly stdout: Output
  readonly stderr: Output
  /** Set before the result is printed, so that it holds when the reader closes the pipe early. */
  exitCode?: number | undefined
  /** Ends the process. Absent where a run shares its process with others: it handles no signals and asks nothing. */
  readonly exit?: (code: number | undefined) => never
}

/** A stream of text. */
export interface Output {
  write(text: string): void
  /** Resolves when all that was written has left, so that a slow reader slows the run. */
  flushed?(): Promise<void>
  readonly isTTY?: boolean
}

/** The process itself. */
export const processIo: Io = {
  env: processHost.env,
  clock: processHost.clock,
  get cwd() {
    return processHost.cwd
  },
  get stdin() {
    return processHost.stdin
  },
  stdout: {
    write: print,
    flushed: async () => (await import('./stream.ts')).flushed(),
    get isTTY() {
      return isTerminal()
    },
  },
  stderr: { write: text => void process.stderr.write(text) },
  get exitCode() {
    return process.exitCode === undefined ? undefined : Number(process.exitCode)
  },
  set exitCode(code) {
    process.exitCode = code
  },
  exit: code => process.exit(code),
}
