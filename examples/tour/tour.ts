import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters, styleText } from 'node:util'
import { endDatabase } from './database.ts'
import { runWaybill } from './waybill.ts'

const EXAMPLE = join(import.meta.dirname, '../nudge')

/** The end of the example's story, used as the current time. */
export const STORY_NOW = '2026-03-05T15:30:00Z'

/** One part of the tour. */
export interface Chapter {
  readonly title: string
  /** Whether its commands use the database, which is created during the earlier chapters. */
  readonly needsDatabase?: boolean
  run(tour: Tour): Promise<void>
}

/** The expected result of a command, so that the tour stays true. */
export interface Expected {
  readonly exitCode: number
  /** Texts that the output must contain. */
  readonly shows?: readonly string[]
}

/** What chapters use to print, run commands and change files, all in a copy of the example. */
export interface Tour {
  /** Prints a paragraph. */
  say(...lines: readonly string[]): void
  /** Prints and runs a command, prints its output and returns it as plain text. */
  waybill(args: readonly string[], expected: Expected): Promise<string>
  /** Runs a command silently and returns its result as data. */
  ask(args: readonly string[]): Promise<unknown>
  /** Replaces a text in a file of the copy, and prints the line before and after. */
  change(path: string, from: string, to: string): void
  /** Writes a file of the copy, and prints its path. */
  write(path: string, text: string): void
}

/** An unexpected result in the tour. */
export class TourError extends Error {}

/** Runs the chapters in order, in a copy of the example that is always removed. */
export async function takeTour(chapters: readonly Chapter[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tour-'))
  const root = join(folder, 'nudge')
  const forget = removeAtTheEnd(folder, root)
  let database: Promise<unknown> = Promise.resolve()
  try {
    cpSync(EXAMPLE, root, { recursive: true, filter: path => !path.endsWith('.waybill') })
    // Create the database early; if this fails, the next command that needs it retries and reports the error.
    if (chapters.some(({ needsDatabase }) => needsDatabase))
      database = runWaybill(['mission', 'list'], placeOf(root)).catch(() => {})
    for (const [i, chapter] of chapters.entries()) {
      print(`\n${styleText('bold', `${i + 1}. ${chapter.title}`)}\n`)
      if (chapter.needsDatabase) await database
      await chapter.run(openTour(root))
    }
  } finally {
    await database
    forget()
  }
}

/** Removes a folder when the process ends, also by Ctrl-C or a closed pipe; or earlier, on request. */
function removeAtTheEnd(folder: string, root: string): () => void {
  const remove = () => {
    endDatabase(root)
    removeWhatIsWritten(folder)
  }
  const stop = (signal: NodeJS.Signals) => process.exit(signal === 'SIGINT' ? 130 : 143)
  process.on('exit', remove).on('SIGINT', stop).on('SIGTERM', stop)
  return () => {
    remove()
    process.off('exit', remove).off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Removes a folder even if a process that is ending still writes to it. */
function removeWhatIsWritten(folder: string): void {
  const until = performance.now() + 20_000
  while (existsSync(folder))
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (performance.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
}

function openTour(root: string): Tour {
  return {
    say: (...lines) => print(`\n${lines.join('\n')}\n`),
    waybill: (args, expected) => runForAll(args, expected, root),
    ask: async args => {
      const { result } = await runWaybill([...args, '--format', 'json'], placeOf(root))
      return JSON.parse(result)
    },
    change: (path, from, to) => changeFile(path, from, to, root),
    write: (path, text) => {
      writeFileSync(join(root, path), text)
      print(`\n${styleText('green', `+ ${path}`)}\n`)
    },
  }
}

/** The user state folder is next to the copy, and removed with it. */
function placeOf(root: string) {
  return { folder: root, stateHome: join(root, '../state') }
}

async function runForAll(
  args: readonly string[],
  expected: Expected,
  root: string,
): Promise<string> {
  const command = ['waybill', ...args.map(quoted)].join(' ')
  print(`\n${styleText('cyan', '$')} ${styleText('bold', command)}\n`)
  const { exitCode, output } = await runWaybill(args, placeOf(root), chunk =>
    process.stdout.write(chunk),
  )
  if (!output.endsWith('\n')) print('\n')
  if (exitCode !== 0) print(`${styleText('dim', `(exit code ${exitCode})`)}\n`)
  if (exitCode !== expected.exitCode)
    throw new TourError(`'${command}' ended with ${exitCode}, not with ${expected.exitCode}`)
  const plain = stripVTControlCharacters(output)
  const lacking = (expected.shows ?? []).filter(text => !plain.includes(text))
  if (lacking.length > 0)
    throw new TourError(`'${command}' does not show ${lacking.map(t => `"${t}"`).join(', ')}`)
  return plain
}

/** Quotes an argument for display. */
function quoted(arg: string): string {
  return /[\s`"$()]/.test(arg) ? `'${arg}'` : arg
}

function changeFile(path: string, from: string, to: string, root: string): void {
  const text = readFileSync(join(root, path), 'utf8')
  const at = text.indexOf(from)
  if (at < 0) throw new TourError(`${path} does not hold "${from}"`)
  const changed = text.slice(0, at) + to + text.slice(at + from.length)
  writeFileSync(join(root, path), changed)
  const before = styleText('red', `- ${linesAt(text, at, from.length)}`)
  const after = styleText('green', `+ ${linesAt(changed, at, to.length)}`)
  print(`\n${path}\n${before}\n${after}\n`)
}

/** The whole lines that contain a piece of text. */
function linesAt(text: string, at: number, length: number): string {
  const start = text.lastIndexOf('\n', at) + 1
  const end = text.indexOf('\n', at + length)
  return text.slice(start, end < 0 ? undefined : end).replaceAll('\n', '\n  ')
}

function print(text: string): void {
  process.stdout.write(text)
}
