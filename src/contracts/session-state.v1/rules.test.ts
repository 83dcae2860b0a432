import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { Context } from '../../contract/index.ts'
import type { SessionStateFacts } from './facts.ts'
import { FULL_KEYS, isFull } from './output-mode.ts'
import { PHASES } from './phases.ts'
import { recommendedKeys } from './rules/recommended.ts'
import { rules } from './rules.ts'
import schema, { type SessionState } from './schema.ts'
import { validate } from './validate.generated.js'

const example = load(
  readFileSync(new URL('fixtures/valid/example.yaml', import.meta.url), 'utf8'),
) as { SESSION_STATE: SessionState }

/** The keys that a short form may hold. */
const SHORT = [
  'Phase',
  'Mode',
  'ConfidenceLevel',
  'Next',
  'LoadedRulebooks',
  'ActiveProfile',
  'ProfileSource',
  'ProfileEvidence',
  'Gates',
  'TicketRecordDigest',
  'NFRChecklist',
]

test('every key of the schema either makes a state full or belongs to the short form', () => {
  const known = Object.keys(schema.properties).filter(key => !SHORT.includes(key))
  expect(new Set(known)).toEqual(new Set([...FULL_KEYS, 'RepoModel']))
  for (const key of SHORT) expect(isFull({ Phase: '4', [key]: '' })).toBe(false)
  for (const key of FULL_KEYS) expect(isFull({ Phase: '4', [key]: null })).toBe(true)
  expect(isFull({ Phase: '4', Notes: 'an unknown key' } as SessionState)).toBe(false)
})

test('no rule throws on a state that is structurally sound, whatever it leaves out', () => {
  const keys = Object.keys(example.SESSION_STATE) as (keyof SessionState)[]
  const states = fc
    .tuple(
      fc.constantFrom(...PHASES.map(phase => phase.written), 5.3, 6),
      fc.subarray(keys),
      fc.constantFrom('NORMAL' as const, 'BLOCKED' as const, 'DRAFT' as const),
      fc.constantFrom(
        ...PHASES.map(phase => `Phase${phase.id}-x`),
        'BLOCKED-WorkingSet',
        'PR-Ready',
        'constructor',
      ),
      fc.integer({ min: 0, max: 100 }),
    )
    .map(([Phase, kept, Mode, Next, ConfidenceLevel]) => {
      const part = Object.fromEntries(kept.map(key => [key, example.SESSION_STATE[key]]))
      return { ...part, Phase, Mode, Next, ConfidenceLevel } as SessionState
    })
  fc.assert(
    fc.property(states, states, (state, previous) => {
      expect(validate(state)).toBe(true)
      const context = { now: 0, document: { text: '' }, facts: { previous } }
      for (const rule of Object.values(rules)) {
        const findings = [...rule.check(state, context as unknown as Context<SessionStateFacts>)]
        expect(findings.every(finding => finding.message !== '')).toBe(true)
      }
    }),
  )
})

test('a state that follows from itself breaks no rule of transition, unless it leaves a block', () => {
  const facts = { previous: example.SESSION_STATE }
  for (const [name, rule] of Object.entries(rules)) {
    if (!('phase' in rule)) continue
    const context = {
      now: 0,
      document: { text: '' },
      facts,
    } as unknown as Context<SessionStateFacts>
    expect([...rule.check(example.SESSION_STATE, context)], name).toEqual([])
  }
})

/** A state with every part that has recommended keys, and none of them. */
const BARE: object = {
  ...(load(readFileSync(new URL('fixtures/valid/ready.yaml', import.meta.url), 'utf8')) as object),
  RepoCacheFile: {},
  TouchedSurface: {},
  FastPathEvaluation: { Preconditions: {}, ReducedDiscoveryScope: {} },
  DependencyChanges: { Added: [{}], Updated: [{}], Removed: [{}] },
  ArchitectureDecisions: [{}],
  RollbackStrategy: {},
  CrossRepoImpact: { AffectedServices: [{}], RequiredSyncPRs: [{}] },
  StateCompression: { Compressed: [{}] },
  DecisionPack: [{}],
  BuildEvidence: { status: 'provided-by-user', items: [{}] },
}

/** The keys of a hint, each with what may be written: the words of `takes a, b or c`, and what stands behind `such as`. */
function offers(hint: string): [key: string, written: string][] {
  return hint
    .replace('add what is known: ', '')
    .split('; ')
    .flatMap(part => {
      const [, names = '', form = ''] = /^(.*?) takes? (.*)$/.exec(part) ?? []
      const words =
        /(\[\]|\{\}) /.exec(form)?.slice(1) ??
        form.replace(/^.* such as /, '').split(/, or | or |, /)
      return names
        .split(/, | and /)
        .flatMap(key => words.map((word): [string, string] => [key, word]))
    })
}

const context = { now: 0, document: { text: '' }, facts: {} } as unknown as Context

const EMPTY = {
  FastPathEvaluation: {},
  DependencyChanges: {},
  CrossRepoImpact: {},
  StateCompression: {},
}

test.each([
  ['parts and entries without their keys', BARE, 17],
  ['parts without their lists', { ...BARE, ...EMPTY }, 11],
])('what is said of a recommended key can be written: %s', (_, bare, count) => {
  const state = structuredClone(bare) as SessionState
  const findings = [...recommendedKeys.check(state, context)]
  expect(findings).toHaveLength(count)
  for (const { path, hint = '' } of findings) {
    let part = state as unknown as Record<string, unknown>
    for (const key of path) part = part[key] as Record<string, unknown>
    for (const [key, written] of offers(hint)) {
      part[key] = load(written)
      expect(validate(state), `${key}: ${written} ${JSON.stringify(validate.errors)}`).toBe(true)
    }
  }
  const left = [...recommendedKeys.check(state, context)]
  expect(left.every(({ message }) => message.startsWith('Preconditions lacks'))).toBe(true)
})

const UNNAMED = 'BLOCKED-customer-inventory'

test.each([
  ['ADRs', UNNAMED, 1],
  ['NFRs', UNNAMED, 1],
  ['y', 'BLOCKED-on-the-vote', 1],
  ['ies', 'BLOCKED-on-the-vote', 1],
  ['DBs', UNNAMED, 1],
  ['ADRs', 'BLOCKED-adr-of-the-week', 0],
  ['DBs', 'BLOCKED-db-is-missing', 0],
  ['ApiDiff', 'BLOCKED-public-api', 0],
  ['Policies', 'BLOCKED-policy', 0],
  ['設計', 'BLOCKED-設計', 0],
  ['設計', UNNAMED, 1],
])('where %s is missing, %s has so many faults: %i', (artifact, Next, count) => {
  const gate = { Required: [], Provided: { [artifact]: 'missing' } }
  const state = { Phase: '5', Mode: 'BLOCKED', Next, GateArtifacts: { 'P5-Architecture': gate } }
  expect(validate(state), JSON.stringify(validate.errors)).toBe(true)
  const found = [...rules['blocked-names-artifact'].check(state as unknown as SessionState)]
  expect(found).toHaveLength(count)
})

test.each([
  [
    [
      { tool: 'mvn', result: 'fail' },
      { tool: 'mvn', result: 'pass' },
    ],
    [],
  ],
  [
    [
      { tool: 'mvn', result: 'pass' },
      { tool: 'mvn', result: 'fail' },
    ],
    [1],
  ],
  [
    [
      { tool: 'mvn', result: 'fail' },
      { tool: 'npm', result: 'pass' },
    ],
    [0],
  ],
  [
    [
      { tool: 'mvn', scope: 'unit tests', result: 'fail' },
      { tool: 'mvn', scope: 'package', result: 'pass' },
    ],
    [0],
  ],
  [[{ result: 'fail' }, { result: 'pass' }], [0]],
])('of the runs %j these have failed for good: %j', (items, failed) => {
  const evidence = { status: 'provided-by-user', items }
  const state = { Gates: { 'P6-ImplementationQA': 'ready-for-pr' }, BuildEvidence: evidence }
  const rule = rules['ready-has-no-failed-run']
  const found = [...rule.check(state as unknown as SessionState)]
  expect(found.map(({ path }) => path[2])).toEqual(failed)
})
