import { expect } from 'vitest'
import { cpuTimeOf } from '../cpu-time.ts'

/** Milliseconds that a text has to take, so that ticks of the clock and what is done once do not count. */
const LEAST = 15
/** Characters after which a text that takes no time is large enough all the same. */
const MOST = 1_000_000
/** How often both sizes are tried at most: compiling and tidying up only ever add, so that the best of each counts. */
const MOST_TRIES = 12

/** By how much more than in proportion time may grow: quadratic growth would be by four. */
const MOST_STEEP = 2.2

/**
 * Expects four times as much text to take about four times as long: quadratic growth would be 16 for 4.
 *
 * The smaller text grows beforehand until it takes a time that can be measured. What outgrows a cache, or what is tidied
 * up at one go, takes one step; what is quadratic takes the next one as well.
 */
export async function expectProportion(
  work: (text: string) => unknown,
  make: (size: number) => string,
  least: number,
): Promise<void> {
  const timeOf = (text: string) => cpuTimeOf(() => work(text))
  // The first time a text is read, compiling adds to it.
  const isQuick = async (text: string) =>
    (await timeOf(text)) < LEAST || (await timeOf(text)) < LEAST || (await timeOf(text)) < LEAST
  let size = least
  while (Math.max(size, make(size).length) < MOST && (await isQuick(make(size)))) size *= 2
  const first = await steepness(timeOf, make(size), make(size * 4))
  if (first.steep < MOST_STEEP) return
  const second = await steepness(timeOf, make(size * 4), make(size * 16))
  expect(second.steep, `${first.times}, then ${second.times}`).toBeLessThan(MOST_STEEP)
}

/** By how much more than in proportion a larger text takes longer; the best of several tries of each counts. */
async function steepness(
  timeOf: (text: string) => Promise<number>,
  small: string,
  large: string,
): Promise<{ readonly steep: number; readonly times: string }> {
  const growth = large.length / small.length
  let best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const
  const steep = () => best[1] / (Math.max(best[0], LEAST) * growth)
  for (let tries = 0; tries < 2 || (tries < MOST_TRIES && steep() >= MOST_STEEP); tries++)
    best = [Math.min(best[0], await timeOf(small)), Math.min(best[1], await timeOf(large))]
  const times = `${best[0]} ms for ${small.length}, ${best[1]} ms for ${large.length}`
  return { steep: steep(), times }
}
