import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import {
  AT_GATE,
  type Change,
  FILE,
  IN_PHASE_5,
  openStateFolder,
  stateFixture,
} from '../../test/state-folder.ts'
import { text } from '../cli/render/state-show.ts'
import check from './check.ts'
import show from './state-show.ts'

let state: ReturnType<typeof openStateFolder>
beforeEach(() => {
  state = openStateFolder()
})
afterEach(() => state.remove())

const shown = (given: { min?: boolean; full?: boolean } = {}) => show.run(given, state.app())
const plain = (_: string, words: string) => words

/** What `waybill check` says of a text that is printed. */
async function checked(yaml: string) {
  state.write('printed.yaml', yaml)
  const { documents } = await check.run(
    { paths: [join(state.root, 'printed.yaml')], contract: 'session-state' },
    state.app(),
  )
  const codes = documents[0]?.diagnostics.filter(d => d.severity !== 'info').map(d => d.code)
  return { accepted: documents[0]?.accepted, codes }
}

const folder = join(import.meta.dirname, '../contracts/session-state.v1/fixtures/valid')
const fixtures = readdirSync(folder).filter(
  name => name.endsWith('.yaml') && !name.endsWith('.facts.yaml'),
)

test.each(fixtures)(
  'what is printed of %s passes the check itself, comments included',
  async name => {
    state.write(FILE, stateFixture(name.replace('.yaml', '')))
    const output = await shown()
    expect(faultsOf('state show', output)).toEqual([])
    expect(output).toMatchObject({ shown: true, form: output.demanded })
    const printed = text(output, plain, state.app(), false)
    expect(await checked(printed)).toMatchObject({ accepted: true })
    if (output.form === 'MIN') expect(printed.split('\n').length).toBeLessThanOrEqual(40)
  },
)

describe('the form', () => {
  test.each<
    readonly [why: string, form: 'MIN' | 'FULL', words: string, changes: readonly Change[]]
  >([
    ['short where nothing calls for more', 'MIN', 'no gate, no block, and enough confidence', []],
    ['full at a gate', 'FULL', 'phase 5 is an explicit gate', IN_PHASE_5],
    [
      'full while blocked',
      'FULL',
      'blocked',
      [
        ['NORMAL', 'BLOCKED'],
        ['Phase5-ArchitectureGate', 'BLOCKED-x'],
        [/$/, AT_GATE],
      ],
    ],
    [
      'full below 70',
      'FULL',
      'below 70',
      [
        ['85', '60'],
        ['NORMAL', 'DRAFT'],
        [/$/, AT_GATE],
      ],
    ],
    [
      'full when discovery has just ended',
      'FULL',
      'discovery',
      [
        ["'4'", "'2.1'"],
        ['Phase5-ArchitectureGate', 'Phase1.2-X'],
        [/$/, 'RepoMapDigest: { Modules: [src] }\n'],
      ],
    ],
  ])('is %s', async (_, form, words, changes) => {
    state.begin(...changes)
    const output = await shown()
    expect(output).toMatchObject({ form, demanded: form })
    expect(output.why).toContain(words)
  })

  test('MIN holds the keys that every state has and the ticket, and nothing else', async () => {
    state.begin([/$/, `${AT_GATE}TicketRecordDigest: ORD-118\nNotes: x\n`])
    const { state: kept } = await shown({ min: true })
    expect(Object.keys(kept as object)).toEqual([
      ...['Phase', 'Mode', 'ConfidenceLevel', 'Next', 'LoadedRulebooks', 'ActiveProfile'],
      ...['ProfileSource', 'ProfileEvidence', 'Gates', 'TicketRecordDigest'],
    ])
  })

  test('FULL holds everything, unknown keys at the end', async () => {
    state.begin([/^/, 'Notes: x\n'], [/$/, AT_GATE])
    const { state: kept } = await shown({ full: true })
    expect(Object.keys(kept as object).at(-1)).toBe('Notes')
    expect(kept).toHaveProperty('ArchitectureDecisions')
  })

  test('MIN is refused where FULL is required', async () => {
    state.begin(...IN_PHASE_5)
    const output = await shown({ min: true })
    expect(output).toMatchObject({ shown: false, yaml: null, demanded: 'FULL' })
    expect(show.failed?.(output)).toBe(true)
    expect(text(output, plain, state.app(), false)).toContain('the short form is not enough')
  })
})

test('in architect-only mode the decision surface comes first, and the short form is refused', async () => {
  const surface = `DecisionSurface:
  MustDecideNow: [which orders]
  CanDefer: []
  AutoDecidedBySystem: []
`
  state.begin([/$/, `OutputMode: architect-only\n${surface}`])
  const output = await shown()
  expect(output).toMatchObject({ shown: true, form: 'FULL', demanded: 'FULL' })
  expect(output.why).toContain('architect-only')
  const printed = text(output, plain, state.app(), true).split('\n')
  expect(printed.slice(0, 2)).toEqual(['SESSION_STATE:', '  DecisionSurface:'])
  expect(await checked(printed.join('\n'))).toMatchObject({ accepted: true })
  const short = await shown({ min: true })
  expect(short).toMatchObject({ shown: false, yaml: null, demanded: 'FULL' })
  expect(show.failed?.(short)).toBe(true)
  state.begin([/$/, `OutputMode: normal\n${surface}`])
  expect(await shown({ min: true })).toMatchObject({ shown: true, demanded: 'MIN' })
})

test('what FULL needs in a phase and is not there is listed by name', async () => {
  state.write(
    FILE,
    stateFixture('minimal')
      .replace("'4'", "'5.3'")
      .replace('P5-Architecture: pending', 'P5-Architecture: approved')
      .concat('TouchedSurface: { ContractsPlanned: [openapi.yaml] }\nOutputMode: architect-only\n'),
  )
  const output = await shown({ full: true })
  expect(output.missing.filter(m => m.level === 'required').map(m => m.part)).toEqual([
    'GateArtifacts.P5.3-TestQuality.Required',
    'GateArtifacts.P5.3-TestQuality.Provided',
    'ArchitectureDecisions',
    'RollbackStrategy',
    'CrossRepoImpact',
    'DecisionSurface.MustDecideNow',
    'DecisionSurface.CanDefer',
    'DecisionSurface.AutoDecidedBySystem',
  ])
  expect(output.missing.filter(m => m.level === 'recommended').map(m => m.part)).toEqual([
    'RepoMapDigest',
    'DecisionDrivers',
    'WorkingSet',
    'DecisionPack',
  ])
  expect(show.failed?.(output)).toBe(true)
})

test('a state whose structure is at fault is not shown', async () => {
  state.begin(['NORMAL', 'FINE'])
  const output = await shown()
  expect(faultsOf('state show', output)).toEqual([])
  expect(output).toMatchObject({ shown: false, diagnostics: [{ code: 'schema/enum' }] })
})

test('a secret in the state is masked in what is printed', async () => {
  state.begin([/$/, `TicketRecordDigest: "password = ${'hunter2'.repeat(2)}"\n`])
  const output = await shown()
  expect(JSON.stringify(output)).not.toContain('hunter2hunter2')
})

test('both forms at once are a mistake', async () => {
  state.begin()
  await expect(shown({ min: true, full: true })).rejects.toMatchObject({ code: 'usage' })
})
