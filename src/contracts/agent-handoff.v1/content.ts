import type { Path } from '../../document/index.ts'

/** Where a value stands: its key in its parent, and where that stands; the root stands nowhere. */
export interface Place {
  readonly key: string | number
  readonly parent: Place | undefined
}

/** One object, list, string or other value on a walk through a document. */
export interface Step {
  readonly value: unknown
  readonly place: Place | undefined
  /** How many objects and lists it stands in. */
  readonly depth: number
  /** Characters of a string, entries of a list or object, else 0. */
  readonly size: number
}

/** Every rule about content walks through the same document: what the first one met is kept for the others, as long as that. */
const walks = new WeakMap<object, readonly Step[]>()
/** Of more steps than this each rule takes its own, which are never all there at once. */
const MOST_KEPT = 4096

/** Every value of a document, whatever its shape, in the order of the text. */
export function walk(root: unknown): Iterable<Step> {
  if (typeof root !== 'object' || root === null) return stepsOf(root)
  const known = walks.get(root)
  if (known) return known
  const steps: Step[] = []
  for (const step of stepsOf(root)) {
    if (steps.length === MOST_KEPT) return stepsOf(root)
    steps.push(step)
  }
  walks.set(root, steps)
  return steps
}

/** A stack of our own, so depth costs nothing. */
function* stepsOf(root: unknown): Generator<Step> {
  const waiting: Omit<Step, 'size'>[] = [{ value: root, place: undefined, depth: 0 }]
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    const { value, place, depth } = step
    if (typeof value !== 'object' || value === null) {
      yield { ...step, size: typeof value === 'string' ? value.length : 0 }
      continue
    }
    const children: [string | number, unknown][] = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value)
    yield { ...step, size: children.length }
    for (const [key, child] of children.reverse()) {
      waiting.push({ value: child, place: { key, parent: place }, depth: depth + 1 })
    }
  }
}

/** The path of a place from the root; only what is reported needs one. */
export function pathOf(place: Place | undefined): Path {
  const path: (string | number)[] = []
  for (let at = place; at; at = at.parent) path.push(at.key)
  return path.reverse()
}

/** A key or a string of a document, and where it stands. */
export interface Text {
  readonly text: string
  readonly place: Place | undefined
  readonly isKey: boolean
}

/** Every key and every string of a document. */
export function* textsOf(root: unknown): Generator<Text> {
  for (const { value, place } of walk(root)) {
    if (typeof place?.key === 'string') yield { text: place.key, place, isKey: true }
    if (typeof value === 'string') yield { text: value, place, isKey: false }
  }
}

/** Where a finding about a key or string belongs. */
export function siteOf({ place, isKey }: Text): { path: Path; atKey?: true } {
  return isKey ? { path: pathOf(place), atKey: true } : { path: pathOf(place) }
}
