import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { expectBriefOnce, expectSoundLog } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'

const [KILLS, MISSIONS] = isLong ? [200, 30] : [10, 3]
/** `WAYBILL_SEED` repeats the moments of an earlier run. */
const SEED = Number(process.env.WAYBILL_SEED ?? (isLong ? randomInt(2 ** 31) : 1))
/** The latest that a worker is killed after it has started, in milliseconds. */
const LONGEST_LIFE = 2_500

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
})
afterAll(() => repository?.remove())

/** Numbers that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

test(`two workers are killed ${KILLS} times amid ${MISSIONS} missions: all finish, with everything once`, async () => {
  process.stderr.write(`WAYBILL_SEED=${SEED}\n`)
  const random = randomFrom(SEED)
  const missions: string[] = []
  let killed = 0
  const slot = async () => {
    while (killed < KILLS) {
      const worker = await repository.worker()
      await pause(random() * LONGEST_LIFE)
      worker.kill('SIGKILL')
      await worker.ended
      killed++
    }
    await repository.worker()
  }
  const slots = Promise.all([slot(), slot()])
  for (let i = 0; i < MISSIONS; i++) {
    while (killed < (i * KILLS) / MISSIONS) await pause(50)
    missions.push(await repository.begin('brief'))
  }
  await slots
  expect(killed).toBeGreaterThanOrEqual(KILLS)
  for (const mission of missions)
    await expectBriefOnce(repository, mission, await repository.reaches(mission, 'finished'))
  await expectSoundLog(repository)
}, 3_000_000)
