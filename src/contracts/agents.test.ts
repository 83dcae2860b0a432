import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { as, checkDocument, type Files, recognise } from '../contract/index.ts'
import { readDocuments } from '../document/index.ts'
import { agentsOf, constituentFaults, type Manifest, wrongSum } from './agents.ts'
import { contracts, findContract, loadContract } from './index.ts'
import { fileOf, isSameFile, readPrompt } from './prompt-files.ts'

const prompt = (id: string) => ({ name: id, file: `${id}.md`, canonical_id: id, version: '1.0.0' })
const domain = (id: string, name = id) => ({ ...prompt(id), name, scope: 'Everything.' })
const archetype = (id: string, composition: Record<string, number>) => ({
  ...prompt(id),
  composition,
  purpose: 'Much.',
})

const MANIFEST: Manifest = {
  domains: {
    'domain-02-analysis': domain('domain-02-analysis', 'Data & Analysis'),
    prod: domain('domain-05-product'),
  },
  archetypes: {
    'archetype-thinker': archetype('archetype-thinker', {
      'domain-02-analysis': 60,
      'domain-05-product': 40,
    }),
  },
  orchestrators: { 'orchestrator-desk': domain('orchestrator-desk') },
}

describe('agents of a manifest', () => {
  const agents = agentsOf(MANIFEST)

  test('are found by canonical id, with their type, in the order of the manifest', () => {
    expect(agents.all.map(({ id, type }) => [id, type])).toEqual([
      ['domain-02-analysis', 'domain'],
      ['domain-05-product', 'domain'],
      ['archetype-thinker', 'archetype'],
      ['orchestrator-desk', 'orchestrator'],
    ])
    expect(agents.find('domain-05-product')?.path).toEqual(['domains', 'prod'])
  })

  test('are indexed once per manifest', () => {
    expect(agentsOf(MANIFEST)).toBe(agents)
  })

  test.each([
    ['a key of the manifest', 'prod', 'domain-05-product'],
    ['a name', 'Data & Analysis', 'domain-02-analysis'],
    ['another case', 'DOMAIN-05-PRODUCT', 'domain-05-product'],
    ['other separators', 'domain_05_product', 'domain-05-product'],
    ['the number alone', 'domain-05', 'domain-05-product'],
    ['the last word alone', 'analysis', 'domain-02-analysis'],
    ['the words without the type', 'thinker', 'archetype-thinker'],
    ['a misspelling', 'domain-05-prodcut', 'domain-05-product'],
  ])('%s is no id, but leads to one', (_, given, meant) => {
    expect(agents.find(given)).toBeUndefined()
    expect(agents.suggest(given)?.id).toBe(meant)
  })

  test.each([
    [''],
    ['-'],
    ['something else'],
    ['__proto__'],
    ['constructor'],
    ['x'.repeat(100_000)],
  ])('%j leads to no agent', given => {
    expect(agents.find(given)).toBeUndefined()
    expect(agents.suggest(given)).toBeUndefined()
  })

  test('who share an id are found by none, and distinguished from those who do not exist', () => {
    const twins = agentsOf({
      domains: { a: domain('x'), b: domain('x') },
      archetypes: {},
    })
    expect(twins.find('x')).toBeUndefined()
    expect([twins.isAmbiguous('x'), twins.isAmbiguous('y')]).toEqual([true, false])
  })

  test('may be many', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`domain-${i}-x`, domain(`domain-${i}-x`)]),
    )
    const ms = await cpuTimeOf(() => {
      const all = agentsOf({ domains: many, archetypes: {} })
      for (let i = 0; i < 10_000; i++) expect(all.find(`domain-${i}-x`) === undefined).toBe(false)
      for (let i = 0; i < 1000; i++) all.suggest(`absent ${i}`)
    })
    expect(ms).toBeLessThan(3000)
  })
})

describe('a composition', () => {
  const faultsOf = (composition: Record<string, number>) => {
    const agents = agentsOf({ ...MANIFEST, archetypes: { a: archetype('a', composition) } })
    const [agent] = agents.all.filter(({ type }) => type === 'archetype')
    if (!agent) throw new Error('no archetype')
    return {
      sum: wrongSum(agent),
      domains: [...constituentFaults(agent, agents)].map(f => f.domain),
    }
  }

  test.each([
    ['of two domains', { 'domain-02-analysis': 1, 'domain-05-product': 99 }, undefined, []],
    ['that sums to 99', { 'domain-02-analysis': 49, 'domain-05-product': 50 }, 99, []],
    ['that sums to 101', { 'domain-02-analysis': 51, 'domain-05-product': 50 }, 101, []],
    ['of nothing', {}, 0, [undefined]],
    ['of one domain', { 'domain-05-product': 100 }, undefined, [undefined]],
    ['of an alias', { 'domain-05-product': 50, analysis: 50 }, undefined, ['analysis']],
    ['of itself', { 'domain-05-product': 50, a: 50 }, undefined, ['a']],
    [
      'of an orchestrator',
      { 'domain-05-product': 50, 'orchestrator-desk': 50 },
      undefined,
      ['orchestrator-desk'],
    ],
    [
      'of five',
      { 'domain-05-product': 20, 'domain-02-analysis': 20, b: 20, c: 20, d: 20 },
      undefined,
      [undefined, 'b', 'c', 'd'],
    ],
  ])('%s', (_, composition, sum, domains) => {
    expect(faultsOf(composition as Record<string, number>)).toEqual({ sum, domains })
  })

  test('is a matter of archetypes alone', () => {
    const agents = agentsOf(MANIFEST)
    const [agent] = agents.all
    expect(agent && [wrongSum(agent), ...constituentFaults(agent, agents)]).toEqual([undefined])
  })
})

describe('a prompt file', () => {
  const kinds = { 'prompts/a.md': 'file', 'b.md': 'file', 'prompts/sub': 'directory' } as const
  const files: Files = {
    kindOf: path => (kinds as Record<string, 'file' | 'directory'>)[path] ?? 'missing',
    matches: () => false,
    sha256: path =>
      (kinds as Record<string, string>)[path] === 'file' ? `hash of ${path}` : undefined,
  }

  test.each([
    ['next to it', 'a.md', 'prompts/a.md'],
    ['with superfluous steps', './sub/../a.md', 'prompts/a.md'],
    ['above it', '../b.md', 'b.md'],
    ['above it and back', '../prompts/a.md', 'prompts/a.md'],
  ])('%s is found from the folder of the manifest', (_, file, path) => {
    expect(readPrompt('prompts/prompt-manifest.json', file, files)).toEqual({
      path,
      hash: `hash of ${path}`,
    })
  })

  test('is found from the root where only that exists, also where the lock spells it otherwise', () => {
    const manifest = 'prompts/prompt-manifest.json'
    const found = { path: 'b.md', hash: 'hash of b.md' }
    expect(readPrompt(manifest, 'b.md', files)).toEqual(found)
    expect(readPrompt(manifest, 'prompts/a.md', files)).toMatchObject({ path: 'prompts/a.md' })
    expect(isSameFile(manifest, 'b.md', '../b.md', files)).toBe(true)
    const here: Files = {
      ...files,
      kindOf: path => (path === 'a.md' ? 'file' : files.kindOf(path)),
    }
    expect(fileOf(manifest, 'a.md', here)).toBe('prompts/a.md')
  })

  test.each([
    ['that is nowhere', 'c.md', "does not exist as a file, and neither does 'c.md'"],
    ['that is not there', '../c.md', 'does not exist as a file'],
    ['that is a folder', 'sub', 'is a folder'],
    ['outside the repository', '../../b.md', 'is outside the repository'],
    ['with an absolute path', '/prompts/a.md', 'is absolute'],
    ['that climbs and is absolute', '/../b.md', 'is absolute'],
    ['on a drive', 'C:/a.md', 'begins with a drive letter'],
    ['in a home folder', '~/a.md', 'begins with a home folder'],
  ])('%s is a fault', (_, file, fault) => {
    expect(readPrompt('prompts/prompt-manifest.json', file, files)).toMatchObject({ fault })
  })

  test.each<[string, object]>([
    ['a promise for a hash', { sha256: async () => undefined }],
    ['a promise for a kind', { sha256: () => undefined, kindOf: async () => 'missing' }],
  ])('of which the supplier gives %s is not taken for one that was read', (_, answers) => {
    expect(() => readPrompt('prompt-manifest.json', 'b.md', { ...files, ...answers })).toThrow(
      'of the supplied files',
    )
  })
})

describe('manifest and lock', () => {
  test.each([
    ['prompt-manifest', { domains: {}, archetypes: {} }, 'agents.json'],
    ['prompt-manifest', { domains: 1 }, 'prompts/prompt-manifest.json'],
    [undefined, { anything: 1 }, 'prompt-manifest.json'],
    ['prompt-lock', { algorithm: 'SHA-256', prompts: {} }, 'agents.lock'],
    ['prompt-lock', { anything: 1 }, 'prompt-lock.json'],
    [undefined, { domains: {} }, 'agents.json'],
    [undefined, { prompts: {}, lockfileVersion: 3 }, 'package-lock.json'],
    [undefined, { anything: 1 }, 'my-prompt-lock.json'],
  ])('are recognised by their keys or by the name of their file: %s %j %s', (name, value, file) => {
    expect(recognise(value, file, contracts, 'walk')?.contract.name).toBe(name)
  })

  test.each([
    ['prompt-manifest', { domains: {}, archetypes: {}, extra: 1 }],
    ['prompt-lock', { algorithm: 'SHA-256', prompts: {}, extra: 1 }],
  ])('allow unknown keys, with an info: %s', async (name, value) => {
    const contract = findContract(name)
    const { documents } = await readDocuments(JSON.stringify(value), 'json')
    const [document] = documents
    if (!contract || !document) throw new Error('no such contract')
    const { diagnostics } = checkDocument(
      document,
      as(contract, document.value),
      await loadContract(contract),
      { now: 0, structureOnly: true },
    )
    expect(diagnostics.filter(d => d.path === '/extra').map(d => d.severity)).toEqual(['info'])
  })
  test.each([
    ['prompt-manifest', ['prompts-inside-repository']],
    ['prompt-lock', ['entries-match-manifest', 'every-agent-locked', 'hashes-match-files']],
  ])(
    '%s: which prompt is verified by which hash is excused by no configuration',
    async (name, rules) => {
      const contract = findContract(name)
      if (!contract) throw new Error('no such contract')
      const loaded: Readonly<Record<string, { readonly unconditional?: true }>> = (
        await loadContract(contract)
      ).rules
      const held = Object.keys(loaded).filter(rule => loaded[rule]?.unconditional)
      expect(held.sort()).toEqual(rules)
    },
  )
})
