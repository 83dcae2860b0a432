import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { waybill } from '../../test/waybill.ts'
import chain from './chain.ts'
import checkOperation from './check.ts'

const fixture = 'src/contracts/handoff-document.v1/fixtures/valid/example.md'
let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
  git('init', '-q', '-b', 'main')
})
afterEach(() => {
  vi.unstubAllEnvs()
  box.remove()
})

const git = (...args: string[]) => execFileSync('git', args, { cwd: box.root, stdio: 'pipe' })
const check = (input: Parameters<typeof checkOperation.run>[0] = {}) =>
  checkOperation.run(input, box.app())
const verdicts = async (input: Parameters<typeof checkOperation.run>[0]) =>
  (await check(input)).documents.map(({ path, accepted }) => [path, accepted])

test('what Git lists is checked by one process of Git, tracked files also if .gitignore names them', async () => {
  box.write('.gitignore', '[[:digit:]].json\nold.json\nout/\n')
  box.write('.git/info/exclude', 'mine.json\n')
  for (const path of ['1.json', 'x.json', 'out/new.json', 'out/in.json', 'mine.json', 'a/b.json'])
    box.write(path, SOUND)
  box.write('old.json', FAULTY)
  git('add', '--force', 'out/in.json', 'old.json')
  box.write('.git/settings', `[trace2]\n\teventTarget = ${join(box.root, '.git/log')}\n`)
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(box.root, '.git/settings'))
  const listed = [
    ['a/b.json', true],
    ['old.json', false],
    ['out/in.json', true],
    ['x.json', true],
  ]
  expect(await verdicts({})).toEqual(listed)
  expect(readFileSync(join(box.root, '.git/log'), 'utf8').match(/"event":"start"/g)).toHaveLength(1)
  expect(await verdicts({ paths: ['a', 'out', 'old.json'] })).toEqual(listed.slice(0, 3))
  expect(await verdicts({ staged: true })).toEqual(listed.slice(1, 3))
  git('rm', '-q', '--cached', 'out/in.json')
  await expect(check({ paths: ['out'] })).rejects.toMatchObject({
    message: 'out is ignored by .gitignore, so nothing in it is checked',
  })
})

test.each(['with Git', 'without Git'])(
  'a folder with a .git of its own is another repository, searched only when named, %s',
  async git => {
    if (git === 'without Git') rmSync(join(box.root, '.git'), { recursive: true })
    const handoff = (day: number) => `handoffs/2026-02-0${day}T10-00-00Z-x.md`
    const example = readFileSync(fixture, 'utf8')
    box.write(handoff(1), example)
    box.write('copy/.git', 'gitdir: ../gone\n')
    const inside = `copy/${handoff(2)}`
    box.write(inside, example.replace('2026-02-11', '2026-02-12'))
    expect((await check()).documents.map(({ path }) => path)).toEqual([handoff(1)])
    expect((await chain.run({}, box.app())).documents.map(({ path }) => path)).toEqual([handoff(1)])
    for (const path of ['copy', 'copy/handoffs', inside])
      expect((await check({ paths: [path] })).documents.map(d => d.path)).toEqual([inside])
  },
)

test('files that may be meant as handoffs are listed with the reason and the next command, and nothing fails', async () => {
  box.write('README.md', '# Hello\n')
  box.write('HANDOFF-2026-05-01.md', '# Meeting\n')
  box.write('docs/handoff notes.md', '# Where we were\n')
  box.write('a/handoffs/monday.md', '# Monday\n')
  box.write('a/handoffs/facts.json', '{"a": 1}')
  const cwd = join(box.root, 'a')
  const { status, stdout } = await waybill(['check', '..'], { cwd })
  expect(status).toBe(0)
  const is = (what: string) => `it ${what}, but has neither the frontmatter nor the sections of one`
  expect(stdout.trim().split('\n')).toEqual([
    `skipped ../HANDOFF-2026-05-01.md: ${is('is named like a handoff')}`,
    '  next: waybill adopt ../HANDOFF-2026-05-01.md',
    'skipped handoffs/facts.json: it is in handoffs/, but is no document of a known contract',
    '  next: waybill check handoffs/facts.json',
    `skipped handoffs/monday.md: ${is('is in handoffs/')}`,
    '  next: waybill adopt handoffs/monday.md',
    `skipped ../docs/handoff notes.md: ${is('is named like a handoff')}`,
    "  next: waybill adopt '../docs/handoff notes.md'",
    '',
    'no documents found: 5 files searched, none is a document of a known contract',
    '  next: waybill adopt ../HANDOFF-2026-05-01.md',
  ])
  const { passedOver, nothing } = await check({ paths: ['docs'] })
  expect(passedOver).toMatchObject([
    { path: 'docs/handoff notes.md', contract: 'handoff-document' },
  ])
  expect(nothing?.next).toBe("waybill adopt 'docs/handoff notes.md'")
})

test('a name or headings alone make no document of a file of another tool, unless it is named', async () => {
  box.write('SESSION_STATE.json', '{"state": "idle"}')
  box.write('ORCHESTRATION.yaml', 'tasks: []\n')
  box.write('prompt-manifest.json', '{"prompts": []}')
  box.write('a/ORCHESTRATION.yaml', 'pipelines: 1\n')
  const titles = readFileSync(fixture, 'utf8').match(/^## .*$/gm) ?? []
  box.write('notes.md', titles.join('\n\nText.\n\n'))
  box.write('handoffs/notes.md', titles.join('\n\nText.\n\n'))
  const { documents, passedOver } = await check()
  expect(documents.map(({ path }) => path)).toEqual(['a/ORCHESTRATION.yaml', 'handoffs/notes.md'])
  const named = (contract: string) =>
    `it is named like documents of the ${contract} contract, but has none of their keys`
  expect(passedOver?.map(({ path, why, next }) => [path, why, next])).toEqual([
    ['ORCHESTRATION.yaml', named('orchestration'), 'waybill check ORCHESTRATION.yaml'],
    ['SESSION_STATE.json', named('session-state'), 'waybill check SESSION_STATE.json'],
    [
      'notes.md',
      'it has the sections of a handoff, but is neither in handoffs/ nor named like one',
      'waybill adopt notes.md',
    ],
    ['prompt-manifest.json', named('prompt-manifest'), 'waybill check prompt-manifest.json'],
  ])
  const paths = passedOver?.map(({ path }) => path) ?? []
  expect((await check({ paths })).documents.map(d => d.contract)).toEqual([
    'orchestration',
    'session-state',
    'handoff-document',
    'prompt-manifest',
  ])
})
