import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockersOf, compatibilityOf, emptied, isTranslated, translated } from './receiving.ts'
import type { SessionContext } from './schema.ts'

type Finding = SessionContext['payload']['key_findings'][number]
type Mode = 'convergent' | 'divergent' | 'mixed'

const context = (findings: readonly Partial<Finding>[], from?: Mode, to?: Mode) =>
  ({
    schema_version: '1.0.0',
    session_id: 's-1',
    source_agent: { id: 'ps-researcher', family: 'ps', ...(from && { cognitive_mode: from }) },
    target_agent: { id: 'nse-risk', family: 'nse', ...(to && { cognitive_mode: to }) },
    timestamp: '2026-01-10T12:00:00Z',
    payload: {
      key_findings: findings.map((f, i) => ({ id: `F-00${i + 1}`, summary: 'x', ...f })),
      confidence: { overall: 0.8 },
    },
  }) as SessionContext

const ids = (value: SessionContext) => value.payload.key_findings.map(f => f.id.slice(-1)).join('')

test.each([
  ['1.0.0', 'same'],
  ['1.0.9', 'same'],
  ['1.1.0', 'newer'],
  ['2.0.0', 'incompatible'],
  ['0.9.0', 'incompatible'],
  ['one', 'incompatible'],
])('to a reader of 1.0, version %s is %s', (version, compatibility) => {
  expect(compatibilityOf(version)).toBe(compatibility)
})

describe('findings from a divergent agent to a convergent one', () => {
  test('are ordered by severity first', () => {
    const value = context([
      { severity: 'low' },
      {},
      { severity: 'critical' },
      { severity: 'medium' },
      { severity: 'high' },
    ])
    expect(ids(translated(value))).toBe('35412')
  })

  test('of one severity begin with requirement, decision and recommendation', () => {
    const value = context([
      { category: 'insight' },
      { category: 'recommendation' },
      { category: 'gap' },
      { category: 'decision' },
      { category: 'requirement' },
    ])
    expect(ids(translated(value))).toBe('54213')
  })

  test('are all still there, and those that are alike keep their order', () => {
    const finding = fc.record({
      severity: fc.constantFrom(undefined, 'low', 'medium', 'high', 'critical'),
      category: fc.constantFrom(undefined, 'insight', 'requirement', 'decision'),
    }) as fc.Arbitrary<Partial<Finding>>
    void fc.assert(
      fc.property(fc.array(finding, { maxLength: 9 }), findings => {
        const before = context(findings)
        const after = translated(before)
        expect([...ids(after)].sort().join('')).toBe(ids(before))
        const alike = (f: Finding) => `${f.severity} ${f.category}`
        for (const kind of new Set(before.payload.key_findings.map(alike))) {
          const of = (v: SessionContext) => v.payload.key_findings.filter(f => alike(f) === kind)
          expect(of(after)).toEqual(of(before))
        }
      }),
    )
  })

  test.each<[Mode | undefined, Mode | undefined, boolean]>([
    ['divergent', 'convergent', true],
    ['convergent', 'divergent', false],
    ['divergent', 'divergent', false],
    ['mixed', 'convergent', false],
    ['divergent', undefined, false],
    [undefined, 'convergent', false],
  ])('from %s to %s: ordered is %s', (from, to, ordered) => {
    expect(isTranslated(context([], from, to))).toBe(ordered)
  })

  test('are left as they are within a family', () => {
    const value = context([], 'divergent', 'convergent')
    const target_agent = { ...value.target_agent, family: 'ps' as const }
    expect(isTranslated({ ...value, target_agent })).toBe(false)
  })
})

test('blockers are listed with the worst first', () => {
  const value = context([])
  const blockers = (['low', 'critical', 'high'] as const).map((severity, i) => ({
    id: `BLK-00${i + 1}`,
    description: 'x',
    severity,
  }))
  const listed = blockersOf({ ...value, payload: { ...value.payload, blockers } })
  expect(listed.map(b => b.severity)).toEqual(['critical', 'high', 'low'])
  expect(blockersOf(value)).toEqual([])
})

test('a fresh context is of the current session and holds nothing of the other', () => {
  const fresh = emptied(context([{ summary: 'stale' }]), 's-2', '2026-06-01T00:00:00Z')
  expect(fresh).toMatchObject({
    session_id: 's-2',
    timestamp: '2026-06-01T00:00:00Z',
    payload: { key_findings: [], confidence: { overall: 0 } },
  })
  expect(JSON.stringify(fresh)).not.toContain('stale')
})
