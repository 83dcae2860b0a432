import { describe, expect, test } from 'vitest'
import type { Figure } from '../bench/figure.ts'
import { page, section } from '../bench/page.ts'
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

describe('the page', () => {
  const figure = (what: string, time: number): Figure => ({
    ...{ what, unit: 'ms', ours: { name: 'waybill', times: [time] } },
    target: { kind: 'at-most', limit: 10 },
  })
  const names = ['first', 'second', 'third']
  const sections = (...found: [string, Figure][]) =>
    new Map(found.map(([name, one]) => [name, section(name, `Measured now.`, [one])]))

  test('keeps of what was measured before all but what was measured now, in one order', () => {
    const before = page(sections(['third', figure('c', 8)], ['first', figure('a', 7)]), names, '')
    const after = page(
      sections(['first', figure('a', 5)], ['second', figure('b', 20)]),
      names,
      before,
    )
    const lines = after.split('\n').filter(line => /^(?:## |\| [abc] )/.test(line))
    expect(lines).toEqual([
      '## What is measured',
      '## first',
      '| a | 5.00 ms | – | – | ≤ 10 ms | met by 50 % |',
      '## second',
      '| b | 20.0 ms | – | – | ≤ 10 ms | **missed** by 100 % |',
      '## third',
      '| c | 8.00 ms | – | – | ≤ 10 ms | met by 20 % |',
    ])
    expect(after).toContain('Targets met: 2. Missed:\n\n- b, by 100 %\n')
    expect(page(new Map(), names, after)).toBe(after)
  })

  test('says so where all targets are met, and why something was not measured', () => {
    const skips = [{ what: 'b', skipped: 'there is no Python' }]
    const text = section('second', 'Measured now.', [figure('a', 1), ...skips])
    const whole = page(new Map([['second', text]]), names, '')
    expect(whole).toContain('All 1 targets are met.')
    expect(whole).toMatch(/\| met by 90 % \|\n\nNot measured: b: there is no Python\.\n$/)
  })
})
