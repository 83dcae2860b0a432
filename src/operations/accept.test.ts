import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { readRecords, sha256 } from '../workspace/index.ts'
import accept from './accept.ts'
import check from './check.ts'
import type { App } from './operation.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

type Input = Omit<Parameters<typeof accept.run>[0], 'path'> & { path?: string }

const run = (given: Input = {}, more: Partial<App> = {}) =>
  accept.run({ path: 'in.json', session: 's-1', ...given }, folder.app(more))
const recorded = () => readRecords(folder.root, 'urn:waybill:record:accept').records

const sound = JSON.parse(SOUND)
const context = (changes: object = {}) => JSON.stringify({ ...sound, ...changes })
const CROSSING = {
  source_agent: { id: 'ps-researcher', family: 'ps', cognitive_mode: 'divergent' },
  target_agent: { id: 'nse-risk', family: 'nse', cognitive_mode: 'convergent' },
}
const payload = (more: object) => ({ payload: { ...sound.payload, ...more } })

test('a context of this session is passed on as it is, and recorded', async () => {
  folder.write('in.json', SOUND)
  const output = await run()
  expect(faultsOf('accept', output)).toEqual([])
  expect(output).toMatchObject({
    accepted: true,
    context: sound,
    session: { matches: true, outcome: 'same' },
    version: { stated: '1.0.0', read: '1.0', compatibility: 'same', ignored: [] },
    families: { crossed: false, translated: false },
    confidence: { overall: 0.8, band: 'High' },
  })
  expect(recorded()).toMatchObject([
    {
      at: '2026-06-01T00:00:00Z',
      subject: { path: 'in.json', sha256: sha256(SOUND) },
      decision: 'accepted',
      passedOn: { sha256: output.contextSha256, path: null },
    },
  ])
})

describe('a context of another session', () => {
  beforeEach(() => folder.write('in.json', SOUND))

  test('is taken with a warning', async () => {
    const output = await run({ session: 's-2' })
    expect(output).toMatchObject({
      accepted: true,
      context: sound,
      session: { policy: 'warn', outcome: 'warned' },
      diagnostics: [{ code: 'session-context/session-matches', severity: 'warning' }],
    })
    expect(recorded()).toMatchObject([
      { session: { policy: 'warn', stated: 's-1', current: 's-2' } },
    ])
  })

  test('is refused where that was chosen', async () => {
    const output = await run({ session: 's-2', onMismatch: 'reject' })
    expect(faultsOf('accept', output)).toEqual([])
    expect(output).toMatchObject({
      accepted: false,
      context: null,
      session: { outcome: 'rejected' },
      diagnostics: [{ code: 'session-context/session-matches', severity: 'error' }],
    })
    expect(accept.failed?.(output)).toBe(true)
    expect(recorded()).toMatchObject([{ decision: 'rejected', passedOn: null }])
  })

  test('leaves nothing behind where the target is to start fresh', async () => {
    const output = await run({ session: 's-2', onMismatch: 'fresh' })
    expect(output).toMatchObject({
      accepted: true,
      session: { outcome: 'fresh' },
      context: { session_id: 's-2', payload: { key_findings: [], confidence: { overall: 0 } } },
    })
    expect(JSON.stringify(output)).not.toContain('It works.')
    expect(recorded()).toMatchObject([{ session: { policy: 'fresh', outcome: 'fresh' } }])
  })

  test('is refused though waybill.yaml switches the comparison off', async () => {
    folder.write(
      'waybill.yaml',
      'rules:\n  session-context/session-matches: { severity: off, reason: noise }\n',
    )
    const output = await run({ session: 's-2', onMismatch: 'reject' })
    expect(output).toMatchObject({ accepted: false, context: null })
  })
})

describe('the version', () => {
  test('may be a newer minor one, whose new fields are left out and listed', async () => {
    folder.write('in.json', context({ schema_version: '1.3.0', mood: 'fine' }))
    const output = await run()
    expect(output).toMatchObject({
      accepted: true,
      version: { compatibility: 'newer', ignored: ['/mood'] },
    })
    expect(output.context).not.toHaveProperty('mood')
    expect(recorded()).toMatchObject([{ version: { ignored: ['/mood'] } }])
  })

  test('names a new field that holds a secret without it', async () => {
    const secret = 'B01ABCDEF/q7Zp2Lx9Vb4Nc8Rt1Ws6Yd3K'
    const url = `https://hooks.${'slack.com'}/services/T01ABCDEF/${secret}`
    folder.write('in.json', context({ schema_version: '1.3.0', [url]: 1 }))
    const { ignored } = (await run()).version
    expect(ignored).toEqual([expect.stringMatching(/^\/https:.*…$/)])
    expect(JSON.stringify([ignored, recorded()])).not.toContain('q7Zp2Lx9')
  })

  test.each([
    ['of another major number', { schema_version: '2.0.0' }, 'session-context/compatible-version'],
    ['missing', { schema_version: undefined }, 'schema/required'],
    ['no version', { schema_version: 'one' }, 'schema/pattern'],
  ])('refuses a context when it is %s', async (_, changes, code) => {
    folder.write('in.json', context(changes))
    const output = await run({ onMismatch: 'fresh' })
    expect(faultsOf('accept', output)).toEqual([])
    expect(output).toMatchObject({ accepted: false, context: null, diagnostics: [{ code }] })
    expect(output.version.compatibility).toBe('incompatible')
  })

  test('is not made readable by waybill.yaml', async () => {
    folder.write('in.json', context({ schema_version: '2.0.0' }))
    for (const severity of ['off', 'warning']) {
      folder.write(
        'waybill.yaml',
        `rules:\n  session-context/compatible-version: { severity: ${severity}, reason: x }\n`,
      )
      expect(await run()).toMatchObject({ accepted: false, context: null })
    }
  })

  test('of another major number is refused with the migration that exists', async () => {
    folder.write('in.json', context({ schema_version: '2.0.0' }))
    const [diagnostic] = (await run()).diagnostics
    expect(diagnostic?.message).toContain(
      "needs the migration from '2.x' to '1.x', which does not exist",
    )
  })
})

describe('between families', () => {
  const findings = [
    { id: 'F-001', summary: 'a', severity: 'low' },
    { id: 'F-002', summary: 'b', severity: 'high', category: 'gap' },
    { id: 'F-003', summary: 'c', severity: 'high', category: 'requirement' },
  ]

  test('findings are put in order for a convergent agent, and none is dropped', async () => {
    folder.write('in.json', context({ ...CROSSING, ...payload({ key_findings: findings }) }))
    const output = await run()
    expect(output.families).toEqual({
      from: 'ps',
      to: 'nse',
      crossed: true,
      translated: true,
      before: ['F-001', 'F-002', 'F-003'],
      after: ['F-003', 'F-002', 'F-001'],
    })
    expect(output.context).toMatchObject({
      payload: { key_findings: [findings[2], findings[1], findings[0]] },
    })
    expect(recorded()).toMatchObject([{ families: { crossed: true, translated: true } }])
  })

  test('other agents get them as they came, which is recorded too', async () => {
    const { source_agent } = CROSSING
    const target_agent = { id: 'nse-risk', family: 'nse' }
    folder.write('in.json', context({ source_agent, target_agent }))
    expect((await run()).families).toMatchObject({ crossed: true, translated: false })
    expect(recorded()).toMatchObject([{ families: { crossed: true, from: 'ps', to: 'nse' } }])
  })
})

test('blockers are escalated, the worst first', async () => {
  const blockers = [
    { id: 'BLK-001', description: 'slow', severity: 'low' },
    { id: 'BLK-002', description: 'no access', severity: 'critical', blocked_actions: ['deploy'] },
  ]
  folder.write('in.json', context(payload({ blockers })))
  const output = await run()
  expect(output.blockers).toEqual([
    { id: 'BLK-002', severity: 'critical', description: 'no access', blocks: ['deploy'] },
    { id: 'BLK-001', severity: 'low', description: 'slow' },
  ])
  expect(recorded()).toMatchObject([{ blockers: [{ id: 'BLK-002' }, { id: 'BLK-001' }] }])
})

test('confidence is shown with the names of its bands', async () => {
  const confidence = { overall: 0.9, breakdown: { accuracy: 0.29 } }
  folder.write('in.json', context(payload({ confidence })))
  const output = await run()
  expect(output.confidence).toEqual({
    overall: 0.9,
    band: 'Very High',
    parts: [{ name: 'accuracy', score: 0.29, band: 'Very Low' }],
  })
  expect(output.facts).toContainEqual({ label: 'Confidence', value: '0.9 Very High' })
})

describe('nothing is passed on', () => {
  test.each<[string, string, string]>([
    ['of a faulty context', FAULTY, 'session-context/agent-id-names-family'],
    ['of a torn one', SOUND.slice(0, -20), 'syntax/json'],
    ['of a nested one', context({ trace: { depth: 2 } }), 'session-context/depth-at-most-one'],
    [
      'of one from the future',
      context({ timestamp: '2027-01-01T00:00:00Z' }),
      'session-context/no-future-times',
    ],
    ['of an empty file', '', 'syntax/empty'],
    ['of null', 'null', 'schema/type'],
    [
      'of agents that are none',
      context({ source_agent: 7, target_agent: { family: [1] } }),
      'schema/type',
    ],
  ])('%s, and the refusal is recorded', async (_, text, code) => {
    folder.write('in.json', text)
    const output = await run({ onMismatch: 'fresh', output: 'out.json' })
    expect(faultsOf('accept', output)).toEqual([])
    expect(output).toMatchObject({ accepted: false, context: null, output: null })
    expect(output.diagnostics.map(d => d.code)).toContain(code)
    expect(readdirSync(folder.root)).not.toContain('out.json')
    expect(recorded()).toMatchObject([{ decision: 'rejected', subject: { sha256: sha256(text) } }])
  })

  test('of a context at fault, and the caller gets every fault as data', async () => {
    const at = payload({ confidence: { overall: 2 } })
    folder.write('in.json', JSON.stringify({ ...sound, session_id: 7, ...at }, null, 2))
    const { diagnostics } = await run()
    expect(diagnostics.map(d => `${d.code} ${d.path} ${d.message}`)).toEqual([
      "schema/type /session_id 'session_id' must be a string, not 7",
      expect.stringMatching(/^schema\/maximum \/payload\/confidence\/overall .*2/),
    ])
    expect(diagnostics.every(({ line, column, hint }) => line > 1 && column > 1 && hint)).toBe(true)
  })

  test('of a file that cannot be read', async () => {
    mkdirSync(join(folder.root, 'deep'))
    symlinkSync('nowhere', join(folder.root, 'in.json'))
    await expect(run()).rejects.toMatchObject({ code: 'not-found' })
    symlinkSync('loop.json', join(folder.root, 'loop.json'))
    const output = await run({ path: 'loop.json' })
    expect(output).toMatchObject({ accepted: false, sha256: null })
    expect(output.diagnostics).toMatchObject([{ code: 'document/unreadable' }])
  })

  test('of an error that the baseline excuses for checks', async () => {
    folder.write('in.json', FAULTY)
    await check.run({ paths: ['in.json'], baseline: true }, folder.app())
    expect((await check.run({ paths: ['in.json'] }, folder.app())).summary.accepted).toBe(1)
    expect(await run()).toMatchObject({ accepted: false, context: null })
  })

  test('where it cannot be recorded', async () => {
    folder.write('in.json', SOUND)
    folder.write('elsewhere/x', '')
    symlinkSync('elsewhere', join(folder.root, '.waybill'))
    await expect(run({ output: 'out.json' })).rejects.toMatchObject({ code: 'exists' })
    expect(readdirSync(folder.root)).not.toContain('out.json')
    expect(readdirSync(join(folder.root, 'elsewhere'))).toEqual(['x'])
  })
})

test('a credential in a context is neither shown nor recorded nor passed on', async () => {
  const key_findings = [{ id: 'F-001', summary: 'log in with password=hunter2-example today' }]
  folder.write('in.json', context({ ...payload({ key_findings }), mood: 1 }))
  const output = await run({ output: 'out.json' })
  expect(output).toMatchObject({ accepted: true, masked: 1 })
  const written = `${JSON.stringify(output)}${JSON.stringify(recorded())}`
  expect(written + readFileSync(join(folder.root, 'out.json'), 'utf8')).not.toContain('hunter2')
})

test('the receiving session has to be named', async () => {
  folder.write('in.json', SOUND)
  await expect(accept.run({ path: 'in.json' }, folder.app())).rejects.toMatchObject({
    code: 'usage',
  })
})
