import { expect, test } from 'vitest'
import { confidenceRubric } from './confidence.ts'
import type { SessionState } from './schema.ts'

const known: SessionState = {
  Phase: '4',
  ActiveProfile: 'backend-java',
  ProfileSource: 'auto-detected-single',
  ProfileEvidence: 'pom.xml',
}
const full: SessionState = {
  ...known,
  RepoMapDigest: { Modules: ['src/orders'] },
  WorkingSet: ['src/orders: where the status is'],
  TouchedSurface: { FilesPlanned: ['src/orders/status.ts'] },
  BuildEvidence: { status: 'partially-provided' },
}

const { RepoMapDigest: _, ...unmapped } = full
const oldName: SessionState = { ...unmapped, RepoModel: ['src/a.ts'] }

test.each<[string, SessionState, number]>([
  ['everything that can count', full, 90],
  ['a phase and nothing else', { Phase: '4' }, 0],
  ['a profile in the short form', known, 25],
  ['a profile without evidence', { ...known, ProfileEvidence: '' }, 0],
  ['a profile that is deferred', { ...known, ProfileSource: 'deferred' }, 0],
  ['a digest without a path', { ...full, RepoMapDigest: { Modules: ['orders'] } }, 65],
  ['the older name of the digest', oldName, 90],
  [
    'a plan outside the working set',
    { ...full, TouchedSurface: { FilesPlanned: ['src/billing.ts'] } },
    75,
  ],
  ['a working set of globs', { ...full, WorkingSet: ['src/**/*.ts'] }, 90],
  [
    'a working set of objects',
    { ...full, WorkingSet: [{ path: './src/orders/', rationale: 'here' }] },
    90,
  ],
  ['a neighbour of the working set', { ...full, WorkingSet: ['src/order'] }, 75],
  ['a plan without a file', { ...full, TouchedSurface: { FilesPlanned: [] } }, 75],
  [
    'build evidence that is not provided',
    { ...full, BuildEvidence: { status: 'not-provided' } },
    80,
  ],
  ['an ambiguous profile', { ...full, ProfileSource: 'ambiguous' }, 45],
  ['a scoped profile without a scope', { ...full, ProfileSource: 'component-scope-inferred' }, 70],
  [
    'a scoped profile with its scope',
    { ...full, ProfileSource: 'component-scope-inferred', ComponentScopePaths: ['src/orders'] },
    90,
  ],
  ['a gate without artifacts', { ...full, Phase: 5 }, 75],
  [
    'a missing artifact',
    { ...full, GateArtifacts: { 'P5-Architecture': { Required: ['ApiDiff'] } } },
    75,
  ],
])('%s', (_, state, score) => {
  expect(confidenceRubric(state).score).toBe(score)
})

test('the items that count sum up to the score, and what no document shows is open', () => {
  const { items, score } = confidenceRubric(full)
  expect(items.filter(i => i.counts).reduce((sum, i) => sum + i.points, 0)).toBe(score)
  expect(items.filter(i => i.counts === undefined).map(i => i.points)).toEqual([-15])
})

test('the score never falls below 0', () => {
  expect(confidenceRubric({ Phase: 5, ProfileSource: 'ambiguous' }).score).toBe(0)
})

test('a deep or wide digest is searched without recursion', () => {
  let deep: unknown = 'src/orders/status.ts'
  for (let i = 0; i < 200_000; i++) deep = [deep]
  const wide = Array.from({ length: 200_000 }, () => 'no path')
  expect(confidenceRubric({ Phase: '4', RepoMapDigest: { Modules: deep } }).score).toBe(25)
  expect(confidenceRubric({ Phase: '4', RepoMapDigest: { Modules: wide } }).score).toBe(0)
})
