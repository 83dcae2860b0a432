import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findContract } from '../../contracts/index.ts'
import { openFacts } from './facts.ts'
import { findLineage, measureDrift } from './lineage-facts.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-lineage-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const now = Date.UTC(2026, 1, 11, 12)
const contract = findContract('handoff-document')
if (!contract) throw new Error('the catalogue has no handoff-document')

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const handoff = (more: object) => ({
  frontmatter: { branch: 'main', timestamp: '2026-02-11T10:00:00Z', ...more },
  sections: [],
})
const link = (name: string, continuesFrom = '') =>
  write(
    `handoffs/${name}`,
    `---\ntimestamp: "2026-02-10T10:00:00Z"\ncontinues_from: ${continuesFrom}\n---\n\n## A\n`,
  )
const subject = (path: string, value: unknown) => ({
  source: { file: join(root, path), path, named: true },
  contract,
  value,
})
const open = () => openFacts({ root, now }, {})
const lineageOf = (path: string, continues_from?: string, sources = open()) =>
  findLineage(subject(path, handoff({ continues_from })), sources)

describe('the lineage of a handoff', () => {
  test('is empty without a predecessor', async () => {
    expect(await lineageOf('handoffs/a.md')).toEqual({ value: {} })
  })

  test.each(['handoffs/old.md', 'old.md', './old.md'])(
    'finds %s above its folder, next to it or from the root',
    async reference => {
      link('old.md')
      expect(await lineageOf('handoffs/a.md', reference)).toEqual({
        value: { predecessor: { path: 'handoffs/old.md', timestamp: '2026-02-10T10:00:00Z' } },
      })
    },
  )

  test.each([
    ['gone.md', { missing: 'gone.md' }],
    ['/etc/passwd', { outside: true }],
    ['../../../etc/passwd', { outside: true }],
  ])('says of %s: %j', async (reference, value) => {
    expect(await lineageOf('handoffs/a.md', reference)).toEqual({ value })
  })

  test('tells the circle to its members and to those that lead into it', async () => {
    link('a.md', 'b.md')
    link('b.md', 'a.md')
    link('c.md', 'a.md')
    const sources = open()
    const circles = []
    for (const [name, next] of [
      ['c.md', 'a.md'],
      ['a.md', 'b.md'],
      ['b.md', 'a.md'],
    ] as const) {
      const fact = await lineageOf(`handoffs/${name}`, next, sources)
      circles.push(
        'value' in fact ? (fact.value as { cycle?: string[] }).cycle?.toSorted() : undefined,
      )
    }
    const circle = ['handoffs/a.md', 'handoffs/b.md']
    expect(circles).toEqual([circle, circle, circle])
  })

  test('of ten thousand links is followed to its end, and each document is read once', async () => {
    for (let i = 0; i < 10_000; i++) link(`${i}.md`, i === 0 ? '' : `${i - 1}.md`)
    const sources = open()
    expect(await lineageOf('handoffs/last.md', '9999.md', sources)).toEqual({
      value: { predecessor: { path: 'handoffs/9999.md', timestamp: '2026-02-10T10:00:00Z' } },
    })
    const before = sources.memory.size
    await lineageOf('handoffs/9999.md', '9998.md', sources)
    expect(sources.memory.size).toBe(before)
  })
})

describe('drift', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: root,
      stdio: 'pipe',
    })
  const commit = (path: string) => {
    write(path, String(Math.random()))
    git('add', '.')
    git('commit', '-qm', 'x')
  }
  const drift = (more = {}) => measureDrift(subject('handoffs/a.md', handoff(more)), open())

  test('is no fact where there is no repository, or where age alone decides', () => {
    expect(drift()).toEqual({ missing: 'this is not a Git repository' })
    expect(drift({ timestamp: '2026-01-01T00:00:00Z' })).toEqual({ missing: 'its age decides' })
  })

  test('counts commits and files after the commit that added the document, but not those of handoffs alone', () => {
    git('init', '-q', '-b', 'main')
    commit('src/before.ts')
    commit('handoffs/a.md')
    commit('src/one.ts')
    commit('handoffs/b.md')
    commit('src/two.ts')
    expect(drift()).toEqual({
      value: { commits: 2, files: 2, branch: 'present', paths: ['src/two.ts', 'src/one.ts'] },
    })
  })

  test('counts what happened on the branch of the document, whatever is checked out', () => {
    git('init', '-q', '-b', 'main')
    commit('handoffs/a.md')
    git('switch', '-qc', 'other')
    for (const path of ['src/one.ts', 'src/two.ts', 'src/three.ts']) commit(path)
    expect(drift()).toEqual({ value: { commits: 0, files: 0, branch: 'present', paths: [] } })
    git('switch', '-q', 'main')
    commit('src/four.ts')
    git('switch', '-q', 'other')
    expect(drift()).toEqual({
      value: { commits: 1, files: 1, branch: 'present', paths: ['src/four.ts'] },
    })
  })

  test('is unknown where the history does not reach back, and the branch may be gone', () => {
    git('init', '-q', '-b', 'main')
    commit('handoffs/a.md')
    commit('src/one.ts')
    commit('src/two.ts')
    git('clone', '-q', '--depth', '1', `file://${root}`, join(root, 'shallow'))
    const shallow = openFacts({ root: join(root, 'shallow'), now }, {})
    expect(
      measureDrift(
        subject('handoffs/new.md', handoff({ timestamp: '2026-02-11T09:00:00Z' })),
        shallow,
      ),
    ).toEqual({
      value: { unknown: 'the history does not reach back to the document' },
    })
    // The last commit that the clone has is not the one that added the document, though it seems so.
    expect(measureDrift(subject('handoffs/a.md', handoff({})), shallow)).toEqual({
      value: { unknown: 'the history does not reach back to the document' },
    })
    for (const branch of ['feature/none', '--output=stolen'])
      expect(measureDrift(subject('handoffs/new.md', handoff({ branch })), open())).toEqual({
        value: { commits: 0, files: 0, branch: 'gone' },
      })
  })

  test.each([
    ['by a merge commit, and kept', '--no-ff', 'handoffs/a.md', ['branch']],
    ['by a merge commit that names it', '--no-ff', 'handoffs/new.md', ['branch', '-D', 'x/y']],
    ['as one commit', '--squash', 'handoffs/a.md', ['branch', '-D', 'x/y']],
  ])('of a branch merged %s is counted on the one that is checked out', (_, how, path, then) => {
    git('init', '-q', '-b', 'main')
    commit('src/zero.ts')
    git('switch', '-qc', 'x/y')
    commit('handoffs/a.md')
    git('switch', '-q', 'main')
    commit('src/one.ts')
    git('merge', '-q', how, 'x/y')
    commit('src/with-it.ts')
    commit('src/two.ts')
    git(...then)
    expect(measureDrift(subject(path, handoff({ branch: 'x/y' })), open())).toMatchObject({
      value: { branch: 'merged', paths: expect.arrayContaining(['src/two.ts']) },
    })
  })

  test('is none on a branch without a commit, which is there all the same', () => {
    git('init', '-q', '-b', 'main')
    expect(drift()).toEqual({ value: { commits: 0, files: 0, branch: 'present', paths: [] } })
    expect(drift({ branch: 'other' })).toEqual({ value: { commits: 0, files: 0, branch: 'gone' } })
  })

  test('is unknown where Git does not read the repository', () => {
    write('.git/HEAD', 'nonsense')
    expect(drift()).toEqual({ value: { unknown: 'Git cannot show its history' } })
  })
})
