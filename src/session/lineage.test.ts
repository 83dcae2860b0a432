import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { ancestorsOf, lineOf, readLineage } from './lineage.ts'
import { LINEAGE_CODES } from './lineage-codes.ts'
import { problemsOf } from './lineage-problems.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const name = (day: number, slug: string) => `2026-02-0${day}T10-00-00Z-${slug}.md`
const at = (day: number, slug: string) => `handoffs/${name(day, slug)}`

/** Writes a document as far as a lineage reads it. */
function handoff(path: string, day: number, more: Readonly<Record<string, string>> = {}): string {
  const fields = {
    mode: 'CREATE',
    adr_id: 'ADR-0.1.0',
    timestamp: `"2026-02-0${day}T10:00:00Z"`,
    ...more,
  }
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`)
  folder.write(path, `---\n${lines.join('\n')}\n---\n\n# Title of ${path}\n\n## A\n`)
  return path
}

/** What is wrong; that it weighs what its explanation says is looked at on the way. */
async function codes(ignore: readonly string[] = []): Promise<string[]> {
  const problems = problemsOf(await readLineage(folder.root, { ignore }))
  return problems.map(({ code, severity, documents }) => {
    expect(severity, code).toBe(LINEAGE_CODES[code].severity)
    return `${code.replace('lineage/', '')} ${documents.join(' ')}`
  })
}

describe('a link is followed', () => {
  test.each([
    ['above handoffs', 'docs/handoffs/b.md', 'handoffs/a.md', 'docs/handoffs/a.md'],
    ['next to the document', 'docs/handoffs/b.md', 'a.md', 'docs/handoffs/a.md'],
    ['from the root', 'docs/handoffs/b.md', 'old/handoffs/a.md', 'old/handoffs/a.md'],
    ['with ./', 'docs/handoffs/b.md', './a.md', 'docs/handoffs/a.md'],
    ['with ..', 'docs/handoffs/b.md', '../old/a.md', 'docs/old/a.md'],
    ['with backslashes', 'docs/handoffs/b.md', "'handoffs\\a.md'", 'docs/handoffs/a.md'],
    [
      'and of several places the first counts',
      'x/handoffs/b.md',
      'handoffs/a.md',
      'x/handoffs/a.md',
    ],
  ])('%s', async (_, path, reference, predecessor) => {
    handoff('handoffs/a.md', 1)
    handoff(predecessor, 1)
    handoff(path, 2, { continues_from: reference })
    const { byPath } = await readLineage(folder.root)
    expect(byPath.get(path)?.predecessor?.path).toBe(predecessor)
  })
})

describe('what is read', () => {
  test('of a document is its frontmatter and its title', async () => {
    handoff(at(1, 'a'), 1, {
      agent: 'codex',
      branch: 'main',
      session_id: "'7'",
      continues_from: '',
    })
    expect((await readLineage(folder.root)).members).toEqual([
      {
        path: at(1, 'a'),
        handoff: true,
        timestamp: '2026-02-01T10:00:00Z',
        time: Date.UTC(2026, 1, 1, 10),
        mode: 'CREATE',
        adr: 'ADR-0.1.0',
        agent: 'codex',
        branch: 'main',
        session: '7',
        title: `Title of ${at(1, 'a')}`,
      },
    ])
  })

  test('is no draft, no other document, and nothing that Git or the configuration passes over', async () => {
    handoff(at(1, 'a'), 1)
    handoff(at(2, 'a.draft'), 2)
    handoff('tmp/b.md', 2)
    handoff('vendor/handoffs/b.md', 2)
    folder.write('README.md', '# Readme\n\n---\n')
    folder.write('page.md', '---\ntitle: A page\n---\n')
    folder.write('.gitignore', 'tmp/\n')
    const { members } = await readLineage(folder.root, { ignore: ['vendor/'] })
    expect(members.map(({ path }) => path)).toEqual([at(1, 'a')])
  })

  test('comes in the order of time, then of paths; what tells no time goes by its name, or last', async () => {
    handoff('handoffs/z.md', 1)
    handoff('handoffs/b.md', 3)
    handoff('handoffs/a.md', 3)
    handoff('handoffs/unknown.md', 1, { timestamp: 'yesterday', branch: 'main' })
    folder.write(at(2, 'broken'), 'no frontmatter')
    const { members } = await readLineage(folder.root)
    expect(members.map(({ path }) => path)).toEqual([
      'handoffs/z.md',
      at(2, 'broken'),
      'handoffs/a.md',
      'handoffs/b.md',
      'handoffs/unknown.md',
    ])
  })

  test.each([
    ['a byte order mark and CRLF', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
    [
      'a long frontmatter',
      (text: string) => text.replace('\n---\n\n', `\nbranch: ${'x'.repeat(9000)}\n---\n\n`),
    ],
    [
      'a frontmatter that ends where the first look does',
      (text: string) =>
        text.replace(
          '\n---\n\n',
          `\nbranch: ${'x'.repeat(2048 - text.indexOf('\n---\n\n') - 12 - 4)}\n---\n\n`,
        ),
    ],
  ])('changes nothing with %s', async (_, change) => {
    const text = `---\nmode: CREATE\nadr_id: ADR-0.1.0\ntimestamp: "2026-02-01T10:00:00Z"\nagent: é\n---\n\n# Tïtle #\n`
    folder.write('handoffs/a.md', change(text))
    const [member] = (await readLineage(folder.root)).members
    expect(member).toMatchObject({ adr: 'ADR-0.1.0', agent: 'é', title: 'Tïtle' })
    expect(member?.fault).toBeUndefined()
  })

  test('is read again after a change, even one that keeps size and time of a file', async () => {
    handoff(at(1, 'a'), 1, { agent: 'ada' })
    await readLineage(folder.root)
    handoff(at(1, 'a'), 1, { agent: 'bob' })
    expect((await readLineage(folder.root)).members[0]?.agent).toBe('bob')
  })
})

describe('what is wrong', () => {
  test('nothing is, in a chain', async () => {
    handoff(at(1, 'a'), 1)
    handoff(at(2, 'b'), 2, { continues_from: at(1, 'a') })
    handoff(at(3, 'c'), 3, { continues_from: name(2, 'b') })
    expect(await codes()).toEqual([])
  })

  test.each([
    ['missing', 'handoffs/gone.md'],
    ['outside', '/etc/passwd'],
    ['outside', '../../../../etc/passwd'],
    ['outside', 'https://example.org/a.md'],
    ['outside', 'C:\\a.md'],
    ['outside', '~/a.md'],
  ])('%s: %s', async (kind, reference) => {
    handoff(at(2, 'b'), 2, { continues_from: reference })
    expect(await codes()).toEqual([`${kind} ${at(2, 'b')}`])
  })

  test('a link that is followed out of the repository', async () => {
    const elsewhere = openTestFolder()
    elsewhere.write('a.md', '---\nmode: CREATE\n---\n')
    mkdirSync(join(folder.root, 'handoffs'))
    symlinkSync(join(elsewhere.root, 'a.md'), join(folder.root, 'handoffs/a.md'))
    symlinkSync(elsewhere.root, join(folder.root, 'docs'))
    handoff(at(2, 'b'), 2, { continues_from: 'a.md' })
    handoff(at(3, 'c'), 3, { continues_from: 'docs/a.md' })
    expect(await codes()).toEqual([`outside ${at(2, 'b')}`, `outside ${at(3, 'c')}`])
    elsewhere.remove()
  })

  test('a predecessor that is newer, but not one of the same time', async () => {
    handoff(at(3, 'a'), 3)
    handoff(at(2, 'b'), 2, { continues_from: name(3, 'a') })
    handoff(at(3, 'c'), 3, { continues_from: name(3, 'a') })
    expect(await codes()).toEqual([
      `reordered ${at(2, 'b')} ${at(3, 'a')}`,
      `fork ${at(3, 'a')} ${at(2, 'b')} ${at(3, 'c')}`,
    ])
  })

  test('circles, in the order in which they are followed, and once for all that lead into them', async () => {
    handoff(at(1, 'a'), 3, { continues_from: name(2, 'b') })
    handoff(at(2, 'b'), 3, { continues_from: name(3, 'c') })
    handoff(at(3, 'c'), 3, { continues_from: name(1, 'a') })
    handoff(at(4, 'd'), 4, { continues_from: name(3, 'c') })
    handoff(at(5, 'own'), 5, { continues_from: name(5, 'own') })
    const found = (await codes()).filter(code => code.startsWith('circle'))
    expect(found).toEqual([
      `circle ${at(1, 'a')} ${at(2, 'b')} ${at(3, 'c')}`,
      `circle ${at(5, 'own')}`,
    ])
  })

  test('documents that cannot be placed', async () => {
    folder.write(at(1, 'none'), 'no frontmatter\n')
    folder.write(at(2, 'open'), '---\nmode: CREATE\n')
    folder.write(at(3, 'faulty'), '---\nmode: [\n---\n')
    folder.write(at(4, 'bytes'), Buffer.from('---\nmode: \xff\n---\n', 'latin1'))
    expect(await codes()).toEqual(
      [at(1, 'none'), at(2, 'open'), at(3, 'faulty'), at(4, 'bytes')].map(p => `unreadable ${p}`),
    )
    handoff(at(5, 'a'), 5, { timestamp: 'yesterday' })
    expect((await codes()).at(-1)).toBe(`undated ${at(5, 'a')}`)
  })

  test('a predecessor that is a draft or something else', async () => {
    handoff(at(1, 'a.draft'), 1)
    folder.write('README.md', '# Readme\n')
    handoff(at(2, 'b'), 2, { continues_from: at(1, 'a.draft') })
    handoff(at(3, 'c'), 3, { continues_from: 'README.md' })
    expect(await codes()).toEqual([
      `foreign ${at(2, 'b')} ${at(1, 'a.draft')}`,
      `foreign ${at(3, 'c')} README.md`,
      `parallel ${at(1, 'a.draft')} README.md`,
    ])
  })

  test('a document that is reached by another name', async () => {
    handoff(at(1, 'a'), 1)
    symlinkSync(name(1, 'a'), join(folder.root, 'handoffs/latest.md'))
    handoff(at(2, 'b'), 2, { continues_from: 'latest.md' })
    expect(await codes()).toEqual([`alias ${at(2, 'b')} ${at(1, 'a')}`])
    const { members, successors } = await readLineage(folder.root)
    expect(members).toHaveLength(2)
    expect([...successors.keys()].map(({ path }) => path)).toEqual([at(1, 'a')])
  })

  test('a session that takes up two lines, but not one that stands twice in the same', async () => {
    handoff(at(1, 'a'), 1)
    handoff(at(2, 'b'), 2, { continues_from: at(1, 'a') })
    handoff(at(3, 'c'), 3, { continues_from: at(1, 'a') })
    handoff(at(4, 'd'), 4, { continues_from: at(2, 'b'), session_id: 's' })
    handoff(at(5, 'e'), 5, { continues_from: at(3, 'c'), session_id: 's' })
    handoff(at(6, 'f'), 6, { continues_from: at(5, 'e'), session_id: 't' })
    handoff(at(7, 'g'), 7, { continues_from: at(6, 'f'), session_id: 's' })
    expect((await codes()).filter(code => code.startsWith('merge'))).toEqual([
      `merge ${at(2, 'b')} ${at(6, 'f')}`,
    ])
  })

  test('chains of one decision record that nothing joins, and documents outside of its chain', async () => {
    handoff(at(1, 'a'), 1)
    handoff(at(2, 'b'), 2, { continues_from: at(1, 'a') })
    handoff(at(3, 'alone'), 3)
    handoff(at(4, 'other'), 4, { adr_id: 'ADR-0.2.0' })
    expect(await codes()).toEqual([`orphan ${at(3, 'alone')}`])
    handoff(at(5, 'c'), 5)
    handoff(at(6, 'd'), 6, { continues_from: at(5, 'c') })
    expect(await codes()).toEqual([
      `orphan ${at(3, 'alone')}`,
      `parallel ${at(1, 'a')} ${at(5, 'c')}`,
    ])
  })
})

test('the line of a document is what it continues and what continues it, without forks', async () => {
  handoff(at(1, 'a'), 1)
  handoff(at(2, 'b'), 2, { continues_from: at(1, 'a') })
  handoff(at(3, 'c'), 3, { continues_from: at(1, 'a') })
  handoff(at(4, 'd'), 4, { continues_from: at(2, 'b') })
  const lineage = await readLineage(folder.root)
  const member = lineage.byPath.get(at(2, 'b'))
  if (!member) throw new Error('it was not read')
  expect([...lineOf(member, lineage)].map(({ path }) => path).sort()).toEqual([
    at(1, 'a'),
    at(2, 'b'),
    at(4, 'd'),
  ])
  const [last] = [...lineage.members].reverse()
  expect(last && ancestorsOf(last).map(({ path }) => path)).toEqual([at(1, 'a'), at(2, 'b')])
})

test.each([
  ['a chain', (i: number) => (i === 0 ? '' : `${i - 1}.md`), 0],
  ['forks of one document', (i: number) => (i === 0 ? '' : '0.md'), 1],
  ['one circle', (i: number) => `${(i + 1) % 2000}.md`, 1],
  ['forks of forks', (i: number) => (i === 0 ? '' : `${(i - 1) >> 1}.md`), 999],
])('thousands of documents in %s take no time', async (_, before, expected) => {
  for (let i = 0; i < 2000; i++) {
    folder.write(
      `handoffs/${i}.md`,
      `---\nmode: CREATE\nadr_id: ADR-0.1.0\ntimestamp: "2026-02-01T10:00:00Z"\ncontinues_from: ${before(i)}\n---\n`,
    )
  }
  const ms = await cpuTimeOf(async () => {
    const lineage = await readLineage(folder.root)
    expect(problemsOf(lineage).filter(({ code }) => /fork|circle/.test(code))).toHaveLength(
      expected,
    )
    for (const member of lineage.members.slice(-3)) lineOf(member, lineage)
  })
  expect(ms).toBeLessThan(8000)
})
