import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters, styleText } from 'node:util'
import { endDatabase } from './database.ts'
import { runWaybill } from './waybill.ts'

const EXAMPLE = join(import.meta.dirname, '../nudge')

/** When the story of the example ends; everything is checked as of then. */
export const STORY_NOW = '2026-03-05T15:30:00Z'

/** One part of the tour. */
export interface Chapter {
  readonly title: string
  /** Whether its commands use the database, which is made while the chapters before it are told. */
  readonly needsDatabase?: boolean
  run(tour: Tour): Promise<void>
}

/** What a command has to do, so that the tour cannot tell what is not so. */
export interface Expected {
  readonly exitCode: number
  /** Texts that have to be in the output. */
  readonly shows?: readonly string[]
}

/** What chapters tell, run and change with; all of it in a copy of the example. */
export interface Tour {
  /** Prints a paragraph. */
  say(...lines: readonly string[]): void
  /** Prints a command, runs it for real, prints what it prints and gives that as plain text. */
  waybill(args: readonly string[], expected: Expected): Promise<string>
  /** Runs a command without a word and gives its result as data. */
  ask(args: readonly string[]): Promise<unknown>
  /** Replaces one text in a file of the copy, and prints the line as it was and as it is. */
  change(path: string, from: string, to: string): void
  /** Writes a file of the copy, and says so. */
  write(path: string, text: string): void
}

/** Something did not go as the tour tells it. */
export class TourError extends Error {}

/** Takes the chapters in turn, in a copy of the example that is removed whatever happens. */
export async function takeTour(chapters: readonly Chapter[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tour-'))
  const root = join(folder, 'nudge')
  const forget = removeAtTheEnd(folder, root)
  let database: Promise<unknown> = Promise.resolve()
  try {
    cpSync(EXAMPLE, root, { recursive: true, filter: path => !path.endsWith('.waybill') })
    // The first command that needs it makes it, and does so now; the next one tries again, and says what is wrong.
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

/** Removes a folder when the process ends, also by Ctrl-C or because nobody reads on; or earlier, when told to. */
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

/** Removes a folder in which something that ends may still be writing, at the end of the process too. */
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

/** State that belongs to a user is beside the copy, and removed with it. */
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

/** An argument as a shell takes it. */
function quoted(arg: string): string {
  return arg.includes(' ') ? `"${arg}"` : arg
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

/** The whole lines on which a piece of text stands. */
function linesAt(text: string, at: number, length: number): string {
  const start = text.lastIndexOf('\n', at) + 1
  const end = text.indexOf('\n', at + length)
  return text.slice(start, end < 0 ? undefined : end).replaceAll('\n', '\n  ')
}

function print(text: string): void {
  process.stdout.write(text)
}
