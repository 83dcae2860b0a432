import { standingRules } from '../../session/index.ts'
import type { Config } from '../../workspace/index.ts'

/** How long rules count as current, in milliseconds and in times that reading them took. */
const CURRENT = { least: 1_000, times: 20 }

/** Reads the standing rules in force; rarely, because a worker may start many tasks at once. */
export function openRules(
  root: string,
  { ignore }: Pick<Config, 'ignore'>,
): () => Promise<readonly string[]> {
  let known: Promise<readonly string[]> | undefined
  let until = Number.POSITIVE_INFINITY
  const read = async () => {
    const began = performance.now()
    const rules = await standingRules(root, { ignore })
    const now = performance.now()
    until = now + Math.max(CURRENT.least, CURRENT.times * (now - began))
    return rules.map(({ text }) => text)
  }
  return () => {
    if (known && performance.now() < until) return known
    until = Number.POSITIVE_INFINITY
    const reading = read()
    reading.catch(() => {
      until = 0
    })
    known = reading
    return reading
  }
}
