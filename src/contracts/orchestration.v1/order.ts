import type { Wait } from './graph.ts'

type Waits = readonly (readonly Wait[])[]

/** The steps in an order in which each comes after all that it waits for; steps in or behind a cycle are left out. */
export function inOrder(waits: Waits): number[] {
  const followers: number[][] = waits.map(() => [])
  const open = waits.map(list => list.length)
  for (const [step, list] of waits.entries()) for (const { on } of list) followers[on]?.push(step)
  const order: number[] = []
  for (const [step, count] of open.entries()) if (count === 0) order.push(step)
  // The list grows while it is read.
  for (const step of order) {
    for (const follower of followers[step] ?? []) {
      const left = (open[follower] ?? 0) - 1
      open[follower] = left
      if (left === 0) order.push(follower)
    }
  }
  return order
}

/** A cycle: steps of which each waits for the next, and the last for the first. */
export type Cycle = readonly { readonly step: number; readonly wait: Wait }[]

/** Cycles in what waits for what, no step in two of them; at least one if there is any. */
export function cyclesIn(waits: Waits): Cycle[] {
  const free = new Set(inOrder(waits))
  // Every step that is not free waits for another such step; following the first of them ends in a cycle.
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

/** A question: does any of the steps `before` come before the step `after`? */
export interface Question {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

const BITS = 31

/**
 * For each question, those of its steps `after` that none of the steps `before` is sure to precede.
 *
 * One pass over the graph answers 31 questions, so that the cost stays close to linear in large documents.
 */
export function notPreceded(waits: Waits, questions: readonly Question[]): number[][] {
  const order = inOrder(waits)
  const answers: number[][] = []
  for (let from = 0; from < questions.length; from += BITS) {
    const batch = questions.slice(from, from + BITS)
    const reached = reachedBy(
      waits,
      order,
      batch.map(({ before }) => before),
    )
    for (const [bit, { after }] of batch.entries()) {
      answers.push(after.filter(step => ((reached[step] ?? 0) & (1 << bit)) === 0))
    }
  }
  return answers
}

/** For each step, a bit for each of the sources that has a step before it. */
function reachedBy(
  waits: Waits,
  order: readonly number[],
  sources: readonly (readonly number[])[],
): Int32Array {
  const reached = new Int32Array(waits.length)
  const done = new Int32Array(waits.length)
  for (const [bit, steps] of sources.entries()) {
    for (const step of steps) done[step] = (done[step] ?? 0) | (1 << bit)
  }
  for (const step of order) {
    const bits = (waits[step] ?? []).reduce((all, { on }) => all | (done[on] ?? 0), 0)
    reached[step] = bits
    done[step] = (done[step] ?? 0) | bits
  }
  return reached
}
