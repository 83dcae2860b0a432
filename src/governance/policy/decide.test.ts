import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { data, handoff, policyRepository, tool, writeBack } from '../../../test/policies.ts'
import { decideBy, openPolicies, type PolicyOptions, readConfigured } from './decide.ts'
import { inspectPolicies } from './inspect.ts'
import type { PolicyRequest } from './request.ts'

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true })
})

function open(files: Readonly<Record<string, string>>, options: PolicyOptions = {}) {
  const root = policyRepository(files)
  roots.push(root)
  return openPolicies(root, { policies: 'policies' }, options)
}

const NEEDS_LEGAL = `@id("restricted")
@reason("restricted data goes nowhere without legal")
@needs("an approval by legal in context.state.decisions_made")
forbid (principal, action == Waybill::Action::"handoff", resource)
when { context has sensitivity && context.sensitivity == Waybill::Sensitivity::"restricted" }
unless { context.approvals.contains("legal") };`
const NEVER = `@remedy("ask another agent")
forbid (principal, action, resource) when { principal.version == "0.9.0" };`

const restricted = { ...handoff, facts: { ...handoff.facts, sensitivity: 'restricted' } }

describe('forbids of a repository', () => {
  const policies = open({ 'legal.cedar': `${NEEDS_LEGAL}\n${NEVER}` })

  test('have their file and their @id or number for an id', () => {
    const own = policies.policies.filter(({ place }) => place)
    expect(own.map(({ id, place }) => [id, place])).toEqual([
      ['legal.cedar#restricted', { file: 'policies/legal.cedar', line: 1 }],
      ['legal.cedar#2', { file: 'policies/legal.cedar', line: 7 }],
    ])
  })

  test('that all say what they need ask for it', () => {
    expect(policies.decide(restricted)).toEqual({
      action: 'handoff',
      decision: 'needs-input',
      determining: [
        {
          id: 'legal.cedar#restricted',
          effect: 'forbid',
          reason: 'restricted data goes nowhere without legal',
          needs: 'an approval by legal in context.state.decisions_made',
        },
      ],
      errors: [],
      setDigest: policies.setDigest,
    })
  })

  test('do not stand against what has it', () => {
    const facts = { ...restricted.facts, approvals: ['sales', 'legal'] }
    expect(policies.decide({ ...restricted, facts }).decision).toBe('allow')
  })

  test.each([
    ['another forbid', { ...restricted, source: { ...handoff.source, version: '0.9.0' } }],
    ['a fact', { ...restricted, facts: { ...restricted.facts, signed: false } }],
  ])('deny together with %s', (_, request) => {
    const { decision, determining } = policies.decide(request)
    expect([decision, determining.length]).toEqual(['deny', 2])
  })
})

test('what no policy would permit even then does not ask for input', () => {
  const text = `@needs("an approval by legal") forbid (principal, action == Waybill::Action::"useTool", resource) unless { context.approvals.contains("legal") };`
  const policies = open({ 'a.cedar': text })
  expect(policies.decide(tool).decision).toBe('needs-input')
  const { decision, determining } = policies.decide({ ...tool, tool: 'shell' })
  expect(decision).toBe('deny')
  expect(determining.map(({ id }) => id)).toEqual(['a.cedar#1', 'policy/no-permit'])
})

test('permits of a repository widen tools, data and write-backs', () => {
  const policies = open({
    'a.cedar': `permit (principal, action == Waybill::Action::"useTool", resource == Waybill::Tool::"shell");
permit (principal, action == Waybill::Action::"readData", resource) when { resource.sensitivity == Waybill::Sensitivity::"restricted" };
permit (principal, action in [Waybill::Action::"writeBack"], resource == Waybill::Resource::"lead_123");`,
  })
  const read = { ...data, resource: { id: 'x', sensitivity: 'restricted' } }
  const write = { ...writeBack, facts: { ...writeBack.facts, approved: false } }
  const wide = [{ ...tool, tool: 'shell' }, read, write]
  expect(wide.map(request => policies.decide(request).determining.map(({ id }) => id))).toEqual([
    ['a.cedar#1'],
    ['a.cedar#2'],
    ['a.cedar#3'],
  ])
  const other = { ...write, resource: { ...write.resource, id: 'lead_124' } }
  expect(policies.decide(other).decision).toBe('deny')
})

describe('what cannot be decided is denied', () => {
  const policies = open({ 'a.cedar': NEEDS_LEGAL })
  const facts = (changes: object) => ({ ...handoff, facts: { ...handoff.facts, ...changes } })
  const nested: unknown[] = []
  nested.push(nested)
  let deep: unknown = 1
  for (let i = 0; i < 3_000; i++) deep = [deep]
  const { signed: _, ...unsaid } = handoff.facts

  test.each<readonly [string, unknown]>([
    ['a fact that is missing', { ...handoff, facts: unsaid }],
    ['a fact of another type', facts({ signed: 'true' })],
    ['a fact that is null', facts({ signed: null })],
    ['a fact that is undefined', facts({ signed: undefined })],
    ['an unknown fact', facts({ exempt: true })],
    ['a fraction', facts({ findings: 0.5 })],
    ['no number', facts({ findings: Number.NaN })],
    ['a number beyond all bounds', facts({ findings: 1e300 })],
    ['an unknown request type', facts({ requestType: 'order' })],
    ['an unknown sensitivity', facts({ sensitivity: 'secret' })],
    ['approvals that are no list', facts({ approvals: 7 })],
    ['an approval that is no text', facts({ approvals: [7] })],
    ['half a character', facts({ approvals: ['\ud800'] })],
    ['half a character in an id', { ...handoff, source: { ...handoff.source, id: 'a\udc00' } }],
    ['an unknown risk', facts({ mission: { id: 'm', risk: 'huge' } })],
    ['a fact that holds itself', facts({ nested })],
    ['a fact too deep for the engine', facts({ deep })],
    ['an unknown sort of agent', { ...handoff, source: { ...handoff.source, type: 'person' } }],
    ['an agent without a version', { ...handoff, target: { id: 'a', type: 'domain' } }],
    ['an unknown role', { ...handoff, source: { ...handoff.source, roles: ['owner'] } }],
    ['no target', { ...handoff, target: undefined }],
    ['no facts', { ...handoff, facts: undefined }],
    ['an unknown action', { ...handoff, action: 'erase' }],
    ['an action of every object', { ...handoff, action: 'constructor' }],
    ['facts of another action', { ...tool, facts: handoff.facts }],
    ['nothing at all', undefined],
  ])('%s', (_, request) => {
    const outcome = policies.decide(request as PolicyRequest)
    expect([outcome.decision, ...outcome.determining.map(d => d.id)]).toEqual([
      'deny',
      'policy/failed',
    ])
    expect(outcome.errors).toHaveLength(1)
    // The engine is sound afterwards, whatever it was asked.
    expect(policies.decide({ ...handoff }).decision).toBe('allow')
  })

  test('a policy that fails on a request, though another would permit it', () => {
    const text =
      'forbid (principal, action == Waybill::Action::"handoff", resource) when { context.ageSeconds + 9223372036854775807 < 0 };'
    const outcome = open({ 'a.cedar': text }).decide(handoff)
    expect(outcome.determining.map(({ id }) => id)).toEqual(['policy/failed'])
    expect(outcome.errors[0]).toContain('a.cedar#1: ')
  })

  test('secrets in what failed are not repeated', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const outcome = policies.decide(facts({ requestType: secret }) as PolicyRequest)
    expect(JSON.stringify(outcome)).not.toContain(secret)
  })
})

test('200 policies decide, and all that stand against it are named in order', () => {
  const many = Array.from({ length: 200 }, (_, i) => NEEDS_LEGAL.replace('"restricted"', `"p${i}"`))
  const policies = open({ 'many.cedar': many.join('\n') })
  expect(policies.decide(handoff).decision).toBe('allow')
  const { decision, determining } = policies.decide(restricted)
  expect([decision, determining.length]).toEqual(['needs-input', 200])
  const ids = determining.map(({ id }) => id)
  expect(ids).toEqual([...ids].sort())
})

test('equal requests are answered equally, from memory or not, by equal sets of any process order', () => {
  const one = open({ 'a.cedar': NEEDS_LEGAL, 'b.cedar': NEVER })
  const other = open({ 'b.cedar': NEVER, 'a.cedar': NEEDS_LEGAL }, { remember: false })
  expect(other.setDigest).toBe(one.setDigest)
  for (const request of [handoff, restricted, tool, data, writeBack]) {
    const outcome = one.decide(request)
    expect(one.decide(structuredClone(request))).toEqual(outcome)
    expect(other.decide(request)).toEqual(outcome)
    expect(other.decide(request)).not.toBe(other.decide(request))
  }
})

test('other policies make another set, and more sets than are kept parsed still decide', () => {
  const sets = Array.from({ length: 24 }, (_, i) =>
    open({ 'a.cedar': NEVER.replace('0.9.0', `${i}`) }),
  )
  expect(new Set(sets.map(({ setDigest }) => setDigest)).size).toBe(24)
  for (const turn of [0, 1]) {
    for (const [i, policies] of sets.entries()) {
      const source = { ...handoff.source, version: `${i}` }
      expect(policies.decide({ ...handoff, source }).decision).toBe('deny')
      expect(
        policies.decide({ ...handoff, facts: { ...handoff.facts, ageSeconds: turn } }).decision,
      ).toBe('allow')
    }
  }
})

const head = fc.constantFrom(
  '(principal, action, resource)',
  '(principal, action == Waybill::Action::"handoff", resource)',
  '(principal, action in [Waybill::Action::"handoff", Waybill::Action::"useTool"], resource)',
  '(principal, action == Waybill::Action::"useTool", resource)',
  '(principal is Waybill::Agent, action, resource is Waybill::Agent)',
  '(principal, action, resource == Waybill::Agent::"domain-02-analysis")',
)
const body = fc.constantFrom(
  '',
  'when { true }',
  'when { principal.type == Waybill::AgentType::"domain" }',
  'unless { context.quarantined }',
  'when { context.quarantined }',
)
const annotation = fc.constantFrom('', '@needs("more")', '@reason("so")')
const ofEffect = (effect: string) =>
  fc.tuple(annotation, head, body).map(([a, h, b]) => `${a} ${effect} ${h} ${b};`)
const flag = fc.boolean()
const anyHandoff = fc
  .record({ signed: flag, fresh: flag, replayed: flag, quarantined: flag, findings: fc.nat(1) })
  .map(changes => ({ ...handoff, facts: { ...handoff.facts, ...changes } }))
const anyTool = fc
  .record({ tool: fc.constantFrom('shell', 'external_search'), quarantined: flag })
  .map(({ tool: name, quarantined }) => ({
    ...tool,
    tool: name,
    facts: { ...tool.facts, quarantined },
  }))

test('a forbid that is added never makes anything allowed', () => {
  fc.assert(
    fc.property(
      fc.array(ofEffect('forbid'), { maxLength: 3 }),
      ofEffect('forbid'),
      fc.oneof(anyHandoff, anyTool),
      (before, added, request) => {
        const few = open({ 'a.cedar': before.join('\n') }).decide(request)
        const more = open({ 'a.cedar': before.join('\n'), 'b.cedar': added }).decide(request)
        if (few.decision !== 'allow') expect(more.decision).not.toBe('allow')
        if (few.decision === 'deny') expect(more.decision).toBe('deny')
      },
    ),
    { numRuns: 120 },
  )
})

test('no permit makes a handoff allowed, even where the policies were never refused for it', () => {
  const without = open({})
  let widening = 0
  fc.assert(
    fc.property(ofEffect('permit'), anyHandoff, (added, request) => {
      const root = policyRepository({ 'a.cedar': added })
      roots.push(root)
      const inspected = inspectPolicies(readConfigured(root, { policies: 'policies' }))
      if (inspected.faults.some(({ code }) => code === 'policy/widens-handoff')) widening++
      const { decision } = decideBy(inspected, {}).decide(request)
      expect(decision).toBe(without.decide(request).decision)
    }),
    { numRuns: 120 },
  )
  expect(widening).toBeGreaterThan(20)
})
