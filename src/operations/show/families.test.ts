import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contracts } from '../../contracts/index.ts'
import { describeFor } from './families.ts'
import type { Section } from './output.ts'
import type { Body } from './view.ts'

const around = { now: Date.UTC(2026, 0, 14), sound: false }
const describe = (contract: string, value: unknown): Body => describeFor(contract)(value, around)
const section = (body: Body, title: string): Section | undefined =>
  body.sections.find(s => s.title === title)
const fact = (body: Body, label: string) => body.facts.find(f => f.label === label)?.value

test('a session state shows phase, mode and next step, and what is missing at each gate', () => {
  const body = describe('session-state', {
    Phase: 5,
    Mode: 'NORMAL',
    ConfidenceLevel: 82,
    Next: 'Phase5.3-TestQualityGate',
    Gates: { 'P5-Architecture': 'approved', 'P5.3-TestQuality': 'pending' },
    GateArtifacts: {
      'P5-Architecture': { Required: ['A', 'B', 'C'], Provided: { A: 'present', B: 'missing' } },
    },
    ArchitectureDecisions: [{ ID: 'AD-1', Decision: ['use a queue'], Status: 'approved' }],
    Unforeseen: { a: 1 },
  })
  expect(fact(body, 'Phase')).toBe('5, architecture gate')
  expect(fact(body, 'Confidence')).toBe('82 High')
  expect(section(body, 'Gates')?.table).toEqual({
    columns: ['GATE', 'STATE', 'MISSING'],
    rows: [
      ['P5-Architecture', 'approved', 'B, C'],
      ['P5.3-TestQuality', 'pending', ''],
    ],
  })
  expect(section(body, 'Architecture decisions')?.items).toEqual([
    { id: 'AD-1', marks: ['approved'], text: 'use a queue' },
  ])
  expect(section(body, 'Further keys')?.items).toContainEqual({ id: 'a', text: '1', depth: 1 })
})

test('a sound session state shows the confidence of the rubric next to the stated one', () => {
  const state = {
    Phase: '4',
    Mode: 'NORMAL',
    ConfidenceLevel: 90,
    ActiveProfile: 'a',
    ProfileSource: 'user-explicit',
    ProfileEvidence: 'pom.xml',
  }
  const body = describeFor('session-state')(state, { ...around, sound: true })
  expect(fact(body, 'Confidence')).toBe('90 Very High; by the rubric 25 Very Low')
  expect(section(body, 'Confidence by the rubric')?.items?.[0]).toMatchObject({ id: '+25' })
})

test('an agent handoff shows both agents with version and the beginning of their prompt hashes', () => {
  const agent = (id: string) => ({
    agent_type: 'domain',
    agent_id: id,
    agent_version: '1.0.0',
    prompt_hash: 'ab'.repeat(32),
  })
  const body = describe('agent-handoff', {
    source_agent: agent('domain-a'),
    target_agent: agent('domain-b'),
    context: {
      request: { type: 'task', description: 'Do it.', constraints: ['soon'] },
      state: { decisions_made: [{ decision: 'yes', reason: 'why not' }] },
    },
    governance: { composition_valid: true, boundaries_respected: false },
  })
  expect(fact(body, 'From')).toBe('domain-a (domain, 1.0.0, prompt abababababab…)')
  expect(section(body, 'Request')?.text).toBe('Do it.')
  expect(section(body, 'Decisions made')?.items).toEqual([
    { text: 'yes', details: [{ label: 'because', value: 'why not' }] },
  ])
  expect(section(body, 'Governance (claimed)')?.items).toEqual([
    { marks: ['yes'], text: 'composition valid' },
    { marks: ['no'], text: 'boundaries respected' },
  ])
})

test('a manifest and a lockfile are tables of agents', () => {
  const manifest = describe('prompt-manifest', {
    domains: { a: { name: 'A', version: '1.0.0', collaboration: { hands_to: ['b'] } } },
    archetypes: { t: { version: '2.0.0', composition: { a: 60, b: 40 } } },
  })
  expect(fact(manifest, 'Agents')).toBe('1 domain, 1 archetype')
  expect(section(manifest, 'Agents')?.table?.rows).toEqual([
    ['a', 'domain', '1.0.0', 'A', '', 'b'],
    ['t', 'archetype', '2.0.0', '', 'a 60%, b 40%', ''],
  ])
  const lock = describe('prompt-lock', {
    prompts: { a: { file: 'a.md', hash: '0123456789abcdef', type: 'domain' } },
    integrity: { total_prompts: 1, domains: 2 },
  })
  expect(fact(lock, 'Totals')).toBe('1 prompt, 2 domains')
  expect(section(lock, 'Prompts')?.table?.rows).toEqual([['a', 'domain', '0123456789ab…', 'a.md']])
})

test('a workflow shows files to read with their purpose, in either form', () => {
  const files = ['a.md', { path: 'b.md', priority: 1, purpose: 'The plan' }]
  const body = describe('orchestration', { resumption: { files_to_read: files } })
  expect(section(body, 'Read first')?.items).toEqual([
    { text: 'a.md' },
    {
      text: 'b.md',
      details: [
        { label: 'priority', value: '1' },
        { label: 'purpose', value: 'The plan' },
      ],
    },
  ])
})

test('a workflow shows what is next and what blocks before its pipelines with phases and agents', () => {
  const body = describe('orchestration', {
    workflow: { name: 'W', status: 'ACTIVE' },
    resumption: { next_action: 'go on' },
    blockers: { active: ['no access'] },
    pipelines: {
      ps: {
        phases: [
          {
            id: 1,
            status: 'COMPLETE',
            agents: [{ id: 'ps-a', status: 'FAILED', session_context: { output: 'o.json' } }],
          },
        ],
      },
    },
    barriers: { b1: { status: 'PENDING', depends_on: ['ps.phase.1'] } },
    metrics: { phases_complete: 1, phases_total: 2 },
  })
  expect(body.sections.map(s => s.title)).toEqual([
    'Next action',
    'Blockers',
    'Pipeline · ps',
    'Barriers',
    'Stated progress',
  ])
  expect(section(body, 'Pipeline · ps')?.items).toEqual([
    { id: 'phase 1', marks: ['COMPLETE'], text: '' },
    {
      id: 'ps-a',
      marks: ['FAILED'],
      text: '',
      details: [{ label: 'writes', value: 'o.json' }],
      depth: 1,
    },
  ])
})

describeGraph(
  'tasks stand once, below the last of those that they wait for',
  ['a', 'b:a', 'c:a,b', 'd'],
  [
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['d', 0],
  ],
)
describeGraph(
  'tasks in a circle and behind it stand at the end',
  ['a:b', 'b:a', 'c:b', 'd'],
  [
    ['d', 0],
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ],
)
describeGraph('unknown dependencies are passed over', ['a:nothing'], [['a', 0]])

function describeGraph(name: string, written: string[], expected: [string, number][]) {
  test(name, () => {
    const tasks = written.map(text => {
      const [task_id, after = ''] = text.split(':')
      return { task_id, depends_on: after ? after.split(',') : [] }
    })
    const items = section(describe('mission-task-graph', { tasks }), 'Tasks')?.items ?? []
    expect(items.map(i => [i.id, i.depth ?? 0])).toEqual(expected)
  })
}

test('a chain of 20,000 tasks and a star as large are shown in good time', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => ({
    task_id: `t${i}`,
    depends_on: i ? [`t${i - 1}`] : [],
  }))
  const star = Array.from({ length: 20_000 }, (_, i) => ({
    task_id: `t${i}`,
    depends_on: i ? ['t0'] : [],
  }))
  expect(fact(describe('mission-task-graph', { tasks: chain }), 'Steps')).toBe('20000')
  expect(fact(describe('mission-task-graph', { tasks: star }), 'At once')).toBe('19999')
})

test.each([
  [
    'mission-envelope',
    { normalized_goal: 'Find out.', risk_level: 'high', time_budget_ms: 45_000 },
    ['Risk: high', 'Time budget: 45 s', 'Find out.'],
  ],
  ['prompt-package', { task_prompt: 'Do.', tool_scope: ['a', 'b'] }, ['Tools: a, b', 'Do.']],
  ['research-artifact', { results: [{ title: 'T', confidence: 0.82 }] }, ['0.82 High', 'T']],
  [
    'librarian-pass',
    { expires_at: '2026-01-14T01:00:00Z', allowed_resource_families: ['crm'] },
    ['Expires: 2026-01-14T01:00:00Z, in 1 hour', 'crm'],
  ],
  ['worker-result', { output_text: 'Done.', confidence: 0.3 }, ['Confidence: 0.3 Low', 'Done.']],
  [
    'aggregation-packet',
    { evidence_matrix: [{ claim: 'It is so.', support_refs: ['w'] }] },
    ['It is so.', 'w'],
  ],
  [
    'review-packet',
    {
      review_status: 'rejected',
      issues: [{ severity: 'high', message: 'No.' }],
      required_edits: ['x'],
    },
    ['Outcome: rejected', 'high', 'No.', 'x'],
  ],
  [
    'policy-decision',
    { decision: 'deny', subject: 's', reason: 'because' },
    ['Decision: deny', 'because'],
  ],
  [
    'writeback-proposal',
    { requires_approval: false, payload: { a: 1 } },
    ['Approval: not required', 'a'],
  ],
])('%s shows its essence', (contract, value, expected) => {
  const body = describe(contract, value)
  const facts = body.facts.map(f => `${f.label}: ${f.value}`)
  const strings: string[] = []
  JSON.stringify(body.sections, (_, inner) => {
    if (typeof inner === 'string') strings.push(inner)
    return inner
  })
  for (const words of expected) expect([...facts, ...strings]).toContain(words)
})

test('no value whatever makes a family fail', () => {
  const keys = fc.constantFrom(
    'payload',
    'context',
    'state',
    'request',
    'tasks',
    'Gates',
    'GateArtifacts',
    'pipelines',
    'phases',
    'agents',
    'results',
    'sections',
    'frontmatter',
    'timestamp',
    'id',
    'confidence',
    'domains',
    'prompts',
    'barriers',
  )
  const value = fc.letrec(tie => ({
    any: fc.oneof(
      { maxDepth: 5 },
      fc.string(),
      fc.double(),
      fc.constantFrom(null, true),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(keys, tie('any'), { maxKeys: 6 }),
    ),
  })).any
  fc.assert(
    fc.property(
      fc.constantFrom(...contracts.map(c => c.name), 'none'),
      value,
      (contract, inner) => {
        expect(() => describe(contract, inner)).not.toThrow()
      },
    ),
    { numRuns: 500 },
  )
})
