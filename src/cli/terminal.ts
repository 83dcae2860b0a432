import { fstatSync, statSync, writeSync } from 'node:fs'
import { WaybillError } from '../error.ts'
import type { Style } from './parse.ts'

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const

/** Marks up text with colours, or leaves it plain. */
export function style(color: boolean): Style {
  return (kind, text) => (color ? `\x1b[${CODES[kind]}m${text}\x1b[0m` : text)
}

/** Whether people read standard output as it is written. */
export function isTerminal(): boolean {
  return mayBeTerminal(1) && process.stdout.isTTY
}

/**
 * Prints a text on standard output; exits quietly when the reader has closed it.
 *
 * Writes to files and pipes directly: opening a stream takes a tenth of a short run.
 */
export function print(text: string): void {
  let bytes = Buffer.from(text)
  try {
    const direct = !mayBeTerminal(1)
    while (direct && bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') endUnread()
    // The pipe is full: the stream waits for it.
    if (code !== 'EAGAIN') throw unwritable(error)
  }
  if (bytes.length > 0) stream().write(bytes)
}

/** The exit code of a program that SIGPIPE ends. */
const UNREAD = 141

/** Exits quietly, with 141 if the exit code is not known yet, so that `pipefail` sees an incomplete run. */
function endUnread(): never {
  process.exit(process.exitCode ?? UNREAD)
}

let isWatched = false

function stream(): NodeJS.WriteStream {
  // Do not count listeners: the piped output of a worker thread adds one too.
  if (!isWatched) {
    isWatched = true
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') endUnread()
      process.stderr.write(`waybill: ${unwritable(error).message}\n`)
      process.exit(2)
    })
  }
  return process.stdout
}

function unwritable(cause: unknown): WaybillError {
  const { code } = cause as NodeJS.ErrnoException
  return new WaybillError('input-output', `the output cannot be written (${code})`, { cause })
}

/** Whether a descriptor may be a terminal: a device other than /dev/null. Opens no stream. */
function mayBeTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(descriptor)
    return stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null').rdev
  } catch {
    return false
  }
}

const WIDEST_BAR = 24

/** Shows the progress of long work on standard error, if that is a terminal. */
export function progressBar(quiet: boolean) {
  let shown = false
  let last = 0
  const clear = () => {
    if (shown) process.stderr.write('\r\x1b[K')
    shown = false
  }
  // Clear the line when Ctrl-C interrupts the run.
  const leave = () => {
    // Leave the exit to another handler, which may wait for an entry to be recorded.
    if (process.listenerCount('SIGINT') === 0) process.exit(130)
  }
  return {
    show: (done: number, total: number, what = 'files') => {
      if (quiet || total < 200) return
      const now = Date.now()
      if (now - last < 80) return
      last = now
      if (!mayBeTerminal(2)) return
      const stream = process.stderr
      if (!stream.isTTY) return
      if (!shown) process.once('exit', clear).once('SIGINT', leave)
      shown = true
      stream.write(`\r${barOf(done, total, what, stream.columns || 80)}`)
    },
    clear: () => {
      clear()
      process.off('exit', clear).off('SIGINT', leave)
    },
    /** Never aborts. Operations with a signal yield to the event loop, so that Ctrl-C works. */
    signal: new AbortController().signal,
  }
}

/** A bar and figures shorter than a line, because a wrapped line cannot be redrawn. */
function barOf(done: number, total: number, what: string, columns: number): string {
  const figures = ` ${done}/${total} ${what}`
  const width = Math.max(0, Math.min(WIDEST_BAR, columns - 1 - figures.length))
  const filled = Math.round((done / total) * width)
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
  return `${bar}${figures}`.slice(0, columns - 1)
}

let isShown: (line: string) => boolean = () => false

/** Sets the function that shows notices above a live drawing; it returns whether it showed the line. */
export function showTold(show: (line: string) => boolean): void {
  isShown = show
}

/** Shows a notice on standard error while the work continues. */
export function tell(line: string): void {
  if (!isShown(line)) process.stderr.write(`${line}\n`)
}

/** Asks the person at the terminal; undefined when standard input or error is redirected. */
export function asker(): ((question: string) => Promise<string>) | undefined {
  if (!mayBeTerminal(0) || !mayBeTerminal(2)) return undefined
  return async question => {
    const { stdin: input, stderr: output } = process
    if (!input.isTTY || !output.isTTY) return ''
    const { createInterface } = await import('node:readline/promises')
    const lines = createInterface({ input, output })
    // Ctrl-C, Ctrl-D and a terminal that goes away end the question, and with it the run.
    const leave = () => process.exit(130)
    lines.on('SIGINT', leave).on('close', leave)
    const answer = await lines.question(question)
    lines.off('close', leave).close()
    return answer.trim()
  }
}
