import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type AgentsFolder,
  type DraftManifest,
  openAgentsFolder,
} from '../../test/agents-folder.ts'
import { asPlainUser } from '../../test/plain-user.ts'
import type { LockOutput } from './lock/output.ts'
import lock from './lock.ts'

let folder: AgentsFolder
beforeEach(() => {
  folder = openAgentsFolder()
})
afterEach(() => folder.remove())

const run = () => lock.run({}, folder.app())
const codes = ({ documents }: LockOutput) =>
  documents.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
  )

const domain = (manifest: DraftManifest, more: object) => {
  manifest.domains['domain-00001'] = { ...manifest.domains['domain-00001'], ...more }
}
const both = (manifest: DraftManifest, composition: object) => {
  manifest.archetypes['archetype-both'] = { ...manifest.archetypes['archetype-both'], composition }
}

describe('refused is', () => {
  test.each<readonly [string, (manifest: DraftManifest) => void, string]>([
    [
      'a composition that does not add up',
      m => both(m, { 'domain-00001': 60, 'domain-00002': 41 }),
      'prompt-manifest/composition-sums-to-100',
    ],
    [
      'an unknown constituent',
      m => both(m, { 'domain-00001': 60, 'domain-9': 40 }),
      'prompt-manifest/known-constituents',
    ],
    [
      'an id that two agents claim',
      m => domain(m, { canonical_id: 'domain-00002' }),
      'prompt-manifest/unique-canonical-ids',
    ],
    [
      'an alias',
      m => domain(m, { canonical_id: 'domain-one' }),
      'prompt-manifest/canonical-id-is-key',
    ],
    [
      'an id with a letter of another script',
      m => domain(m, { canonical_id: 'dоmain-00001' }),
      'prompt-manifest/plain-canonical-ids',
    ],
    [
      'an id that would be a path',
      m => domain(m, { canonical_id: '../domain-00001' }),
      'prompt-manifest/plain-canonical-ids',
    ],
    [
      'an id that hides a character',
      m => domain(m, { canonical_id: 'domain-00001\u200b' }),
      'prompt-manifest/plain-canonical-ids',
    ],
    ['a version that is none', m => domain(m, { version: '1.0' }), 'schema/pattern'],
    [
      'a prompt that is not there',
      m => domain(m, { file: 'domains/none.md' }),
      'prompt-manifest/prompt-files-exist',
    ],
    [
      'a folder as a prompt',
      m => domain(m, { file: 'domains' }),
      'prompt-manifest/prompt-files-exist',
    ],
    [
      'a path out of the repository',
      m => domain(m, { file: '../../outside.md' }),
      'prompt-manifest/prompts-inside-repository',
    ],
    [
      'an absolute path',
      m => domain(m, { file: '/etc/hostname' }),
      'prompt-manifest/prompts-inside-repository',
    ],
    [
      'a link out of the repository',
      m => domain(m, { file: 'link.md' }),
      'prompt-manifest/prompts-inside-repository',
    ],
    [
      'a link in a circle',
      m => domain(m, { file: 'circle.md' }),
      'prompt-manifest/prompt-files-exist',
    ],
    [
      'a folder that is a link out of the repository',
      m => domain(m, { file: 'away/prompt.md' }),
      'prompt-manifest/prompts-inside-repository',
    ],
    [
      'an id that looks like another one',
      m =>
        Object.assign(m.domains, {
          'domain-OOOO1': { ...m.domains['domain-00001'], canonical_id: 'domain-OOOO1' },
        }),
      'prompt-manifest/no-lookalike-ids',
    ],
    [
      'what this installation keeps for itself',
      m => domain(m, { file: '../.waybill/kept/origin' }),
      'prompt-manifest/prompts-inside-repository',
    ],
    [
      'a link to what is kept',
      m => domain(m, { file: 'origin.md' }),
      'prompt-manifest/prompts-inside-repository',
    ],
    [
      'a link to the folder of what is kept',
      m => domain(m, { file: 'kept/origin' }),
      'prompt-manifest/prompts-inside-repository',
    ],
    [
      'what Git keeps for itself',
      m => domain(m, { file: '../.git/config' }),
      'prompt-manifest/prompts-inside-repository',
    ],
  ])('%s', async (_, change, code) => {
    symlinkSync('/etc/hostname', join(folder.root, 'agents/link.md'))
    symlinkSync('circle.md', join(folder.root, 'agents/circle.md'))
    symlinkSync(tmpdir(), join(folder.root, 'agents/away'))
    for (const file of ['.waybill/kept/origin', '.git/config']) folder.write(file, 'x')
    symlinkSync('../.waybill/kept/origin', join(folder.root, 'agents/origin.md'))
    symlinkSync('../.waybill/kept', join(folder.root, 'agents/kept'))
    folder.writeManifest(change)
    const output = await run()
    expect(output).toMatchObject({ outcome: 'refused', after: null })
    expect(codes(output)).toContain(code)
    expect(lock.failed?.(output)).toBe(true)
    expect(existsSync(join(folder.root, 'agents/prompt-lock.json'))).toBe(false)
    for (const { line } of output.documents[0]?.diagnostics ?? []) expect(line).toBeGreaterThan(1)
  })

  test.each([
    ['the manifest', 'prompt-manifest.json'],
    ['the lock', '../agents/prompt-lock.json'],
    ['the configuration', '../waybill.yaml'],
    ['a link to the manifest', 'own.md'],
  ])('%s as a prompt', async (_, file) => {
    await run()
    const text = folder.lockText()
    folder.write('waybill.yaml', 'agents: { manifest: agents/prompt-manifest.json }\n')
    symlinkSync('prompt-manifest.json', join(folder.root, 'agents/own.md'))
    folder.writeManifest(manifest => domain(manifest, { file }))
    const { outcome, refused } = await run()
    expect([outcome, refused.map(({ code, agent }) => [code, agent])]).toEqual([
      'refused',
      [['lock/no-prompt', 'domain-00001']],
    ])
    expect(folder.lockText()).toBe(text)
  })

  test('everything at once, a fault of structure too', async () => {
    folder.writeManifest(manifest => {
      domain(manifest, { version: '1.0' })
      both(manifest, { 'domain-00001': 60, 'domain-9': 41 })
    })
    expect(codes(await run()).sort()).toEqual([
      'prompt-manifest/composition-sums-to-100',
      'prompt-manifest/known-constituents',
      'schema/pattern',
    ])
  })

  test('everything at once', async () => {
    folder.writeManifest(manifest => {
      domain(manifest, { file: '../../x.md', version: '1.0.0' })
      both(manifest, { 'domain-00001': 60, 'domain-9': 41 })
    })
    rmSync(join(folder.root, 'agents/desk'), { recursive: true })
    const rules =
      'composition-sums-to-100 known-constituents prompt-files-exist prompts-inside-repository'
    expect(codes(await run()).sort()).toEqual(
      rules.split(' ').map(rule => `prompt-manifest/${rule}`),
    )
  })

  test('a prompt that may not be read', () => {
    chmodSync(join(folder.root, 'agents/domains/domain-00001.md'), 0)
    const { stdout } = asPlainUser(folder.root, 'lock', '--format', 'json')
    expect(codes(JSON.parse(stdout))).toEqual(['prompt-manifest/prompt-files-exist'])
  })

  test.each([
    [
      'with an unfinished merge',
      '<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n',
      'syntax/merge-conflict',
    ],
    ['with a key twice', '{"prompts": {}, "prompts": {}}', 'syntax/duplicate-key'],
    ['that is a list', '[]', 'schema/type'],
    ['that is empty', '', 'syntax/empty'],
  ])('a lock %s', async (_, text, code) => {
    folder.write('agents/prompt-lock.json', text)
    const output = await run()
    expect([output.outcome, codes(output)]).toEqual(['refused', [code]])
    expect(folder.lockText()).toBe(text)
  })

  test('a lock of a later format', async () => {
    await run()
    const text = JSON.stringify({ ...folder.lock(), lockfileVersion: '2.1' })
    folder.write('agents/prompt-lock.json', text)
    expect((await run()).refused.map(({ code }) => code)).toEqual(['lock/newer-format'])
    expect(folder.lockText()).toBe(text)
  })
})
