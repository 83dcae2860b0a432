import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import missionPause from '../../src/operations/mission-pause.ts'
import missionRetry from '../../src/operations/mission-retry.ts'
import { PIPELINE } from '../pipeline-agents.ts'
import { PipelineRuns } from '../pipeline-runs.ts'
import { comesTrue } from '../processes.ts'

const runs = new PipelineRuns(process.env)
const { file, read, put, pipeline, run, ran } = runs

test('a run goes on with the mission that works on the file, however many came after it', async () => {
  put(PIPELINE.replace('SECOND', 'ALWAYS BAD'))
  const first = await run()
  const second = await run()
  expect([first.status.state, second.status.state]).toEqual(['failed', 'failed'])
  expect(second).toMatchObject({ continued: false })
  const app = runs.repository.missionApp()
  await missionRetry.run({ mission: first.mission }, app)
  const refused = await runs.repository.mission('retry', second.mission)
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain('only one may set the statuses of a file')
  expect(refused.err).toContain(`waybill mission cancel ${first.mission}`)
  await missionPause.run({ mission: first.mission }, app)
  const paused = await pipeline('run')
  expect(paused).toMatchObject({ code: 2, out: '' })
  expect(paused.err).toContain(`the mission ${first.mission} of this file is paused`)
  expect((await runs.repository.mission('resume', first.mission)).code).toBe(0)
  // Under another name it is still the same file.
  const words = read()
  runs.repository.write(file(), words.replace('id: parcels', 'id: letters'))
  const renamed = await pipeline('run')
  expect(renamed).toMatchObject({ code: 2, out: '' })
  expect(renamed.err).toContain("with its earlier workflow 'parcels'")
  runs.repository.write(file(), words)
  expect(await run()).toMatchObject({ mission: first.mission, continued: true })
})

test('a file is run by its own path alone, not by that of a link to it', async () => {
  put(PIPELINE)
  const link = join(runs.root, 'link')
  symlinkSync(runs.place, link)
  const path = 'link/ORCHESTRATION.yaml'
  const linked = await runs.repository.waybill('pipeline', 'run', '--file', path)
  rmSync(link)
  expect(linked).toMatchObject({ code: 2, out: '' })
  expect(linked.err).toContain(`'${path}' is a link to '${file()}'`)
  expect(ran()).toEqual([])
})

test('in two worktrees the same file is run twice, each time where it stands, whichever worker does the tasks', async () => {
  const { root, repository } = runs
  put(PIPELINE)
  repository.commit()
  const worktree = `${root}-second`
  repository.git('worktree', 'add', '--quiet', worktree)
  onTestFinished(() => rmSync(worktree, { recursive: true }))
  put(PIPELINE.replace('FIRST', 'WAIT'))
  const first = run()
  expect(await comesTrue(() => ran().length === 2, 60_000)).toBe(true)
  const args = ['pipeline', 'run', '--root', worktree, '--file', join(worktree, file())]
  const elsewhere = await repository.startOther(
    repository.database.url,
    ...args,
    '--format',
    'json',
  ).ran
  const second = JSON.parse(elsewhere.out || JSON.stringify(elsewhere.err))
  expect(second).toMatchObject({ complete: true, continued: false })
  const traced = JSON.parse(
    (await repository.waybill('trace', second.mission, '--format', 'json')).out,
  )
  expect(traced.mission.files).toHaveLength(5)
  for (const one of traced.mission.files) expect(one.state).toBe('as-written')
  expect(ran()).toHaveLength(2)
  repository.write('go', '')
  expect(await first).toMatchObject({ complete: true, continued: false })
  expect(ran()).toHaveLength(4)
  expect(readFileSync(join(worktree, 'ran.txt'), 'utf8').match(/\n/g)).toHaveLength(4)
})

test('a mission of another workflow that is over says nothing of a file that was rewritten', async () => {
  put(PIPELINE.replace('SECOND', 'ALWAYS BAD'))
  const first = await run()
  expect(first.status.state).toBe('failed')
  // Begun by hand, at an unknown time.
  const begun = PIPELINE.replace('id: parcels', 'id: letters').replace(
    'ps-researcher-001, status: PENDING',
    'ps-researcher-001, status: IN_PROGRESS',
  )
  put(begun)
  const second = await run()
  expect(second).toMatchObject({ code: 0, complete: true, continued: false })
  expect(second.mission).not.toBe(first.mission)
  expect(ran().filter(line => line === 'ps-researcher-001')).toHaveLength(2)
})
