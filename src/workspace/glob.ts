/** A compiled pattern for one name. */
export type Glob = (name: string) => boolean

/** Options of a pattern. */
export interface GlobOptions {
  /** Whether `{a,b}` matches either. */
  readonly braces?: boolean
  /** Whether wildcards match a leading dot. */
  readonly dots?: boolean
}

/** Longer patterns match nothing: no path is that long. */
const LONGEST = 4096

type Step =
  | { readonly kind: 'test'; readonly test: (character: string) => boolean; readonly wild: boolean }
  | Go

interface Go {
  readonly kind: 'go'
  readonly to: number[]
  /** Skips a wildcard that matches no character. */
  readonly wild: boolean
}

/**
 * Compiles a pattern of `*`, `?`, `[…]` and `{a,b}` for one name.
 *
 * Matching is linear in the name for any pattern: all states are followed at once, while a regular expression would
 * backtrack.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob {
  if (!/[*?[{\\]/.test(pattern)) return name => name === pattern
  if (pattern.length > LONGEST) return () => false
  // Most names differ from most patterns at one end.
  const head = pattern.slice(0, pattern.search(SPECIAL))
  const tail = /[^*?[\]{},\\]*$/.exec(pattern)?.[0] ?? ''
  let steps: readonly Step[] | undefined
  return name => {
    if (!name.startsWith(head) || !name.endsWith(tail)) return false
    steps ??= compile([...pattern], options.braces ?? false)
    return matches(steps, name, options.dots ?? false)
  }
}

const SPECIAL = /[*?[\]{},\\]/

interface Brace {
  readonly split: Go
  readonly exits: Go[]
}

function compile(pattern: readonly string[], braces: boolean): Step[] {
  const steps: Step[] = []
  const open: Brace[] = []
  const paired = braces ? pairedBraces(pattern) : new Set<number>()
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? ''
    if (paired.has(at)) compileBrace(character, open, steps)
    else if (character === '*') {
      const here = steps.length
      steps.push({ kind: 'go', to: [here + 1, here + 3], wild: true }, anything, go(here))
    } else at = compileOne(pattern, at, steps)
  }
  return steps
}

function go(...to: number[]): Go {
  return { kind: 'go', to, wild: false }
}

/** `{` leads to each alternative; `,` and `}` lead from the end of one to what follows. */
function compileBrace(character: string, open: Brace[], steps: Step[]): void {
  const brace = open.at(-1)
  if (character === '{') {
    const split = go(steps.length + 1)
    open.push({ split, exits: [] })
    steps.push(split)
  } else if (character === ',') {
    const exit = go()
    brace?.exits.push(exit)
    steps.push(exit)
    brace?.split.to.push(steps.length)
  } else {
    for (const exit of brace?.exits ?? []) exit.to.push(steps.length)
    open.pop()
  }
}

const anything: Step = { kind: 'test', test: () => true, wild: true }

/** Adds the step that matches one character; returns its end. */
function compileOne(pattern: readonly string[], at: number, steps: Step[]): number {
  const character = pattern[at] ?? ''
  if (character === '?') {
    steps.push(anything)
    return at
  }
  const end = character === '[' ? endOfClass(pattern, at) : -1
  if (end > 0) {
    steps.push({ kind: 'test', test: classOf(pattern.slice(at + 1, end)), wild: true })
    return end
  }
  const escaped = character === '\\' && at + 1 < pattern.length
  const literal = escaped ? pattern[at + 1] : character
  steps.push({ kind: 'test', test: c => c === literal, wild: false })
  return escaped ? at + 1 : at
}

/** A bracket right after the opening one is a member. */
function endOfClass(pattern: readonly string[], at: number): number {
  const first = at + (pattern[at + 1] === '!' || pattern[at + 1] === '^' ? 2 : 1)
  return pattern.indexOf(']', first + 1)
}

function classOf(body: readonly string[]): (character: string) => boolean {
  const negated = body[0] === '!' || body[0] === '^'
  const ranges: (readonly [from: string, to: string])[] = []
  for (let at = negated ? 1 : 0; at < body.length; at++) {
    if (body[at] === '\\' && at + 1 < body.length) at++
    const from = body[at] ?? ''
    const isRange = body[at + 1] === '-' && at + 2 < body.length
    ranges.push([from, (isRange ? body[at + 2] : undefined) ?? from])
    if (isRange) at += 2
  }
  return c => ranges.some(([from, to]) => from <= c && c <= to) !== negated
}

/** The positions of closed braces with commas, and of those commas. */
function pairedBraces(pattern: readonly string[]): Set<number> {
  const paired = new Set<number>()
  const open: number[][] = []
  for (const [at, character] of pattern.entries()) {
    if (pattern[at - 1] === '\\') continue
    if (character === '{') open.push([at])
    else if (character === ',') open.at(-1)?.push(at)
    else if (character === '}') addPair(paired, [...(open.pop() ?? []), at])
  }
  return paired
}

function addPair(paired: Set<number>, places: readonly number[]): void {
  if (places.length > 2) for (const place of places) paired.add(place)
}

function matches(steps: readonly Step[], name: string, dots: boolean): boolean {
  // No wildcard matches a leading dot, or the empty text before it.
  const hidden = name.startsWith('.') && !dots
  const reached = new Uint32Array(steps.length + 1)
  let current = follow(steps, [0], { reached, round: 1, literal: hidden })
  let round = 1
  for (const character of name) {
    const next: number[] = []
    for (const at of current) {
      const step = steps[at]
      if (step?.kind === 'test' && step.test(character)) next.push(at + 1)
    }
    if (next.length === 0) return false
    current = follow(steps, next, { reached, round: ++round, literal: false })
  }
  return current.includes(steps.length)
}

interface Round {
  /** The last round in which each position was reached. */
  readonly reached: Uint32Array
  readonly round: number
  /** Whether wildcards are disabled. */
  readonly literal: boolean
}

/** The positions reachable without consuming a character, without duplicates. */
function follow(
  steps: readonly Step[],
  from: readonly number[],
  { reached, round, literal }: Round,
): number[] {
  const found: number[] = []
  const pending = [...from]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (reached[at] === round) continue
    reached[at] = round
    const step = steps[at]
    if (literal && step?.wild) continue
    if (step?.kind === 'go') for (const to of step.to) pending.push(to)
    else found.push(at)
  }
  return found
}
