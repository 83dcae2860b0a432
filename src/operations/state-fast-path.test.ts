import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { faultsWhenPasted, STATE } from '../../test/pasted.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { text } from '../cli/render/state-fast-path.ts'
import { style } from '../cli/terminal.ts'
import { formatYaml, type Json } from '../document/index.ts'
import fastPath from './state-fast-path.ts'
import signature from './state-signature.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  folder.write('pom.xml', '<project/>\n')
  folder.write('src/A.java', '')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder.root, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args])
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
})
afterEach(() => folder.remove())

const SURFACE = {
  FilesPlanned: ['src/A.java'],
  ContractsPlanned: [],
  SchemaPlanned: [],
  SecuritySensitive: false,
}
const DIGEST = { RepoMapDigest: { Modules: ['src'], EntryPoints: ['src/A.java'] } }
const SOUND = {
  ...STATE,
  TouchedSurface: SURFACE,
  WorkingSet: ['src: what the ticket is about'],
  DecisionDrivers: [],
  DecisionPack: [],
  ...DIGEST,
}

const run = (input: Parameters<typeof fastPath.run>[0] = {}) => fastPath.run(input, folder.app())
const writeState = (more: Readonly<Record<string, Json>> = {}) =>
  folder.write('SESSION_STATE.yaml', formatYaml({ ...SOUND, ...more }))
async function writeCache(more: Readonly<Record<string, Json>> = {}) {
  const { current } = await signature.run({}, folder.app())
  folder.write('repo-cache.yaml', formatYaml({ ...current, ...DIGEST, ...more }))
}

test('with a valid cache, a digest and little risk it is safe, and no gate is touched', async () => {
  await writeCache()
  writeState()
  const output = await run()
  expect(faultsOf('state fast-path', output)).toEqual([])
  expect(output.score).toBe(100)
  expect(output.FastPathEvaluation).toMatchObject({
    Eligible: true,
    Applied: false,
    DenyReasons: [],
  })
  expect(output.FastPathEvaluation.Preconditions.TicketRiskClass).toBe('low')
  expect(fastPath.failed?.(output)).toBe(false)
  expect(await faultsWhenPasted(folder, output.yaml, SOUND)).toEqual([])
  const shown = text(output, style(false), undefined, false)
  expect(shown).toContain('every gate stays')
  expect(shown).not.toMatch(/gate.{0,20}(?:skip|bypass)|(?:skip|bypass).{0,20}gate/i)
  expect(text(output, style(false), undefined, true)).toBe(output.yaml)
})

test('works without a state, once the risk of the ticket is stated', async () => {
  await writeCache()
  const unknown = await run()
  expect(unknown.FastPathEvaluation.DenyReasons).toContain('the risk of the ticket is not known')
  const output = await run({ risk: 'low' })
  expect([output.state, output.FastPathEvaluation.Eligible]).toEqual([null, true])
})

describe('it is not safe', () => {
  test.each<
    [why: string, state: Record<string, Json>, cache: Record<string, Json>, reason: RegExp]
  >([
    ['with a cache of another shape', {}, { RepoSignature: 'a'.repeat(64) }, /have changed since/],
    [
      'with a cache of another commit alone',
      {},
      { RepoSignature: 'unknown', GitHead: 'a'.repeat(40) },
      /the commit differs/,
    ],
    [
      'without a digest',
      { RepoMapDigest: { Modules: [] } },
      { RepoMapDigest: {} },
      /no RepoMapDigest/,
    ],
    [
      'where security is touched',
      { TouchedSurface: { ...SURFACE, SecuritySensitive: true } },
      {},
      /high risk/,
    ],
    [
      'where a schema changes',
      { TouchedSurface: { ...SURFACE, SchemaPlanned: ['a.sql'] } },
      {},
      /high risk/,
    ],
    [
      'where a contract changes',
      { TouchedSurface: { ...SURFACE, ContractsPlanned: ['openapi.yaml'] } },
      {},
      /high risk/,
    ],
    [
      'with a risky dependency',
      { DependencyChanges: { Added: [{ name: 'x', risk: 'high' }] } },
      {},
      /high risk/,
    ],
    [
      'where data cannot be taken back',
      { RollbackStrategy: { Type: 'none', Steps: ['restore'], DataMigrationReversible: false } },
      {},
      /high risk/,
    ],
    [
      'where no input says whether security is touched',
      { TouchedSurface: { FilesPlanned: ['src/A.java'] } },
      {},
      /not known/,
    ],
    ['while the session is blocked', { Mode: 'BLOCKED', Next: 'BLOCKED-input' }, {}, /blocked/],
    ['below a confidence of 70', { Mode: 'DRAFT', ConfidenceLevel: 60 }, {}, /below 70/],
    [
      'with a medium risk and the signature alone',
      { TouchedSurface: { ...SURFACE, FilesPlanned: ['pom.xml'] } },
      { GitHead: 'unknown' },
      /the score is 65/,
    ],
  ])('%s', async (_, state, cache, reason) => {
    await writeCache(cache)
    writeState(state)
    const output = await run()
    expect(faultsOf('state fast-path', output)).toEqual([])
    expect(output.FastPathEvaluation.Eligible).toBe(false)
    expect(output.FastPathEvaluation.DenyReasons.join('\n')).toMatch(reason)
    expect(fastPath.failed?.(output)).toBe(true)
    expect(text(output, style(false), undefined, false)).toContain('full discovery')
    const faults = await faultsWhenPasted(folder, output.yaml, { ...SOUND, ...state })
    expect(faults.filter(code => /fast-path|schema\//.test(code))).toEqual([])
  })

  test('where two profiles speak against each other', async () => {
    folder.write('go.mod', '')
    await writeCache()
    const output = await run({ risk: 'low' })
    expect(output.FastPathEvaluation.DenyReasons).toContain('the profile is ambiguous')
    expect(output.items.filter(({ points, counts }) => points < 0 && counts)).toHaveLength(2)
  })
})

test('what is said of the risk raises what the plan shows, and does not lower it', async () => {
  await writeCache()
  writeState()
  expect((await run({ risk: 'high' })).FastPathEvaluation.Preconditions.TicketRiskClass).toBe(
    'high',
  )
  writeState({ TouchedSurface: { ...SURFACE, SecuritySensitive: true } })
  expect((await run({ risk: 'low' })).FastPathEvaluation.Preconditions.TicketRiskClass).toBe('high')
})

test('a medium risk is safe where commit and signature are both the current ones', async () => {
  await writeCache()
  writeState({ DependencyChanges: { Updated: [{ name: 'x', risk: 'low' }] } })
  const { score, FastPathEvaluation } = await run()
  expect([score, FastPathEvaluation.Eligible]).toEqual([85, true])
})

test('that it was taken is kept only while it is safe', async () => {
  await writeCache()
  const ReducedDiscoveryScope = { PathsScanned: ['src'], Skipped: ['docs'] }
  writeState({ FastPathEvaluation: { Eligible: true, Applied: true, ReducedDiscoveryScope } })
  const safe = await run()
  expect(safe.FastPathEvaluation).toMatchObject({ Applied: true, ReducedDiscoveryScope })
  expect(await faultsWhenPasted(folder, safe.yaml, SOUND)).toEqual([])
  folder.write('pom.xml', '<project></project>\n')
  const changed = await run()
  expect(changed.FastPathEvaluation.Applied).toBe(false)
  expect(changed.FastPathEvaluation).not.toHaveProperty('ReducedDiscoveryScope')
})
