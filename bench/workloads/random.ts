const WORDS = (
  'the reader writer queue schedule gauge sensor station report window branch schema cache index release rollback ' +
  'worker message retry offset ledger record table column migration request response timeout budget clinic patient ' +
  'reminder appointment calendar region shard replica latency throughput interface contract boundary review finding ' +
  'keeps reads writes sends holds needs returns measures compares loses repeats follows delays refuses confirms ' +
  'because after before while when where under over within without and but or so that this each every second third ' +
  'slow fast late early stale fresh local remote shared empty full partial final first last next old new small large'
).split(' ')

/** Numbers and words that look random and are the same in every run. */
export interface Random {
  /** A whole number from 0 up to, but without, the limit. */
  below(limit: number): number
  pick<T>(choices: readonly T[]): T
  /** Between eight and twenty words with a capital and a full stop. */
  sentence(): string
  sentences(count: number): string
  hex(digits: number): string
}

/** Seeds a generator (mulberry32), so that every document depends on its number alone. */
export function seeded(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b9)
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit)
  }
  const pick = <T>(choices: readonly T[]) => choices[below(choices.length)] as T
  const sentence = () => {
    const words = Array.from({ length: 8 + below(13) }, () => pick(WORDS)).join(' ')
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
  }
  return {
    below,
    pick,
    sentence,
    sentences: count => Array.from({ length: count }, sentence).join(' '),
    hex: digits => Array.from({ length: digits }, () => below(16).toString(16)).join(''),
  }
}

/** A time in January 2026 that grows with the number: always in the past, always in order. */
export function timeOf(number: number): string {
  return new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString().replace('.000Z', 'Z')
}
