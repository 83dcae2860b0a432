import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Example, ExampleLine, Printed } from '../../src/contracts/explanation.ts'
import { compareLines, type LineSet } from './line-diff.ts'

const CONTEXT = 2
const MOST_LINES = 14
const WIDEST = 120
/** Longer texts show only the lines with findings. */
const MOST_COMPARED = 2000

/** The two fixtures of a rule as short examples, with the output for the failing one. */
export function examplesOf(
  fixtures: string,
  code: string,
): { passing?: Example; failing?: Example; printed: Printed[] } {
  const name = code.slice(code.indexOf('/') + 1)
  const valid = readFixture(join(fixtures, 'valid'), name)
  const invalid = readFixture(join(fixtures, 'invalid'), name)
  const printed = invalid ? printedFor(invalid.golden, code) : []
  const places = printed.map(p => p.line - 1)
  if (valid && invalid && isComparable(valid, invalid)) {
    const { left, right } = compareLines(valid.lines, invalid.lines)
    return {
      passing: excerpt(valid, left, places),
      failing: excerpt(invalid, right, places),
      printed,
    }
  }
  const nothing = { own: new Set<number>(), adjacent: new Set<number>() }
  return {
    ...(valid && { passing: excerpt(valid, nothing, []) }),
    ...(invalid && { failing: excerpt(invalid, nothing, places) }),
    printed,
  }
}

interface FixtureText {
  readonly file: string
  readonly lines: readonly string[]
  readonly golden: string
  readonly facts: string
}

function readFixture(folder: string, name: string): FixtureText | undefined {
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  const file = names.find(
    n => basename(n, extname(n)) === name && !n.endsWith('.out') && !n.endsWith('.facts.yaml'),
  )
  if (!file) return undefined
  const sibling = (ending: string) => {
    const path = join(folder, `${name}${ending}`)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const lines = readFileSync(join(folder, file), 'utf8').split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return { file, lines, golden: sibling('.out'), facts: sibling('.facts.yaml') }
}

function isComparable(a: FixtureText, b: FixtureText): boolean {
  return (
    extname(a.file) === extname(b.file) && Math.max(a.lines.length, b.lines.length) <= MOST_COMPARED
  )
}

/** Golden lines read `17:1 error handoff-document/no-placeholders placeholder …`. */
function printedFor(golden: string, code: string): Printed[] {
  const printed: Printed[] = []
  for (const line of golden.split('\n')) {
    const match = /^([0-9]+):([0-9]+) (error|warning|info) (\S+) (.*)$/.exec(line)
    if (match?.[4] !== code || printed.length === 3) continue
    printed.push({
      line: Number(match[1]),
      column: Number(match[2]),
      severity: match[3] as Printed['severity'],
      message: match[5] ?? '',
    })
  }
  return printed
}

/** The different lines and those with findings, with context; only the latter if they are too many. */
function excerpt(
  { file, lines, facts, golden }: FixtureText,
  { own, adjacent }: LineSet,
  places: readonly number[],
): Example {
  const atFault = golden === '' ? [] : places
  const different = withContext([...own, ...adjacent, ...atFault], lines.length)
  const found = withContext(places, lines.length)
  const fits = different.length > 0 && different.length <= MOST_LINES
  const chosen = fits || found.length === 0 ? different : found
  const shown = (chosen.length > 0 ? chosen : [...lines.keys()]).slice(0, MOST_LINES)
  return {
    file,
    lines: shown.map(i => exampleLine(i, lines[i] ?? '', own.has(i) || atFault.includes(i))),
    ...(facts.trim() && { facts: shorten(facts) }),
  }
}

function withContext(centres: readonly number[], length: number): number[] {
  const wanted = new Set<number>()
  for (const centre of centres) {
    for (let i = centre - CONTEXT; i <= centre + CONTEXT; i++)
      if (i >= 0 && i < length) wanted.add(i)
  }
  return [...wanted].sort((a, b) => a - b)
}

function exampleLine(index: number, text: string, marked: boolean): ExampleLine {
  const shown = text.length > WIDEST ? `${text.slice(0, WIDEST)}…` : text
  return { line: index + 1, text: shown, ...(marked && { marked }) }
}

function shorten(facts: string): string {
  const lines = facts.trimEnd().split('\n')
  return lines.length <= MOST_LINES
    ? lines.join('\n')
    : `${lines.slice(0, MOST_LINES - 1).join('\n')}\n…`
}
