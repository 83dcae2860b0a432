import type { Gate } from './phases.ts'

/** Words for a verdict that every gate understands, next to its own. */
const PASSES = [
  'approved',
  'approve',
  'pass',
  'passed',
  'passes',
  'accepted',
  'compliant',
  'ready',
  'ready-for-pr',
]
const REFUSES = [
  'rejected',
  'reject',
  'refused',
  'fail',
  'failed',
  'fails',
  'gap-detected',
  'fix-required',
]
const EXCEPTIONS = '-with-exceptions'

/** The state of a gate that a word names: one of its own, or the same verdict in the word of another gate. */
export function verdictNamed(gate: Gate, word: string): string | undefined {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/[\s_/]+/g, '-')
  const own = gate.states.find(state => state === plain)
  if (own !== undefined) return own
  if (plain === 'n-a') return gate.states.find(state => state === 'not-applicable')
  // Exceptions are never dropped: a gate without such a state does not know the word.
  const excepted = plain.endsWith(EXCEPTIONS)
  const bare = excepted ? plain.slice(0, -EXCEPTIONS.length) : plain
  if (PASSES.includes(bare))
    return gate.passes.find(state => state.endsWith(EXCEPTIONS) === excepted)
  return !excepted && REFUSES.includes(bare) ? gate.refuses : undefined
}
