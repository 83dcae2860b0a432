import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Step } from '../../src/mission/index.ts'
import { expectBriefOnce, expectSoundLog, taskRows, withRaw } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  await repository.worker()
})
afterAll(() => repository?.remove())

/** In how many milliseconds others go on at the latest; 5,000 on a machine that has nothing else to do. */
const TAKEN_OVER = 60_000

test.each<Step>(['claim', 'prompt', 'hand over', 'run', 'examine', 'end', 'leave'])(
  'when a worker is killed before it comes to "%s", another goes on, and nothing is lost or there twice',
  async step => {
    const doomed = await repository.worker({ killedAt: step, concurrency: 1 })
    const { database } = repository
    const missions: string[] = []
    let dead: number | undefined
    void doomed.ended.then(() => {
      dead = Date.now()
    })
    // The other worker may be quicker.
    while (dead === undefined && missions.length < 40)
      missions.push(await repository.begin('brief'))
    await doomed.ended
    await withRaw(database.url, async raw => {
      for (const mission of missions) {
        await expectBriefOnce(repository, mission, await repository.reaches(mission, 'finished'))
        const rows = await taskRows(raw, mission)
        const again = rows.filter(({ attempt }) => attempt > 1)
        for (const { queued, failures } of again) {
          expect(failures).toBe(0)
          expect(queued.getTime() - (dead ?? 0)).toBeLessThan(TAKEN_OVER)
        }
      }
      const left = 'select 1 from waybill.workers where pid = $1'
      const isGone = async () => (await raw.rows('default', left, [doomed.pid])).length === 0
      expect(await comesTrue(isGone, TAKEN_OVER)).toBe(true)
    })
  },
)

test('and the log is whole', async () => {
  await expectSoundLog(repository)
})
