import type { Path } from '../../document/index.ts'

/** The place of a value: its key and its parent's place. */
export interface Place {
  readonly key: string | number
  readonly parent: Place | undefined
}

/** One value on a walk through a document. */
export interface Step {
  readonly value: unknown
  readonly place: Place | undefined
  /** The number of enclosing objects and lists. */
  readonly depth: number
  /** Characters of a string, entries of a list or object; otherwise 0. */
  readonly size: number
}

/** All content rules walk the same document, so the walk is cached while it is short. */
const walks = new WeakMap<object, readonly Step[]>()
/** Above this number of steps, each rule walks lazily to save memory. */
const MOST_KEPT = 4096

/** Every value of a document in text order, whatever its structure. */
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

/** An explicit stack, so that deep nesting cannot overflow. */
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

/** The path of a place; computed only for findings. */
export function pathOf(place: Place | undefined): Path {
  const path: (string | number)[] = []
  for (let at = place; at; at = at.parent) path.push(at.key)
  return path.reverse()
}

/** A key or string of a document and its place. */
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

/** The position of a finding about a key or string. */
export function siteOf({ place, isKey }: Text): { path: Path; atKey?: true } {
  return isKey ? { path: pathOf(place), atKey: true } : { path: pathOf(place) }
}
