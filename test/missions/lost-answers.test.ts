import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBriefOnce, taskReaches, taskRows, withRaw } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  for (const name of ['taken', 'claimed'])
    repository.write(
      `missions/templates/${name}.yaml`,
      `${HEAD}${task('one', 'worker', [], `HOLD ${name}.go`)}`,
    )
  repository.commit()
  await repository.worker({ concurrency: 1 })
})
afterAll(() => repository?.remove())

/** What a worker leaves in the database that takes an attempt from the queue, and does not hear that it has it. */
const TAKEN = `update dbos.workflow_status set status = 'PENDING', executor_id = (select worker_id::text from waybill.workers)
  where status = 'ENQUEUED' and workflow_uuid like '%' || $1 || '%'`
/** The same of one that has claimed the task too. */
const CLAIMED = `update waybill.task_runs set state = 'running', worker_id = (select worker_id from waybill.workers)
  where state = 'queued' and mission_id = $1::uuid`

test.each([
  ['taken', [TAKEN], 0],
  ['claimed', [TAKEN, CLAIMED], 1],
])(
  'an attempt that a worker has %s without having heard of it is noticed and done',
  async (name, statements, losses) => {
    const busy = await repository.begin(name)
    await taskReaches(repository, busy, 'one', 'running')
    const mission = await repository.begin('brief')
    await withRaw(repository.database.url, async raw => {
      for (const statement of statements)
        expect((await raw.client.query(statement, [mission])).rowCount).toBe(1)
      writeFileSync(join(repository.root, `${name}.go`), '')
      await expectBriefOnce(repository, mission, await repository.reaches(mission, 'finished'))
      const [search] = await taskRows(raw, mission)
      expect(search).toMatchObject({ attempt: 2, losses, failures: 0 })
      expect((await repository.reaches(busy, 'finished')).tasks).toMatchObject([{ attempt: 1 }])
    })
  },
)

const BROKEN = `create function waybill.broken() returns trigger language plpgsql as $$
    begin raise exception 'broken'; end $$;
  create trigger broken before update on waybill.task_runs for each row
    when (new.state in ('done', 'failed')) execute function waybill.broken()`

test('a task whose end cannot be stored stays with no worker: it is given back until it can', async () => {
  await withRaw(repository.database.url, async raw => {
    await raw.client.query(BROKEN)
    const mission = await repository.begin('brief')
    const isGivenBack = async () => ((await taskRows(raw, mission))[0]?.losses ?? 0) > 1
    expect(await comesTrue(isGivenBack, 60_000)).toBe(true)
    await raw.client.query('drop function waybill.broken cascade')
    await expectBriefOnce(repository, mission, await repository.reaches(mission, 'finished'))
  })
})

test('a task whose end can never be stored is given up, and says why', async () => {
  await withRaw(repository.database.url, async raw => {
    const never = BROKEN.replace("in ('done', 'failed')", "= 'done'")
    await raw.client.query(never)
    const mission = await repository.begin('brief')
    const { reason, artifacts } = await repository.reaches(mission, 'failed', 'finished')
    await raw.client.query('drop function waybill.broken cascade')
    expect(reason).toEqual({
      code: 'mission/internal',
      message: 'search: the database refused it (P0001)',
    })
    expect(artifacts).toEqual([])
  })
})
