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
 * Prints a text on standard output, and ends quietly when nobody reads it any more.
 *
 * What is no terminal is written to directly: opening a stream for it takes a tenth of the time of a short run.
 */
export function print(text: string): void {
  let bytes = Buffer.from(text)
  try {
    const direct = !mayBeTerminal(1)
    while (direct && bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') endUnread()
    // A pipe that takes no more for the moment: the stream knows how to wait.
    if (code !== 'EAGAIN') throw unwritable(error)
  }
  if (bytes.length > 0) stream().write(bytes)
}

/** What a shell says of a program that a closed pipe ends: 128 and the number of SIGPIPE. */
const UNREAD = 141

/** Ends the run quietly; where the end was not known yet, not as if all were well: `pipefail` would take it for that. */
function endUnread(): never {
  process.exit(process.exitCode ?? UNREAD)
}

let isWatched = false

function stream(): NodeJS.WriteStream {
  // Counting listeners would not tell: the output of a second thread is piped here, and that listens too.
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

/** Whether it is a device other than the one that swallows everything; tells without opening a stream. */
function mayBeTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(descriptor)
    return stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null').rdev
  } catch {
    return false
  }
}

const WIDEST_BAR = 24

/** Shows on standard error how far long work has come; silent unless that is a terminal. */
export function progressBar(quiet: boolean) {
  let shown = false
  let last = 0
  const clear = () => {
    if (shown) process.stderr.write('\r\x1b[K')
    shown = false
  }
  // Whoever is sent away in the midst of it leaves no half line behind.
  const leave = () => {
    // Who else listens decides when it ends: an entry that is being recorded is answered first.
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
    /** Never aborted; but who is given one lets other things happen meanwhile, Ctrl-C among them. */
    signal: new AbortController().signal,
  }
}

/** A bar and figures that take less than a line: what wraps is not drawn over. */
function barOf(done: number, total: number, what: string, columns: number): string {
  const figures = ` ${done}/${total} ${what}`
  const width = Math.max(0, Math.min(WIDEST_BAR, columns - 1 - figures.length))
  const filled = Math.round((done / total) * width)
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
  return `${bar}${figures}`.slice(0, columns - 1)
}

let isShown: (line: string) => boolean = () => false

/** Lets somebody who draws on the terminal show what is told by themselves; they answer whether they did. */
export function showTold(show: (line: string) => boolean): void {
  isShown = show
}

/** Tells the person at the terminal something while the work goes on; the result alone goes to standard output. */
export function tell(line: string): void {
  if (!isShown(line)) process.stderr.write(`${line}\n`)
}

/** Asks the person at the terminal; there is nobody to ask where input or errors go elsewhere. */
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
