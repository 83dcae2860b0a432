import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import pipelineRun from '../../src/operations/pipeline-run.ts'
import { openClock } from '../clocks.ts'
import { PIPELINE } from '../pipeline-agents.ts'
import { PipelineRuns } from '../pipeline-runs.ts'

const SECOND = 1000
const HOUR = 3_600_000

/** With the members in which the file keeps when an agent began and ended. */
const DATED = PIPELINE.replaceAll(
  /status: PENDING, description/g,
  'status: PENDING, started_at: null, completed_at: null, description',
)

const clock = openClock()
afterAll(() => clock.remove())

describe('on a machine whose clock differs from that of the database', () => {
  const runs = new PipelineRuns({ ...process.env, NODE_OPTIONS: `--import ${clock.preload}` })

  test.each([
    ['three seconds ahead', 3 * SECOND],
    ['an hour ahead', HOUR],
    ['an hour behind', -HOUR],
  ])('by %s, a pipeline is run to its end', async (_, wrong) => {
    clock.set(wrong)
    runs.put(DATED)
    expect(await runs.run()).toMatchObject({ code: 0, complete: true })
    expect(runs.ran()).toHaveLength(4)
  })
})

describe('a run that takes long', () => {
  const runs = new PipelineRuns(process.env)

  test('is judged by the time at which it ends, not by that at which it was begun', async () => {
    runs.put(DATED)
    const { root, repository } = runs
    const now = Date.now() - HOUR
    const app = { ...repository.missionApp(), now, clock: () => Date.now() }
    expect(await pipelineRun.run({ file: join(root, runs.file()) }, app)).toMatchObject({
      accepted: true,
      complete: true,
    })
  })
})
