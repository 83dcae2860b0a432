import { describe, expect, test } from 'vitest'
import { FACTS } from '../bench/workloads/facts.ts'
import { handoffDocument, linkedHandoff } from '../bench/workloads/handoff-document.ts'
import { missionEnvelope, taskGraph } from '../bench/workloads/mission.ts'
import { sessionContext } from '../bench/workloads/session-context.ts'
import { sessionState } from '../bench/workloads/session-state.ts'
import { check } from '../src/index.ts'

const now = '2026-06-01T12:00:00Z'

const WORKLOADS: readonly [string, number, (number: number) => { path: string; text: string }][] = [
  ['a session context', 9_000, n => ({ path: 'a.json', text: sessionContext(n) })],
  ['a session state', 6_000, n => ({ path: 'a.yaml', text: sessionState(n) })],
  ['a handoff document', 7_500, handoffDocument],
  ['a handoff document in a long lineage', 7_500, linkedHandoff],
  ['a mission envelope', 2_000, n => ({ path: 'a.json', text: missionEnvelope(n) })],
]

describe.each(WORKLOADS)('the workload of %s', (_, size, make) => {
  test.each([0, 1, 2, 3, 1999])('accepts document %i without a warning', async number => {
    const { path, text } = make(number)
    const { accepted, documents } = await check(text, { path, now, facts: FACTS })
    const found = documents.flatMap(d => d.diagnostics).filter(d => d.severity !== 'info')
    expect(found).toEqual([])
    expect(accepted).toBe(true)
  })

  test('is the same in every run, differs by number and has the size it is published with', () => {
    expect(make(7)).toEqual(make(7))
    expect(make(7).text).not.toBe(make(8).text)
    expect(make(7).text.length / size).toBeGreaterThanOrEqual(1)
    expect(make(7).text.length / size).toBeLessThan(1.1)
  })
})

test('the task graph is at fault only for its cycle', async () => {
  const { documents } = await check(taskGraph(50), { path: 'graph.json', now, facts: FACTS })
  const found = documents.flatMap(d => d.diagnostics).map(d => d.code)
  expect(found).toEqual(['mission-task-graph/acyclic-dependencies'])
})
