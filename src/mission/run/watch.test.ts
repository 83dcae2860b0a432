import { expect, test } from 'vitest'
import type { KnownWorker } from '../../store/index.ts'
import { OrphanDetector } from './orphan-detector.ts'
import { DeathWatch, LEASE, RENEWAL } from './watch.ts'

/** A worker that was last seen by the database so many milliseconds ago. */
const seen = (age: number, renewed = 'at one time'): KnownWorker => ({ worker: 'w', renewed, age })

/** What a watch says at each of several looks, half a second apart; each look says what it sees and how long it takes. */
function watched(looks: readonly (readonly [worker: KnownWorker, takes?: number])[]): boolean[] {
  const watch = new DeathWatch()
  let now = 0
  return looks.map(([worker, takes = 1]) => {
    const begun = now
    now += takes
    const dead = watch.look([worker], begun, now)
    now += RENEWAL
    return dead.length > 0
  })
}

/** So many looks at a worker that has gone silent. */
const silence = (looks: number) =>
  Array.from({ length: looks }, (_, i) => [seen(i * (RENEWAL + 1))] as const)
/** How many looks it takes until a lease is over. */
const ENOUGH = Math.ceil(LEASE / RENEWAL) + 1

test.each([
  ['is silent for the time of a lease is dead', silence(ENOUGH), true],
  ['is silent for less is not', silence(ENOUGH - 2), false],
  [
    'says something each time is not, however old that is by the clock of the database',
    Array.from({ length: 20 }, (_, i) => [seen(60_000, `at ${i}`)] as const),
    false,
  ],
  [
    'is silent, but not by the clock of the database, is not: that was started just now',
    Array.from({ length: 20 }, () => [seen(10)] as const),
    false,
  ],
  [
    'is silent since a time that is yet to come is dead: the clock of the database was set back',
    Array.from({ length: ENOUGH }, () => [seen(-3_600_000)] as const),
    true,
  ],
  [
    'says something at times that go back is not',
    Array.from({ length: 20 }, (_, i) => [seen(-3_600_000, `at ${i}`)] as const),
    false,
  ],
  [
    'is silent while the database was away gets the time of a lease again',
    [...silence(ENOUGH - 1), [seen(60_000), 10_000] as const],
    false,
  ],
])('a worker that %s', (_, looks, isDead) => {
  expect(watched(looks).at(-1)).toBe(isDead)
})

test('a worker that is still silent after the database was away is dead a lease later', () => {
  const away = [seen(60_000), 10_000] as const
  const verdicts = watched([
    ...silence(3),
    away,
    ...Array.from({ length: ENOUGH }, () => [seen(60_000)] as const),
  ])
  expect(verdicts.indexOf(true)).toBeGreaterThanOrEqual(3 + LEASE / RENEWAL)
})

const attempt = (task: string) => ({ tenant: 't', mission: 'm', task, attempt: 1 })
const begun = (task: string) => ({ ...attempt(task), name: task })

test('what a worker has not begun, or has ended, is a stray when it looks so twice', () => {
  const strays = new OrphanDetector()
  const does = [attempt('done')]
  expect(strays.look([begun('done'), begun('lost')], does)).toEqual([])
  expect(strays.look([begun('done'), begun('lost'), begun('new')], does)).toEqual([begun('lost')])
  expect(strays.look([begun('done'), begun('new')], [...does, attempt('new')])).toEqual([])
  expect(strays.look([begun('new')], [])).toEqual([])
})
