import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exampleOf, graphOf, MISSION } from '../../../test/mission-payloads.ts'
import type { MissionEnvelope } from '../../contracts/index.ts'
import type { Payload, Task } from '../runner.ts'
import { type Answer, artifactsIn, type Expected } from './answer.ts'
import { RETURNED, sortOf } from './artifacts.ts'
import { checkArtifacts } from './check.ts'
import { returnsOf } from './returns.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const ROOT = ['schema_version', 'mission_id', 'tenant_id', 'actor_id', 'created_at', 'producer']
const ROLES = Object.keys(RETURNED) as Task['role_type'][]

const envelope = exampleOf('mission-envelope.v1') as unknown as MissionEnvelope
const graph = graphOf(MISSION, { task_worker_01: [], other: [] })

const [task, other] = (graph.tasks as Task[]).map(each => ({ ...each, allowed_tools: [] }))
if (!task || !other) throw new Error('the graph has two tasks')

function expectedFor(role: Task['role_type'], more: Partial<Expected> = {}): Expected {
  return {
    mission: envelope,
    task: { ...(task as Task), role_type: role },
    agent: 'the-agent',
    attempt: 1,
    returns: returnsOf(role),
    now: NOW,
    clock: NOW,
    ...more,
  }
}

const without = (payload: Payload, ...keys: string[]): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([key]) => !keys.includes(key)))

const contractOf = (name: string) => `${sortOf(name)?.contract}.v1`

/** An example of what a role returns, with nothing that can be filled in. */
function bareAnswer(role: Task['role_type']): Payload {
  const [name] = RETURNED[role]
  const sort = sortOf(name)
  const filledIn = [...ROOT, sort?.idKey ?? '', sort?.task ? 'task_id' : '']
  const bare = without(exampleOf(contractOf(name)), ...filledIn)
  const soundly = { planner: { tasks: [other] }, prompt_master: { tool_scope: [] } }
  return {
    ...bare,
    ...(role === 'aggregator' && { evidence_matrix: [] }),
    ...(role === 'librarian' && { expires_at: '2026-06-02T00:00:00Z' }),
    ...(soundly as Readonly<Record<string, Payload>>)[role],
  }
}

const faultsOf = (answer: Answer) =>
  'faults' in answer ? answer.faults.map(({ code, path }) => `${code} ${path}`) : []
const artifactsOf = (answer: Answer) => ('artifacts' in answer ? answer.artifacts : [])

test.each([
  ['2026-01-01T00:00:00Z', ['mission/answer-disagrees /created_at']],
  [envelope.created_at, []],
  ['no time', []],
])(
  'what is said to be written at %s agrees with its mission, or is left to the contract',
  (at, faults) => {
    const answer = artifactsIn({ ...bareAnswer('worker'), created_at: at }, expectedFor('worker'))
    expect(faultsOf(answer)).toEqual(faults)
  },
)

test('a write-back that a reviewer proposes takes its tenant and its actor from the mission', () => {
  const bare = without(exampleOf('writeback-proposal.v1'), ...ROOT, 'proposal_id')
  const returned = { artifacts: [bareAnswer('reviewer'), bare] }
  const [, proposal] = artifactsOf(artifactsIn(returned, expectedFor('reviewer')))
  const { tenant_id, actor_id } = envelope
  expect(proposal).toMatchObject({ schema_name: 'writeback_proposal', tenant_id, actor_id })
})

describe.each(ROLES)('an answer of a %s', role => {
  const expected = expectedFor(role, { serves: [task.task_id] })
  const isNamed = RETURNED[role].length === 1

  test('is completed with all that can be known, and is then sound', async () => {
    const bare = bareAnswer(role)
    const artifacts = artifactsOf(
      artifactsIn(isNamed ? without(bare, 'schema_name') : bare, expected),
    )
    const stored = [envelope, { ...graph, tasks: role === 'planner' ? [task] : [task, other] }]
    const [checked] = await checkArtifacts(artifacts, stored, { now: NOW })
    expect(checked?.diagnostics).toEqual([])
    const { tenant_id, actor_id } = envelope
    const known = { producer: 'the-agent', mission_id: MISSION, tenant_id, actor_id }
    expect(artifacts[0]).toMatchObject(known)
  })

  test('is the same alone and in a list', () => {
    const bare = bareAnswer(role)
    expect(artifactsIn({ artifacts: [bare] }, expected)).toEqual(artifactsIn(bare, expected))
  })

  test('gets ids that say which attempt they are of, and nothing else changes them', () => {
    const key = sortOf(RETURNED[role][0])?.idKey
    const ids = (more: Partial<Expected>, count = 1) =>
      artifactsOf(
        artifactsIn({ artifacts: Array(count).fill(bareAnswer(role)) }, { ...expected, ...more }),
      ).map(artifact => artifact[key ?? ''])
    if (key === undefined) return expect(ids({})).toEqual([undefined])
    expect(ids({ now: NOW + 1, agent: 'b' })).toEqual(ids({}))
    expect(new Set([...ids({}, 3), ...ids({ attempt: 2 }, 3)]).size).toBe(6)
  })

  test.each(['mission_id', 'tenant_id', 'actor_id', 'producer'])('may not name another %s', key => {
    const answer = artifactsIn({ artifacts: [{ ...bareAnswer(role), [key]: 'else' }] }, expected)
    expect(faultsOf(answer)).toEqual([`mission/answer-disagrees /artifacts/0/${key}`])
  })

  test('whatever JSON it is, is refused or completed, and never throws', async () => {
    const keys = fc.constantFrom(...Object.keys(bareAnswer(role)), 'artifacts', '__proto__')
    const near = fc
      .dictionary(keys, fc.jsonValue())
      .map(parts => Object.assign({ ...bareAnswer(role) }, parts))
    const anything = fc.oneof(
      fc.jsonValue(),
      near,
      fc.array(fc.oneof(near, fc.jsonValue())).map(artifacts => ({ artifacts })),
    )
    await fc.assert(
      fc.asyncProperty(anything, async value => {
        const answer = artifactsIn(JSON.parse(JSON.stringify(value)), expected)
        const artifacts = artifactsOf(answer)
        expect(artifacts.length > 0 || faultsOf(answer).length > 0).toBe(true)
        const checked = await checkArtifacts(artifacts, [envelope, graph], { now: NOW })
        expect(checked).toHaveLength(artifacts.length)
      }),
    )
  })
})

const worker = expectedFor('worker')
const result = bareAnswer('worker')
const master = (serves?: readonly string[]) => expectedFor('prompt_master', serves && { serves })
const pack = bareAnswer('prompt_master')

test.each<[string, unknown, Expected, readonly string[]]>([
  ['nothing is no answer', null, worker, ['mission/answer-shape ']],
  ['a text is no answer', 'done', worker, ['mission/answer-shape ']],
  ['a bare list is no answer', [result], worker, ['mission/answer-shape ']],
  ['an empty list lacks the result', { artifacts: [] }, worker, ['mission/answer-incomplete ']],
  ['artifacts are a list', { artifacts: {} }, worker, ['mission/answer-shape /artifacts']],
  [
    'words next to the artifacts would be lost',
    { artifacts: [result], note: 'x' },
    worker,
    ['mission/answer-shape /note'],
  ],
  [
    'what is no object is no artifact',
    { artifacts: [result, 1] },
    worker,
    ['mission/answer-shape /artifacts/1'],
  ],
  [
    'more than 64 artifacts are too many',
    { artifacts: Array(65).fill(result) },
    worker,
    ['mission/answer-count /artifacts'],
  ],
  ['64 are not', { artifacts: Array(64).fill(result) }, worker, []],
  [
    'a worker does not propose changes',
    { artifacts: [result, { schema_name: 'writeback_proposal' }] },
    worker,
    ['mission/answer-foreign /artifacts/1/schema_name'],
  ],
  [
    'a reviewer says which is which',
    { artifacts: [{ review_status: 'rejected' }] },
    expectedFor('reviewer'),
    ['mission/answer-foreign /artifacts/0/schema_name'],
  ],
  [
    'a reviewer may not propose without a review',
    { artifacts: [{ schema_name: 'writeback_proposal' }] },
    expectedFor('reviewer'),
    ['mission/answer-incomplete '],
  ],
  [
    'a result belongs to its own task',
    { ...result, task_id: 'other' },
    worker,
    ['mission/answer-disagrees /task_id'],
  ],
  ['a package says for which task it is', pack, master(), ['mission/answer-incomplete /task_id']],
  ['a package may be for any task', { ...pack, task_id: 'other' }, master(), []],
  [
    'a package is for a task that its author was assigned',
    { ...pack, task_id: 'elsewhere' },
    master(['other', 'more']),
    ['mission/answer-disagrees /task_id'],
  ],
  ['one of them', { ...pack, task_id: 'more' }, master(['other', 'more']), []],
  ['the only one may be left out', pack, master(['other']), []],
  [
    'a task that is no text is no task',
    { ...pack, task_id: null },
    master(['other']),
    ['mission/answer-disagrees /task_id'],
  ],
  [
    'an artifact of more than a mebibyte is too large',
    { ...result, output_text: 'x'.repeat(1024 * 1024) },
    worker,
    ['mission/answer-size '],
  ],
  [
    'bytes count, not characters',
    { ...result, output_text: 'ü'.repeat(600_000) },
    worker,
    ['mission/answer-size '],
  ],
  [
    'an artifact of nearly that is not',
    { ...result, output_text: 'x'.repeat(1_000_000) },
    worker,
    [],
  ],
  [
    'half a character cannot be stored',
    { artifacts: [{ ...result, output_text: '\ud800' }] },
    worker,
    ['mission/answer-not-json /artifacts/0'],
  ],
  [
    'every fault is reported at once',
    { artifacts: [{ ...result, producer: 'x', mission_id: 1 }, 'x'] },
    worker,
    [
      'mission/answer-disagrees /artifacts/0/mission_id',
      'mission/answer-disagrees /artifacts/0/producer',
      'mission/answer-shape /artifacts/1',
    ],
  ],
])('%s', (_, answer, expected, faults) => {
  expect(faultsOf(artifactsIn(answer, expected))).toEqual(faults)
})

test('a name that is nearly right is recognised', () => {
  const answer = artifactsIn({ ...result, schema_name: 'worker_reslt' }, worker)
  expect('faults' in answer && answer.faults[0]?.hint).toBe("did you mean 'worker_result'?")
})

test('what a key of the prototype says is kept as it is', () => {
  const [artifact] = artifactsOf(
    artifactsIn(
      JSON.parse(JSON.stringify(result).replace('{', '{"__proto__":{"task_id":"x"},')),
      worker,
    ),
  )
  expect(Object.keys(artifact ?? {})).toContain('__proto__')
  expect(artifact?.task_id).toBe(task.task_id)
})

test('no word of a credential is repeated', () => {
  const key = `ghp_${'a1B2'.repeat(9)}`
  const answer = artifactsIn({ ...result, producer: key, schema_name: 'worker_result' }, worker)
  expect(faultsOf(answer)).toHaveLength(1)
  expect(JSON.stringify(answer)).not.toContain(key.slice(8))
})
