import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentsFolder, openAgentsFolder } from '../../test/agents-folder.ts'
import { waybill } from '../../test/waybill.ts'
import lock from './lock.ts'
import verify from './lock-verify.ts'

let folder: AgentsFolder
beforeEach(async () => {
  folder = openAgentsFolder()
  await lock.run({}, folder.app())
})
afterEach(() => folder.remove())

const run = () => verify.run({}, folder.app())

test('neither a fault of the manifest nor one of another entry hides a changed prompt from check', async () => {
  folder.write('agents/domains/domain-00002.md', 'You are another agent.\n')
  folder.writeManifest(manifest => Object.assign(manifest, { version: 7 }))
  const lockfile = folder.lock()
  const checked = () => waybill(['check', 'agents/prompt-lock.json'], { cwd: folder.root })
  const changed = "'agents/domains/domain-00002.md' has changed since it was locked"
  const withManifest = await checked()
  expect(withManifest.stdout).toContain(changed)
  expect(withManifest.stdout).toContain('agents/prompt-manifest.json has 1 error')
  lockfile.prompts['domain-00001'].hash = 'none'
  folder.write('agents/prompt-lock.json', JSON.stringify(lockfile))
  const withEntry = await checked()
  expect(withEntry.stdout).toContain(changed)
  expect(withEntry.stdout).toContain("'none' does not have the required form")
})

test('one fault of structure hides no other fault, in the manifest or in the lock', async () => {
  folder.writeManifest(({ domains, archetypes, orchestrators }) => {
    Object.assign(domains['domain-00001'] ?? {}, { version: '1.0', file: 7 })
    Object.assign(domains['domain-00002'] ?? {}, { canonical_id: 'domain-00009' })
    Object.assign(archetypes['archetype-both'] ?? {}, {
      composition: { 'domain-00001': 59, 'domain-77-ghost': 40 },
    })
    delete orchestrators['orchestrator-desk']?.scope
  })
  const lockfile = folder.lock()
  const { prompts } = lockfile
  prompts['orchestrator-desk'].type = 'domain'
  prompts['domain-77-ghost'] = { ...prompts['domain-00002'], file: 'domains/ghost.md' }
  folder.write('agents/prompt-lock.json', JSON.stringify(lockfile))
  const { accepted, agents, counts } = await run()
  expect(accepted).toBe(false)
  expect(
    Object.fromEntries(
      agents.map(({ id, diagnostics }) => [id, diagnostics.map(({ code, path }) => [code, path])]),
    ),
  ).toEqual({
    'archetype-both': [
      ['prompt-manifest/composition-sums-to-100', '/archetypes/archetype-both/composition'],
      [
        'prompt-manifest/known-constituents',
        '/archetypes/archetype-both/composition/domain-77-ghost',
      ],
    ],
    'domain-00001': [
      ['schema/type', '/domains/domain-00001/file'],
      ['schema/pattern', '/domains/domain-00001/version'],
    ],
    'domain-00002': [['prompt-lock/no-unlisted-prompts', '/prompts/domain-00002']],
    'domain-00009': [
      ['prompt-manifest/canonical-id-is-key', '/domains/domain-00002'],
      ['prompt-lock/every-agent-locked', '/prompts/domain-00009'],
    ],
    'domain-77-ghost': [
      ['prompt-lock/no-unlisted-prompts', '/prompts/domain-77-ghost'],
      ['prompt-lock/hashes-match-files', '/prompts/domain-77-ghost/file'],
    ],
    'orchestrator-desk': [
      ['schema/required', '/orchestrators/orchestrator-desk/scope'],
      ['prompt-lock/entries-match-manifest', '/prompts/orchestrator-desk/type'],
    ],
  })
  expect(counts).toMatchObject({ from: 'lock', unlisted: 2, unlocked: 1, differing: 1, missing: 1 })
})

test.each([
  ['whose agents are no object', { domains: [] }],
  ['whose archetypes are a number', { archetypes: 7 }],
  ['that lacks its domains', { domains: undefined }],
])('a manifest %s is reported, and the entries of the lock are hashed', async (_, broken) => {
  folder.write('agents/domains/domain-00002.md', 'Other words.\n')
  folder.writeManifest(manifest => {
    Object.assign(manifest, broken)
  })
  const { accepted, counts } = await run()
  expect({ accepted, ...counts }).toMatchObject({ accepted: false, changed: 1, unlisted: 0 })
})

test.each([
  ['sound', () => {}],
  ['at fault too', (domain: object) => Object.assign(domain, { version: '1.0' })],
])(
  'a fault of structure in the lock hides no other fault; the manifest is %s',
  async (_, spoil) => {
    folder.writeManifest(({ domains }) => {
      spoil(domains['domain-00001'] ?? {})
      domains['domain-00003'] = { ...domains['domain-00002'], canonical_id: 'domain-00003' }
    })
    folder.write('agents/domains/domain-00002.md', 'Other words.\n')
    folder.write('agents/archetypes/archetype-both.md', 'Other words.\n')
    const lockfile = folder.lock()
    const { prompts } = lockfile
    prompts['domain-77-ghost'] = prompts['orchestrator-desk']
    prompts['orchestrator-desk'] = null
    prompts['domain-00001'].file = 'domains/gone.md'
    Object.assign(prompts['domain-00002'], { type: 'domian', version: '1.0.1' })
    prompts['archetype-both'].type = 'domain'
    delete lockfile.description
    delete lockfile.lockfileVersion
    folder.write('agents/prompt-lock.json', JSON.stringify(lockfile))
    const { accepted, agents, general } = await run()
    expect(accepted).toBe(false)
    const inLock = [...agents, { id: '', diagnostics: general }].map(({ id, diagnostics }) => [
      id,
      diagnostics
        .filter(({ document }) => document === 'agents/prompt-lock.json')
        .map(({ code, path }) => [code, path.split('/').slice(3).join('/')]),
    ])
    // That there is no sound manifest is said once, whatever else is judged.
    const without = general.filter(({ code }) => code === 'prompt-lock/not-checked')
    expect(without.length).toBeLessThanOrEqual(1)
    expect(Object.fromEntries(inLock)).toEqual({
      '': [...without.map(({ code }) => [code, '']), ['schema/required', '']],
      'archetype-both': [
        ['prompt-lock/hashes-match-files', 'hash'],
        ['prompt-lock/entries-match-manifest', 'type'],
      ],
      'domain-00001': [
        ['prompt-lock/entries-match-manifest', 'file'],
        ['prompt-lock/hashes-match-files', 'file'],
      ],
      'domain-00002': [
        ['prompt-lock/hashes-match-files', 'hash'],
        ['schema/enum', 'type'],
        ['prompt-lock/entries-match-manifest', 'version'],
      ],
      'domain-00003': [['prompt-lock/every-agent-locked', '']],
      'domain-77-ghost': [['prompt-lock/no-unlisted-prompts', '']],
      'orchestrator-desk': [['schema/type', '']],
    })
  },
)

test('a lock whose figures are at fault is judged by its entries', async () => {
  folder.write('agents/domains/domain-00002.md', 'Other words.\n')
  const lockfile = folder.lock()
  folder.write(
    'agents/prompt-lock.json',
    JSON.stringify({ ...lockfile, integrity: { domains: 1 } }),
  )
  const { counts, general } = await run()
  expect(counts).toMatchObject({ changed: 1 })
  expect(general.map(({ code }) => code)).toEqual(['schema/required', 'schema/required'])
  folder.write('agents/prompt-lock.json', JSON.stringify({ ...lockfile, prompts: [] }))
  expect((await run()).general.map(({ code }) => code)).toEqual(['schema/type'])
})

test.each([
  ['empty', ''],
  ['of no object', '[]'],
  ['without entries', '{}'],
  ['with a key twice', '{"prompts": {"domain-00001": 1, "domain-00001": 2}}'],
  ['cut short', '{"prompts": {"domain-00001": {"hash": "'],
])('by a lock %s no prompt is said to be verified', async (_, text) => {
  folder.write('agents/prompt-lock.json', text)
  const { accepted, counts } = await run()
  expect({ accepted, sound: counts.sound }).toEqual({ accepted: false, sound: 0 })
})
