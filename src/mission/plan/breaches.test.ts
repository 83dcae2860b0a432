import { expect, test } from 'vitest'
import { exampleOf, graphOf, MISSION, type Payload } from '../../../test/mission-payloads.ts'
import { checkArtifacts } from './check.ts'

const of = (id: string, more: Payload = {}): Payload => ({ ...exampleOf(`${id}.v1`), ...more })

/** A mission in which a worker has returned something for one of its two tasks. */
const graph = graphOf(MISSION, { task_worker_01: [], task_other: [] })
const tasks = (graph.tasks as Payload[]).map(task => ({ ...task, allowed_tools: [] }))
const STORED = [of('mission-envelope'), { ...graph, tasks }, of('worker-result')]

test.each([
  ['that was over when a stored result was written', 'task_worker_01', '12:01:00', false],
  ['that was not over yet', 'task_worker_01', '12:03:00', true],
  ['that was over, for another task', 'task_other', '12:01:00', true],
])('a pass %s is taken accordingly', async (_, task_id, time, accepted) => {
  const pass = of('librarian-pass', {
    ...{ task_id, recommended_queries: [] },
    expires_at: `2026-04-14T${time}Z`,
  })
  const [checked] = await checkArtifacts([pass], STORED, { now: Date.UTC(2026, 5, 1) })
  const codes = checked?.diagnostics.flatMap(({ severity, code }) =>
    severity === 'error' ? [code] : [],
  )
  expect(codes).toEqual(accepted ? [] : ['mission/breaks-stored'])
})
