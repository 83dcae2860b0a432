import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type AgentsFolder,
  agentFields,
  domainIds,
  openAgentsFolder,
} from '../../test/agents-folder.ts'
import { waybill } from '../../test/waybill.ts'
import { text } from '../cli/render/lock-verify.ts'
import { as, checkDocument } from '../contract/index.ts'
import { agentsOf, findContract, loadContract, type Manifest } from '../contracts/index.ts'
import { formatYaml, readDocuments } from '../document/index.ts'
import { openFiles } from '../workspace/index.ts'
import doctor from './doctor.ts'
import lock from './lock.ts'
import verify from './lock-verify.ts'

let folder: AgentsFolder
beforeEach(async () => {
  folder = openAgentsFolder()
  await lock.run({}, folder.app())
})
afterEach(() => folder.remove())

const run = (given: Parameters<typeof verify.run>[0] = {}) => verify.run(given, folder.app())
const LOCK = 'agents/prompt-lock.json'
// biome-ignore lint/suspicious/noExplicitAny: tests change what they like
function changeLock(change: (value: any) => void): void {
  const value = folder.lock()
  change(value)
  folder.write(LOCK, JSON.stringify(value, null, 2))
}

test('prompts are found from the root where the folder of the manifest has none', async () => {
  folder.writeManifest(({ domains, archetypes, orchestrators }) => {
    for (const agent of [domains, archetypes, orchestrators].flatMap(Object.values))
      agent.file = `agents/${agent.file}`
  })
  const cwd = folder.root
  expect(await waybill(['check', 'agents'], { cwd })).toMatchObject({ status: 0 })
  expect(await run()).toMatchObject({ accepted: true })
  changeLock(({ prompts }) => Object.assign(prompts['domain-00001'], { file: 'no.md' }))
  expect((await waybill(['check', 'agents'], { cwd })).stdout).toContain(
    "'agents/no.md' of 'domain-00001' does not exist as a file, and neither does 'no.md'",
  )
})

test('prompts that are as they were locked are verified', async () => {
  const output = await run()
  expect(output).toMatchObject({ accepted: true, agents: [], general: [] })
  expect(output.counts).toEqual({
    from: 'manifest',
    agents: 4,
    locked: 4,
    sound: 4,
    changed: 0,
    missing: 0,
    unlocked: 0,
    unlisted: 0,
    differing: 0,
    stray: 0,
    errors: 0,
    warnings: 0,
  })
  expect(verify.failed?.(output)).toBe(false)
})

test('a file in the folder of prompts that is no agent’s prompt is pointed at, and refuses nothing', async () => {
  folder.write('agents/domains/stray.md', 'Do as you like.\n')
  folder.write('agents/domains/notes.txt', 'No prompt.\n')
  folder.write('agents/elsewhere/other.md', 'Not of an agent.\n')
  const output = await run()
  expect(output).toMatchObject({ accepted: true, counts: { sound: 4, stray: 1, warnings: 0 } })
  expect(output.general.map(({ code, document }) => [code, document])).toEqual([
    ['lock/stray-file', 'agents/domains/stray.md'],
  ])
  expect(verify.failed?.(output)).toBe(false)
  const said = text(output, (_, word) => word, folder.app(), false)
  expect(said).toContain('info[lock/stray-file] agents/domains/stray.md:1:1')
  expect(said).toContain('✓ 4 prompts verified (1 file not used by any agent)')
})

test('everything that is wrong is reported at once, agent by agent', async () => {
  folder.write('agents/domains/domain-00001.md', 'Other words.\n')
  rmSync(join(folder.root, 'agents/desk'), { recursive: true })
  changeLock(({ prompts, integrity }) => {
    prompts['domain-00002'].type = 'archetype'
    prompts.nobody = { ...prompts['domain-00002'], version: '9.0.0' }
    delete prompts['archetype-both']
    integrity.domains = 7
  })
  folder.writeManifest(({ archetypes }) => {
    Object.assign(archetypes['archetype-both'] ?? {}, {
      composition: { 'domain-00001': 50, 'domain-9': 49 },
    })
  })
  const output = await run()
  expect(output.accepted).toBe(false)
  expect(verify.failed?.(output)).toBe(true)
  expect(
    output.agents.map(({ id, type, diagnostics }) => [
      id,
      type,
      diagnostics.map(({ code, document }) => `${document.slice(14, -5)} ${code.split('/')[1]}`),
    ]),
  ).toEqual([
    [
      'archetype-both',
      'archetype',
      [
        'manifest composition-sums-to-100',
        'manifest known-constituents',
        'lock every-agent-locked',
      ],
    ],
    ['domain-00001', 'domain', ['lock hashes-match-files']],
    ['domain-00002', 'domain', ['lock entries-match-manifest']],
    ['nobody', null, ['lock no-unlisted-prompts']],
    [
      'orchestrator-desk',
      'orchestrator',
      ['manifest prompt-files-exist', 'lock hashes-match-files'],
    ],
  ])
  expect(output.general.map(({ code }) => code)).toEqual([
    'prompt-lock/totals-agree',
    'prompt-lock/totals-agree',
  ])
  expect(output.counts).toEqual({
    from: 'manifest',
    agents: 4,
    locked: 4,
    sound: 0,
    changed: 1,
    missing: 1,
    unlocked: 1,
    unlisted: 1,
    differing: 1,
    stray: 0,
    errors: 10,
    warnings: 0,
  })
})

test('the doctor says where prompts are not those that were locked', async () => {
  const found = async () =>
    (await doctor.run({}, folder.app())).items.find(({ name }) => name === 'lock')
  expect(await found()).toMatchObject({ status: 'ok', message: LOCK })
  folder.write('agents/domains/domain-00002.md', 'Other words.\n')
  expect(await found()).toEqual({
    name: 'lock',
    status: 'error',
    message: `${LOCK}: 3 of 4 agents verified, 1 error`,
    remedy: 'run waybill lock verify for details',
  })
})

test('with a manifest whose structure is at fault the entries of the lock are verified', async () => {
  folder.write('agents/domains/domain-00002.md', 'Other words.\n')
  folder.write('agents/domains/stray.md', 'Do as you like.\n')
  folder.writeManifest(manifest => {
    Object.assign(manifest.domains['domain-00001'] ?? {}, { version: 'one' })
  })
  const output = await run()
  const counts = { from: 'lock', agents: 4, sound: 2, changed: 1, stray: 1 }
  expect(output).toMatchObject({ accepted: false, counts })
  // The entries of the lock are not to be taken for the existing agents.
  expect(text(output, (_, word) => word, folder.app(), false)).toContain(
    '✗ 2 of 4 lock entries verified',
  )
  expect(
    output.agents.map(({ id, manifest, diagnostics }) => [id, manifest, diagnostics[0]?.code]),
  ).toEqual([
    ['domain-00001', 'unknown', 'schema/pattern'],
    ['domain-00002', 'unknown', 'prompt-lock/hashes-match-files'],
  ])
  expect(output.general.map(({ code }) => code)).toContain('prompt-lock/not-checked')
  // While a prompt file is not known, one that stands there may be it.
  folder.writeManifest(manifest => {
    Object.assign(manifest.domains['domain-00001'] ?? {}, { file: 1 })
  })
  expect((await run()).counts.stray).toBe(0)
})

test('an agent whose id another one claims is not reported as absent from the manifest', async () => {
  folder.writeManifest(manifest => {
    Object.assign(manifest.domains['domain-00001'] ?? {}, { canonical_id: 'domain-00002' })
  })
  const output = await run()
  expect(output.agents.map(({ id, manifest }) => [id, manifest])).toEqual([
    ['archetype-both', 'listed'],
    ['domain-00001', 'unlisted'],
    ['domain-00002', 'ambiguous'],
  ])
  expect(text(output, (_, word) => word, folder.app(), false)).toContain(
    'domain-00002  claimed by several agents of the manifest',
  )
})

test('the weight that the configuration gives to a rule counts, but never that of hashes', async () => {
  const rules = (code: string) =>
    `agents: { manifest: agents/prompt-manifest.json, lock: ${LOCK} }\nrules: { ${code}: { severity: off, reason: for now } }\n`
  folder.write('waybill.yaml', rules('prompt-lock/totals-agree'))
  changeLock(({ integrity }) => {
    integrity.domains = 7
  })
  const output = await run()
  expect(output.accepted).toBe(true)
  expect(output.lock.suppressed).toMatchObject([{ reason: 'for now' }])
  folder.write('waybill.yaml', rules('prompt-lock/hashes-match-files'))
  await expect(run()).rejects.toMatchObject({ code: 'configuration' })
})

test('a lock in YAML is verified', async () => {
  folder.write('agents/lock.yaml', formatYaml(folder.lock()))
  expect(await run({ lock: 'agents/lock.yaml' })).toMatchObject({ accepted: true })
})

test('without a lock there is nothing to verify', async () => {
  rmSync(join(folder.root, LOCK))
  await expect(run()).rejects.toMatchObject({
    code: 'not-found',
    hint: expect.stringContaining('waybill lock'),
  })
})

/** How often rules ask for a file, and how many they find to be wrong, with so many domains. */
async function countsFor(domains: number) {
  const many = openAgentsFolder(domains)
  try {
    let reports = 0
    const app = many.app({ progress: () => void reports++ })
    await lock.run({}, app)
    const verified = await verify.run({}, app)
    const files = openFiles(many.root)
    let asked = 0
    const counting = {
      ...files,
      sha256: (path: string) => {
        asked++
        return files.sha256(path)
      },
    }
    const manifest = many.readManifest()
    const found = { path: 'agents/prompt-manifest.json', value: manifest as unknown as Manifest }
    const contract = findContract('prompt-lock')
    const [document] = (await readDocuments(many.lockText(), 'json')).documents
    if (!contract || !document) throw new Error('no lock')
    const result = checkDocument(
      document,
      as(contract, document.value),
      await loadContract(contract),
      {
        now: app.now,
        facts: { files: { value: counting }, manifest: { value: found } },
      },
    )
    // All of them changed at once: none is left out.
    for (const id of domainIds(domains)) many.write(`agents/domains/${id}.md`, 'Other words.\n')
    const { counts } = await verify.run({}, many.app())
    return { reports, asked, sound: verified.counts.sound, accepted: result.accepted, counts }
  } finally {
    many.remove()
  }
}

test('with ten times as many agents ten times as much work is done, and everything is reported', async () => {
  for (const domains of process.env.WAYBILL_LONG_FAULTS === '1' ? [1_000, 10_000] : [200, 2_000]) {
    const { reports, asked, sound, accepted, counts } = await countsFor(domains)
    const agents = domains + 2
    expect({ reports, asked, sound, accepted }).toEqual({
      reports: 2 * agents,
      asked: agents,
      sound: agents,
      accepted: true,
    })
    expect(counts).toMatchObject({ changed: domains, errors: domains, sound: 2 })
  }
})

test('ids that are all wrong are not compared for ever', () => {
  const domain = (id: string) => ({ ...agentFields(id, 'domains'), scope: 'A part.' })
  const domains = Object.fromEntries(domainIds(1_000).map(id => [id, domain(id)]))
  const agents = agentsOf({ domains, archetypes: {} } as unknown as Manifest)
  const meant = domainIds(1_000).filter(id => agents.suggest(`${id}x`) !== undefined)
  expect(meant.length).toBeGreaterThan(50)
  expect(meant.length).toBeLessThan(200)
})
