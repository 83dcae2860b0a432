import { describe, expect, test } from 'vitest'
import { exampleOf, graphOf, MISSION } from '../../../test/mission-payloads.ts'
import type { Payload } from '../runner.ts'
import { checkArtifacts } from './check.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const HIDDEN = 'a\u200bb'

const plan = graphOf(MISSION, { task_worker_01: [] })
const planned = (more: Payload) => ({
  ...plan,
  tasks: (plan.tasks as Payload[]).map(task => ({ ...task, allowed_tools: [], ...more })),
})

describe('an invisible character', () => {
  const result = (more: Payload) => ({ ...exampleOf('worker-result.v1'), ...more })

  test.each<[string, Payload, readonly string[]]>([
    ['in an objective', planned({ objective: HIDDEN }), ['/tasks/0/objective']],
    [
      'in a criterion',
      planned({ success_criteria: ['seen', HIDDEN] }),
      ['/tasks/0/success_criteria/1'],
    ],
    ['in the id of a task', planned({ task_id: HIDDEN }), ['/tasks/0/task_id']],
    ['in the id of an artifact', result({ result_id: HIDDEN }), ['/result_id']],
    ['in the text of a result, which no handoff repeats', result({ output_text: HIDDEN }), []],
    ['but belongs to the script it stands in', planned({ objective: 'می\u200cخواهم' }), []],
  ])('%s', async (_, fresh, places) => {
    const stored = [exampleOf('mission-envelope.v1')]
    if (fresh.schema_name !== 'mission_task_graph') stored.push(planned({}))
    const [checked] = await checkArtifacts([fresh], stored, { now: NOW })
    expect(checked?.diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual(
      places.map(place => `mission/text-hidden ${place}`),
    )
    expect(checked?.accepted).toBe(places.length === 0)
  })
})

test.each<[string, Payload, readonly string[]]>([
  ['an objective', { objective: 'x'.repeat(100_001) }, ['/tasks/0/objective']],
  ['as much as there may be', { objective: 'x'.repeat(100_000) }, []],
  [
    'many criteria',
    { success_criteria: Array.from({ length: 11 }, () => 'x'.repeat(10_000)) },
    ['/tasks/0/success_criteria'],
  ],
])('what no handoff could hold: %s', async (_, more, places) => {
  const stored = [exampleOf('mission-envelope.v1')]
  const [checked] = await checkArtifacts([planned(more)], stored, { now: NOW })
  expect(checked?.diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual(
    places.map(place => `mission/text-too-long ${place}`),
  )
})
