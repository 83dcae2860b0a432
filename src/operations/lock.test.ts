import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AgentsFolder, openAgentsFolder } from '../../test/agents-folder.ts'
import { text as lockLines } from '../cli/render/lock.ts'
import { sha256 } from '../workspace/index.ts'
import lock, { lockForPeople, lockPrompts } from './lock.ts'
import type { App } from './operation.ts'

let folder: AgentsFolder
beforeEach(() => {
  folder = openAgentsFolder()
})
afterEach(() => folder.remove())

type Input = Parameters<typeof lock.run>[0]
const run = (given: Input = {}, more: Partial<App> = {}) => lock.run(given, folder.app(more))
const LATER = Date.UTC(2026, 6, 1)
describe('the lock', () => {
  test('pins every prompt by the hash of its bytes, orchestrators too', async () => {
    const output = await run()
    expect(output).toMatchObject({
      outcome: 'written',
      totals: { prompts: 4, domains: 2, archetypes: 1, orchestrators: 1 },
      before: null,
      after: sha256(folder.lockText()),
    })
    expect(output.added).toHaveLength(4)
    expect(folder.lock()).toMatchObject({
      version: '2.0.0',
      lockfileVersion: 1,
      generated: '2026-06-01T00:00:00Z',
      integrity: { total_prompts: 4, domains: 2, archetypes: 1 },
    })
    expect(folder.lock().prompts['domain-00001']).toEqual({
      file: 'domains/domain-00001.md',
      hash: sha256('You are domain-00001.\n'),
      type: 'domain',
      version: '1.0.0',
    })
    expect(Object.keys(folder.lock().prompts)).toEqual(Object.keys(folder.lock().prompts).sort())
  })

  test('says where it pins CRLF line ends, which others may not have', async () => {
    folder.write('agents/domains/domain-00002.md', 'You are\r\ntwo.\r\n')
    const output = await lockForPeople({}, folder.app())
    const path = 'agents/domains/domain-00002.md'
    expect(output.lineEnds).toEqual([{ path, ends: 'CRLF', checkout: null }])
    const said = lockLines(output, (_, word) => word, folder.app(), true)
    expect(said).toContain('! locked with CRLF line ends: agents/domains/domain-00002.md;')
    expect((await run()).lineEnds).toEqual([])
  })

  test('is not written a second time', async () => {
    await run()
    const text = folder.lockText()
    expect(await run({}, { now: LATER })).toMatchObject({
      outcome: 'unchanged',
      before: sha256(text),
      after: sha256(text),
    })
    expect(folder.lockText()).toBe(text)
  })

  test('changes in the entry whose prompt changed and in its time, and nowhere else', async () => {
    await run()
    const before = folder.lockText().split('\n')
    folder.write('agents/domains/domain-00002.md', 'Other words.\n')
    const output = await run({}, { now: LATER })
    expect(output.changed).toEqual([
      {
        id: 'domain-00002',
        review: true,
        parts: [
          {
            part: 'hash',
            from: sha256('You are domain-00002.\n'),
            to: sha256('Other words.\n'),
          },
        ],
      },
    ])
    const after = folder.lockText().split('\n')
    const differing = after.flatMap((line, at) => (line === before[at] ? [] : [line.trim()]))
    expect(differing.map(line => line.slice(0, 8))).toEqual(['"generat', '"hash": '])
    expect(after).toHaveLength(before.length)
  })

  test('reports what was added, removed and changed, and the bytes', async () => {
    await run()
    folder.write('agents/new.md', 'New.\n')
    folder.writeManifest(({ domains, orchestrators }) => {
      domains['domain-00002'] = { ...domains['domain-00002'], version: '1.1.0' }
      domains['domain-new'] = {
        ...domains['domain-00001'],
        canonical_id: 'domain-new',
        file: 'new.md',
      }
      delete orchestrators['orchestrator-desk']
    })
    const { added, removed, changed, other, reordered } = await run()
    expect(added.map(({ id }) => id)).toEqual(['domain-new'])
    expect(removed.map(({ id }) => id)).toEqual(['orchestrator-desk'])
    expect(changed).toEqual([
      {
        id: 'domain-00002',
        review: false,
        parts: [{ part: 'version', from: '1.0.0', to: '1.1.0' }],
      },
    ])
    expect(other).toEqual([{ part: '/integrity/domains', from: '2', to: '3' }])
    expect(reordered).toBe(false)
  })

  test('keeps a byte order mark, a description and unknown keys', async () => {
    await run()
    const value = { ...folder.lock(), description: 'Ours.', 'x-note': [1] }
    folder.write('agents/prompt-lock.json', `\ufeff${JSON.stringify(value, null, 2)}\n`)
    folder.write('agents/domains/domain-00002.md', 'Other words.\n')
    expect(await run()).toMatchObject({ outcome: 'written' })
    const text = folder.lockText()
    expect(text.startsWith('\ufeff{\n')).toBe(true)
    expect(JSON.parse(text.slice(1))).toMatchObject({ description: 'Ours.', 'x-note': [1] })
  })
})

describe('without writing', () => {
  test.each([
    [{ check: true }, true],
    [{ dryRun: true }, false],
    [{ check: true, dryRun: true }, true],
  ])('%j says what would change', async (given, fails) => {
    const output = await run(given)
    expect(output.outcome).toBe('would-write')
    expect(existsSync(join(folder.root, 'agents/prompt-lock.json'))).toBe(false)
    expect(lock.failed?.(output)).toBe(fails)
    await run()
    const settled = await run(given)
    expect(settled.outcome).toBe('unchanged')
    expect(lock.failed?.(settled)).toBe(false)
  })
})

describe('an agent in quarantine', () => {
  const quarantined = {
    'domain-00002': { since: '2026-02-10T09:00:00Z', reason: 'other bytes' },
  }
  const locking = () => lockPrompts({}, folder.app(), { quarantined })

  test('goes with its entry, stays in quarantine, and cannot come back by locking', async () => {
    await run()
    const before = folder.readManifest()
    folder.writeManifest(({ domains, archetypes }) => {
      delete domains['domain-00002']
      delete archetypes['archetype-both']
    })
    folder.write('agents/domains/domain-00001.md', 'Other words.\n')
    const output = await locking()
    expect(output).toMatchObject({
      outcome: 'written',
      removed: [{ id: 'archetype-both' }, { id: 'domain-00002' }],
      changed: [{ id: 'domain-00001' }],
      quarantined: [{ id: 'domain-00002', reason: 'other bytes' }],
    })
    expect(lockLines(output, (_, word) => word, folder.app(), false)).toMatch(
      /domain-00002 is in quarantine since .*: its entry was removed, but it stays in quarantine/,
    )
    folder.writeManifest(manifest => Object.assign(manifest, before))
    expect(await locking()).toMatchObject({
      outcome: 'refused',
      refused: [{ code: 'lock/quarantined', agent: 'domain-00002' }],
    })
  })

  test('is not changed by locking', async () => {
    await run()
    const text = folder.lockText()
    folder.write('agents/domains/domain-00002.md', 'Other words.\n')
    const output = await locking()
    expect(output).toMatchObject({ outcome: 'refused', refused: [{ agent: 'domain-00002' }] })
    expect(output.refused[0]?.hint).toContain('waybill lock reconcile domain-00002')
    expect(folder.lockText()).toBe(text)
  })

  test('is not added by locking, and does not block agents whose entries stay', async () => {
    expect(await locking()).toMatchObject({ outcome: 'refused' })
    await run()
    folder.write('agents/domains/domain-00001.md', 'Other words.\n')
    expect(await locking()).toMatchObject({ outcome: 'written' })
  })
})

describe('while the prompts are being locked', () => {
  test.each([
    ['a prompt', 'agents/domains/domain-00001.md', 'Other words.\n'],
    ['the manifest', 'agents/prompt-manifest.json', '{}'],
    ['the lock', 'agents/prompt-lock.json', '{"prompts": {}}\n'],
  ])('%s may not change', async (_, path, text) => {
    await run()
    folder.write('agents/domains/domain-00002.md', 'Other words.\n')
    const progress = (done: number, total: number) => {
      if (done === total) folder.write(path, text)
    }
    const lockBefore = path.endsWith('lock.json') ? text : folder.lockText()
    await expect(run({}, { progress })).rejects.toMatchObject({ code: 'conflict' })
    expect(folder.lockText()).toBe(lockBefore)
  })

  test('another lock may not come to be', async () => {
    const progress = () => folder.write('agents/prompt-lock.json', '{}')
    await expect(run({}, { progress })).rejects.toMatchObject({ code: 'conflict' })
    expect(folder.lockText()).toBe('{}')
  })
})

describe('the files', () => {
  test('are those that are named', async () => {
    folder.write('other/prompt-manifest.json', JSON.stringify(folder.readManifest()))
    mkdirSync(join(folder.root, 'here'))
    for (const kind of ['domains', 'archetypes', 'desk'])
      symlinkSync(`../agents/${kind}`, join(folder.root, 'other', kind))
    const cwd = join(folder.root, 'here')
    const given = { manifest: '../other/prompt-manifest.json', lock: 'mine.json' }
    expect(await run(given, { cwd })).toMatchObject({
      outcome: 'written',
      manifest: 'other/prompt-manifest.json',
      lock: 'here/mine.json',
    })
    const { lock: placed } = await run({ manifest: given.manifest, dryRun: true }, { cwd })
    expect(placed).toBe('other/prompt-lock.json')
  })

  test('are found upwards where the configuration names none', async () => {
    rmSync(join(folder.root, 'waybill.yaml'))
    const cwd = join(folder.root, 'agents/domains')
    expect(await run({}, { cwd })).toMatchObject({ lock: 'agents/prompt-lock.json' })
  })

  test.each<readonly [string, Input, string, RegExp]>([
    [
      'no manifest',
      { manifest: 'none.json' },
      'not-found',
      /the manifest none\.json does not exist/,
    ],
    ['a folder', { manifest: 'agents' }, 'usage', /is a folder/],
    ['a manifest elsewhere', { manifest: '../x.json' }, 'usage', /outside the repository/],
    ['a lock elsewhere', { lock: '../x.json' }, 'usage', /outside the repository/],
    ['a lock in YAML', { lock: 'agents/lock.yaml' }, 'usage', /is not JSON/],
    [
      'a lock that is the manifest',
      { lock: 'agents/prompt-manifest.json' },
      'usage',
      /is named as both the manifest and/,
    ],
    ['a lock that is none', { lock: 'package.json' }, 'usage', /package\.json is not a lock/],
    ['a lock that is the manifest by a link', { lock: 'link.json' }, 'usage', /is not a lock/],
    ['a lock in no folder', { lock: 'none/lock.json' }, 'input-output', /cannot be written/],
  ])('%s is reported', async (_, given, code, message) => {
    folder.write('package.json', '{"name": "x", "version": "1.0.0"}')
    symlinkSync('agents/prompt-manifest.json', join(folder.root, 'link.json'))
    const before = folder.readManifest()
    await expect(run(given)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
    expect(folder.readManifest()).toEqual(before)
  })

  test('that do not exist are reported with a remedy', async () => {
    rmSync(join(folder.root, 'waybill.yaml'))
    await expect(run()).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining('--manifest'),
    })
  })
})

test('what is doubtful in a manifest is shown although its prompts are locked', async () => {
  folder.writeManifest(({ domains }) => {
    Object.assign(domains['domain-00002'] ?? {}, { file: 'domains/domain-00001.md' })
  })
  const output = await lockForPeople({}, folder.app())
  expect(output.outcome).toBe('written')
  for (const quiet of [false, true])
    expect(lockLines(output, (_, word) => word, folder.app(), quiet)).toContain(
      'warning[prompt-manifest/own-prompt-files]',
    )
})
