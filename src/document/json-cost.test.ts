import { expect, test } from 'vitest'
import { readJson } from './json.ts'

const TASK = { id: 'task-1', text: 'some text', n: 1, done: true, tags: ['a', 'b'] }
const PLAIN = JSON.stringify(Array(300).fill(TASK), null, 2)

/** Microseconds of the fastest of many runs: whatever else the machine does only adds. */
function fastest(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 200; i++) {
    const start = performance.now()
    work()
    best = Math.min(best, performance.now() - start)
  }
  return best * 1000
}

test.each([
  ['nothing special', PLAIN],
  ['a character beyond 16 bits', PLAIN.replace('some text', '😀')],
  ['the same as two escapes', PLAIN.replace('some text', '\\ud83d\\ude00')],
  ['a key with an escape', PLAIN.replace('done', 'termin\\u00e9')],
])('sound JSON with %s is not parsed for its places', (_, text) => {
  expect(readJson(text).faults).toEqual([])
  // With places it takes more than ten times as long as without.
  expect(fastest(() => readJson(text)) / fastest(() => JSON.parse(text))).toBeLessThan(5)
})
