import type { Wait } from './graph.ts'

type Waits = readonly (readonly Wait[])[]

/** The steps in topological order; steps in or behind a cycle are left out. */
export function inOrder(waits: Waits): number[] {
  const followers: number[][] = waits.map(() => [])
  const open = waits.map(list => list.length)
  for (const [step, list] of waits.entries()) for (const { on } of list) followers[on]?.push(step)
  const order: number[] = []
  for (const [step, count] of open.entries()) if (count === 0) order.push(step)
  // The list grows during iteration.
  for (const step of order) {
    for (const follower of followers[step] ?? []) {
      const left = (open[follower] ?? 0) - 1
      open[follower] = left
      if (left === 0) order.push(follower)
    }
  }
  return order
}

/** A cycle: each step waits for the next, and the last for the first. */
export type Cycle = readonly { readonly step: number; readonly wait: Wait }[]

/** Disjoint cycles of the graph; at least one if any exists. */
export function cyclesIn(waits: Waits): Cycle[] {
  const free = new Set(inOrder(waits))
  // Every step that is left waits for another such step; following the first of them ends in a cycle.
  const onward = waits.map(list => list.find(({ on }) => !free.has(on)))
  const walk = new Map<number, number>()
  const cycles: Cycle[] = []
  for (const [start, first] of onward.entries()) {
    const trail: number[] = []
    let step = start
    while (!free.has(step) && !walk.has(step) && first) {
      walk.set(step, start)
      trail.push(step)
      step = onward[step]?.on ?? start
    }
    if (trail.length === 0 || walk.get(step) !== start) continue
    const cycle = trail.slice(trail.indexOf(step))
    cycles.push(cycle.flatMap(s => (onward[s] ? [{ step: s, wait: onward[s] }] : [])))
  }
  return cycles
}

/** A question: which of the steps `after` come after none of the steps `before`? */
interface Question {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

const BITS = 31

/**
 * Returns, for each question, the steps `after` that no step `before` is sure to precede.
 *
 * One pass over part of the graph answers 31 questions, so that even documents at the size limit take only seconds.
 */
export function notPreceded(waits: Waits, questions: readonly Question[]): number[][] {
  const lines = lineUp(waits)
  const answers: number[][] = []
  for (let from = 0; from < questions.length; from += BITS) {
    const batch = questions.slice(from, from + BITS)
    const reached = reachedBy(lines, batch)
    for (const [bit, { after }] of batch.entries()) {
      answers.push(after.filter(step => !reached(step, bit)))
    }
  }
  return answers
}

/** A compact graph for repeated passes: steps in topological order, and what each waits for. */
interface Lines {
  /** The position of each step in the order; -1 in or behind a cycle. */
  readonly places: Int32Array
  /** Positions waited for, grouped by waiting position. */
  readonly targets: Int32Array
  /** Start of each position's targets, and finally their number. */
  readonly starts: Int32Array
  /** Scratch space for a pass. */
  readonly done: Int32Array
}

function lineUp(waits: Waits): Lines {
  const order = inOrder(waits)
  const places = new Int32Array(waits.length).fill(-1)
  for (const [place, step] of order.entries()) places[step] = place
  const targets = order.flatMap(step => (waits[step] ?? []).map(({ on }) => places[on] ?? 0))
  const starts = new Int32Array(order.length + 1)
  for (const [place, step] of order.entries()) {
    starts[place + 1] = (starts[place] ?? 0) + (waits[step]?.length ?? 0)
  }
  return { places, targets: Int32Array.from(targets), starts, done: new Int32Array(order.length) }
}

/** Answers a batch of questions: whether a step comes after the step that the question names. */
function reachedBy(
  lines: Lines,
  batch: readonly Question[],
): (step: number, bit: number) => boolean {
  const { places, targets, starts, done } = lines
  const placesOf = (steps: readonly number[]) =>
    steps.map(step => places[step] ?? -1).filter(place => place >= 0)
  const sources = batch.map(({ before }) => placesOf(before))
  const first = sources.flat().reduce((a, b) => Math.min(a, b), done.length)
  const last = placesOf(batch.flatMap(({ after }) => after)).reduce((a, b) => Math.max(a, b), -1)
  done.fill(0)
  for (const [bit, own] of sources.entries()) {
    for (const place of own) done[place] = (done[place] ?? 0) | (1 << bit)
  }
  const bitsAt = (place: number) => {
    let bits = 0
    const end = starts[place + 1] ?? 0
    for (let t = starts[place] ?? 0; t < end; t++) bits |= done[targets[t] ?? 0] ?? 0
    return bits
  }
  for (let place = first; place <= last; place++) {
    done[place] = (done[place] ?? 0) | bitsAt(place)
  }
  return (step, bit) => {
    const place = places[step] ?? -1
    return place >= 0 && (bitsAt(place) & (1 << bit)) !== 0
  }
}
