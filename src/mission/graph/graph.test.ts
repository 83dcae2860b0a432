import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelopeOf, graphOf } from '../../../test/mission-payloads.ts'
import {
  openRecordedMissions,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import { submitMission } from '../run/submit.ts'
import { drawingOf, drawMission, type MissionGraph, missionGraph } from './graph.ts'

let missions: RecordedMissions
beforeAll(async () => {
  missions = await openRecordedMissions()
})
afterAll(async () => {
  await missions?.remove()
})

/** Begins a mission with tasks of these names, each after others. */
async function submit(tasks: Readonly<Record<string, readonly string[]>>, more = {}) {
  const mission = randomUUID()
  const graph = graphOf(mission, tasks)
  const list = (graph.tasks as object[]).map(task => ({ ...task, ...more }))
  const retries = { limit: 0, first: 1, longest: 1 }
  await submitMission(missions.store, {
    envelope: envelopeOf(mission, TENANT),
    graph: { ...graph, tasks: list },
    decisions: [],
    plans: Object.keys(tasks).map(task => ({ task, agent: 'a', prompt: null, retries })),
    template: null,
  })
  return { tenant: TENANT, mission }
}

describe('the graph of a mission', () => {
  test('has its tasks with their states, and what waits for what', async () => {
    const one = await missions.begin()
    await one.do('search')
    await one.begin('count')
    const { mission } = one
    const graph = await missionGraph(missions.store, { tenant: TENANT, mission })
    expect(graph).toMatchObject({ mission, state: 'running' })
    expect(
      graph.tasks.map(({ task, role, state, attempt }) => [task, role, state, attempt]),
    ).toEqual([
      ['search', 'researcher', 'done', 1],
      ['count', 'worker', 'running', 1],
      ['weigh', 'worker', 'queued', 1],
      ['join', 'aggregator', 'blocked', 0],
      ['review', 'reviewer', 'blocked', 0],
    ])
    expect(graph.edges.map(({ task, dependsOn }) => [task, dependsOn])).toEqual([
      [1, 0],
      [2, 0],
      [3, 1],
      [3, 2],
      [4, 3],
    ])
  })

  test('is drawn in the language of Mermaid and as a picture', async () => {
    const one = await missions.begin()
    await one.do('search')
    const which = { tenant: TENANT, mission: one.mission }
    const { drawing, folded } = await drawMission(missions.store, which, 'mermaid')
    expect(folded).toBe(1)
    expect(drawing.split('\n').slice(0, 2)).toEqual([
      'flowchart TD',
      '  n0["search<br/>researcher · done<br/>Prepare role-specific prompt packages for all execution tasks."]:::done',
    ])
    expect(drawing).toContain('  n0 --> n1')
    const { drawing: svg } = await drawMission(missions.store, which, 'svg')
    expect(svg).toContain(`<title>Mission ${one.mission}: running</title>`)
    expect(svg.match(/<rect/g)).toHaveLength(5)
  })

  test('of a mission that does not exist is not found', async () => {
    const which = { tenant: TENANT, mission: randomUUID() }
    await expect(missionGraph(missions.store, which)).rejects.toMatchObject({ code: 'not-found' })
    await expect(drawMission(missions.store, which, 'svg')).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

describe('what an agent wrote stays in its place', () => {
  const hostile = [
    'a"]; click n0 "javascript:alert(1)"',
    '</text><script>x</script>',
    'x\n%%{init}%%',
  ]

  test.each(['mermaid', 'svg'] as const)('in %s', async as => {
    const tasks = Object.fromEntries(hostile.map(id => [id, []]))
    const which = await submit(tasks, { objective: hostile.join('\r\n') })
    const { drawing } = await drawMission(missions.store, which, as)
    const foreign = as === 'svg' ? /<script|<\/svg>./ : /<script|\]; click|^%%/m
    expect(drawing).not.toMatch(foreign)
    // One box for each, however many lines it would like to have.
    const boxes = as === 'svg' ? drawing.match(/<rect/g) : drawing.match(/^ {2}n[0-9]+\["/gm)
    expect(boxes).toHaveLength(3)
  })
})

describe('of many tasks', () => {
  const many = (count: number, after: (i: number) => readonly number[]): MissionGraph => ({
    mission: 'm',
    state: 'running',
    tasks: Array.from({ length: count }, (_, i) => ({
      ...{ task: `t${i}`, role: 'worker', agent: 'a', attempt: 1 },
      state: i === 0 ? ('done' as const) : ('queued' as const),
    })),
    edges: Array.from({ length: count }, (_, task) =>
      after(task).map(dependsOn => ({ task, dependsOn })),
    ).flat(),
  })

  test('the layers are drawn, with how many are how far', () => {
    const { drawing, folded } = drawingOf(
      many(1_000, i => (i === 0 ? [] : [0])),
      new Map(),
    )
    expect(folded).toBe(999)
    expect(drawing.nodes.map(({ label, status }) => [label, status])).toEqual([
      ['layer 1: 1 task\n1 done', 'done'],
      ['layer 2: 999 tasks\n999 queued', 'ready'],
    ])
    expect(drawing.edges).toEqual([{ from: '0', to: '1', label: '999 dependencies' }])
  })

  test('in a long chain, neighbouring layers share a box', () => {
    const { drawing, folded } = drawingOf(
      many(10_000, i => (i === 0 ? [] : [i - 1])),
      new Map(),
    )
    expect(folded).toBe(25)
    expect(drawing.nodes).toHaveLength(400)
    expect(drawing.nodes[1]?.label).toBe('layers 26 to 50: 25 tasks\n25 queued')
    expect(drawing.edges).toHaveLength(399)
  })

  test('up to 400 each has its own box', () => {
    expect(
      drawingOf(
        many(400, () => []),
        new Map(),
      ).drawing.nodes,
    ).toHaveLength(400)
    expect(
      drawingOf(
        many(401, () => []),
        new Map(),
      ).drawing.nodes,
    ).toHaveLength(1)
  })

  test('all are in the data', async () => {
    const tasks = Object.fromEntries(
      Array.from({ length: 600 }, (_, i) => [`t${i}`, i === 0 ? [] : [`t${i - 1}`]]),
    )
    const graph = await missionGraph(missions.store, await submit(tasks))
    expect(graph.tasks.map(({ task }) => task)).toEqual(Object.keys(tasks))
    expect(graph.edges).toHaveLength(599)
  })
})
