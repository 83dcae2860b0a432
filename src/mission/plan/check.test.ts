import { describe, expect, test } from 'vitest'
import { exampleOf, graphOf, MISSION } from '../../../test/mission-payloads.ts'
import { parseInstant } from '../../document/index.ts'
import type { Payload } from '../runner.ts'
import { type Checked, checkArtifacts } from './check.ts'

const NOW = Date.UTC(2026, 5, 1, 12)

const of = (id: string, more: Payload = {}): Payload => ({ ...exampleOf(`${id}.v1`), ...more })
const without = (payload: Payload, ...keys: string[]) =>
  Object.fromEntries(Object.entries(payload).filter(([key]) => !keys.includes(key)))
const graph = {
  ...graphOf(MISSION, { task_worker_01: [], task_other: [] }),
}
const bare = (task: Payload) => ({ ...task, allowed_tools: [] })
const STORED = [of('mission-envelope'), { ...graph, tasks: (graph.tasks as Payload[]).map(bare) }]
const errors = ([checked]: readonly Checked[]) =>
  checked?.diagnostics.map(({ code, path }) => `${code} ${path}`)
const judge = async (fresh: Payload, stored: readonly Payload[] = [], usedBy?: string) =>
  errors(
    await checkArtifacts([fresh], [...STORED, ...stored], {
      now: NOW,
      ...(usedBy === undefined ? {} : { usedBy }),
    }),
  )

describe('next to its contract', () => {
  const result = of('worker-result')
  const other = { ...result, result_id: 'wrk_002' }
  const review = of('review-packet')
  const claim = (...support_refs: string[]) =>
    of('aggregation-packet', { evidence_matrix: [{ claim: 'c', support_refs }] })
  const pack = (must_cite_sources: boolean) =>
    of('prompt-package', {
      tool_scope: [],
      constraints: { must_cite_sources, must_not_writeback_directly: true },
    })
  const key = `ghp_${'a1B2'.repeat(9)}`

  test.each<[string, Payload, readonly Payload[], readonly string[]]>([
    ['a sound result is accepted', result, [], []],
    ['an id may be taken once', result, [other], []],
    [
      'an id that is taken is refused',
      { ...other, output_text: 'x' },
      [other],
      ['mission/id-taken /result_id'],
    ],
    [
      'an id of another sort of packet is free',
      of('review-packet', { packet_id: 'agg_001' }),
      [of('aggregation-packet', { evidence_matrix: [] })],
      [],
    ],
    [
      'an id of another mission is free',
      result,
      [{ ...result, mission_id: '3f1c9a52-8f0e-4c55-9b1a-000000000000' }],
      [],
    ],
    [
      'a credential is refused where it stands',
      { ...result, structured_output: { list: ['x', key] } },
      [],
      ['mission/secret /structured_output/list/1'],
    ],
    [
      'a label with its value is a credential',
      { ...result, structured_output: { password: 'kR7vLm2QpX9s' } },
      [],
      ['mission/secret /structured_output/password'],
    ],
    [
      'a credential in a key is refused',
      { ...result, structured_output: { [key]: 1 } },
      [],
      ['mission/secret '],
    ],
    [
      'a reference that resolves to nothing is refused',
      claim('wrk_001', 'res_404'),
      [result],
      ['aggregation-packet/support-refs-known /evidence_matrix/0/support_refs/1'],
    ],
    [
      'references resolve to results and to what they cite',
      claim('wrk_001', 'lead_123'),
      [result],
      [],
    ],
    [
      'a second review is refused',
      { ...review, packet_id: 'rev_002', created_at: '2026-05-01T00:00:00Z' },
      [review],
      ['review-packet/one-review /created_at'],
    ],
    [
      'a second review is refused also when it says to be the first',
      { ...review, packet_id: 'rev_002', created_at: '2026-04-01T00:00:00Z' },
      [review],
      ['mission/breaks-stored '],
    ],
    [
      'a package that asks for citations after the fact is refused',
      pack(true),
      [{ ...result, citations: [] }],
      ['mission/breaks-stored '],
    ],
    ['a package that asks for none is accepted', pack(false), [{ ...result, citations: [] }], []],
    [
      'a worker that proposed a change is refused',
      { ...result, producer: 'reviewer_agent' },
      [of('writeback-proposal')],
      ['mission/breaks-stored '],
    ],
    [
      'what failed before is not held against it',
      { ...result, result_id: 'wrk_003', producer: 'reviewer_agent' },
      [of('writeback-proposal'), { ...result, producer: 'reviewer_agent' }],
      [],
    ],
    [
      'a stored artifact that is none is passed over',
      result,
      [{ schema_name: 'something' }, {}],
      [],
    ],
    [
      'a faulty policy decision may be the one that denies',
      of('prompt-package'),
      [without(of('policy-decision'), 'decision')],
      [
        'prompt-package/not-checked ',
        ...[0, 1, 2].map(i => `prompt-package/tools-within-task /tool_scope/${i}`),
      ],
    ],
    ['what is no artifact is refused', { hello: 1 }, [], ['document/unrecognised ']],
    [
      'half a character is refused',
      { ...result, output_text: '\ud800' },
      [],
      ['syntax/lone-surrogate '],
    ],
    [
      'what is no number is refused',
      { ...result, confidence: Number.POSITIVE_INFINITY },
      [],
      ['syntax/json '],
    ],
    [
      'what is too deep is refused',
      { ...result, structured_output: deep(200) },
      [],
      ['syntax/too-deep '],
    ],
    [
      'what no engine can write is refused',
      { ...result, structured_output: deep(100_000) },
      [],
      ['syntax/json '],
    ],
  ])('%s', async (_, fresh, stored, expected) => {
    expect(await judge(fresh, stored)).toEqual(expected)
  })

  test('without the envelope, the graph and the policies of its mission is not taken', async () => {
    const fresh = [of('prompt-package'), of('review-packet')]
    const checked = await checkArtifacts(fresh, [], { now: NOW })
    expect(checked.map(({ accepted }) => accepted)).toEqual([false, false])
    const missing = checked.flatMap(({ diagnostics }) =>
      diagnostics.flatMap(
        ({ message }) => /there is no ([a-z_]+) of mission/.exec(message)?.[1] ?? [],
      ),
    )
    expect(new Set(missing)).toEqual(
      new Set(['mission_envelope', 'mission_task_graph', 'policy_decision']),
    )
  })

  test('no word of a credential is repeated', async () => {
    const [checked] = await checkArtifacts([{ ...result, output_text: key }], STORED, { now: NOW })
    expect(checked?.accepted).toBe(false)
    expect(JSON.stringify(checked?.diagnostics)).not.toContain(key.slice(8))
  })

  test('two new artifacts may not share an id, and the first keeps it', async () => {
    const twice = await checkArtifacts([result, { ...result }], STORED, { now: NOW })
    expect(twice.map(({ accepted }) => accepted)).toEqual([true, false])
  })

  test('new artifacts count for each other', async () => {
    const together = await checkArtifacts([claim('wrk_001'), result], STORED, { now: NOW })
    expect(together.map(({ accepted }) => accepted)).toEqual([true, true])
  })

  test.each([
    ['2026-04-14T12:59:00Z', []],
    ['2026-04-14T13:01:00Z', ['librarian-pass/valid-when-used /expires_at']],
  ])('a pass that is used at %s', async (time, expected) => {
    const now = parseInstant(time) ?? 0
    const checked = await checkArtifacts([of('librarian-pass')], STORED, { now, usedBy: 'w' })
    expect(errors(checked)).toEqual(expected)
  })
})

describe('beyond what a mission can be done with', () => {
  const envelope = of('mission-envelope')
  const tasked = (ids: readonly string[], role_type: string): Payload => {
    const plan = graphOf(MISSION, Object.fromEntries(ids.map(id => [id, []])))
    return { ...plan, tasks: (plan.tasks as Payload[]).map(task => ({ ...bare(task), role_type })) }
  }
  const ids = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => `${name}${i}`)
  const YEAR = 31_536_000_000

  test.each<[string, Payload, readonly Payload[], readonly string[]]>([
    ['a graph without tasks', tasked([], 'worker'), [], ['mission/no-tasks /tasks']],
    ['one reviewer', tasked(['a'], 'reviewer'), [tasked(['b'], 'worker')], []],
    [
      'two reviewers in a graph',
      tasked(['a', 'b'], 'reviewer'),
      [],
      ['mission/one-reviewer /tasks/1/role_type'],
    ],
    [
      'a second reviewer in another graph',
      tasked(['a'], 'reviewer'),
      [tasked(['b'], 'reviewer')],
      ['mission/one-reviewer /tasks/0/role_type'],
    ],
    ['an id of 512 bytes', tasked(['é'.repeat(256)], 'worker'), [], []],
    [
      'a task id of 514 bytes',
      tasked(['é'.repeat(257)], 'worker'),
      [],
      ['mission/id-too-long /tasks/0/task_id'],
    ],
    [
      'an id of an artifact',
      of('worker-result', { result_id: 'x'.repeat(513) }),
      [],
      ['mission/id-too-long /result_id'],
    ],
    [
      'an id that the queue keeps for itself',
      tasked(['a', 'waybill:writeback:wb_1', 'b waybill:'], 'worker'),
      [],
      ['mission/id-not-free /tasks/1/task_id'],
    ],
    ['64 planners', tasked(ids(40, 'a'), 'planner'), [tasked(ids(24, 'b'), 'planner')], []],
    [
      'more planners in a graph',
      tasked(ids(70, 'a'), 'planner'),
      [],
      ['mission/too-many-planners /tasks/64/role_type'],
    ],
    [
      'a planner that a last planner plans',
      tasked(['a'], 'planner'),
      [tasked(ids(70, 'b'), 'planner')],
      ['mission/too-many-planners /tasks/0/role_type'],
    ],
    [
      'work that a last planner plans',
      tasked(['a'], 'worker'),
      [tasked(ids(70, 'b'), 'planner')],
      [],
    ],
    ['the time of a year', { ...envelope, time_budget_ms: YEAR }, [], []],
    [
      'a longer time',
      { ...envelope, time_budget_ms: YEAR + 1 },
      [],
      ['mission/time-too-long /time_budget_ms'],
    ],
    [
      'the id of a tenant',
      { ...envelope, tenant_id: 'x'.repeat(513) },
      [],
      ['mission/id-too-long /tenant_id'],
    ],
    [
      'what has another shape still',
      { ...envelope, ...graph, tasks: [null, { task_id: 7 }] },
      [],
      expect.not.arrayContaining([expect.stringContaining('mission/')]),
    ],
  ])('%s', async (_, fresh, stored, expected) => {
    const isEnvelope = fresh.schema_name === 'mission_envelope'
    expect(await judge(fresh, isEnvelope ? [] : stored)).toEqual(expected)
  })
})

function deep(levels: number): Payload {
  let value: Payload = {}
  for (let i = 0; i < levels; i++) value = { value }
  return value
}
