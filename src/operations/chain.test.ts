import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { text } from '../cli/render/chain.ts'
import { style } from '../cli/terminal.ts'
import { findContract } from '../contracts/index.ts'
import { lineageFactOf, readLineage } from '../session/index.ts'
import chain from './chain.ts'
import { openFacts } from './check/facts.ts'
import { findLineage } from './check/lineage-facts.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const PLACE = 'docs/ADR-0.1.0-x/handoffs'
const name = (day: number, slug: string) => `2026-02-0${day}T10-00-00Z-${slug}.md`

function handoff(day: number, slug: string, before = '', more = '', body = ''): string {
  const path = `${PLACE}/${name(day, slug)}`
  folder.write(
    path,
    `---\nmode: CREATE\nadr_id: ADR-0.1.0\nagent: codex\ntimestamp: "2026-02-0${day}T10:00:00Z"\ncontinues_from: ${before}\n${more}---\n\n# About ${slug}\n${body}`,
  )
  return path
}

const run = (input: Parameters<typeof chain.run>[0] = {}) => chain.run(input, folder.app())
const shown = async (input: Parameters<typeof chain.run>[0] = {}, quiet = false) =>
  text(await run(input), style(false), folder.app(), quiet)

test('a fork is drawn and reported, and breaks nothing', async () => {
  handoff(1, 'design')
  handoff(2, 'tests', name(1, 'design'))
  handoff(3, 'docs', `handoffs/${name(1, 'design')}`)
  handoff(4, 'done', name(2, 'tests'))
  const output = await run()
  expect(faultsOf('chain', output)).toEqual([])
  expect(chain.failed?.(output)).toBe(false)
  expect(text(output, style(false), folder.app(), false)).toBe(`ADR-0.1.0  ${PLACE}/
●    2026-02-01T10-00-00Z-design.md  codex  About design
├─●  2026-02-02T10-00-00Z-tests.md   codex  About tests
● │  2026-02-03T10-00-00Z-docs.md    codex  About docs
  ●  2026-02-04T10-00-00Z-done.md    codex  About done

info[lineage/fork] '${PLACE}/2026-02-01T10-00-00Z-design.md' is continued by 2 documents: '2026-02-02T10-00-00Z-tests.md' and '2026-02-03T10-00-00Z-docs.md'

✓ 4 documents in 1 chain, every link holds`)
})

test('of a fork the rules of both lines count, also where they clash', async () => {
  const rule = (text: string) =>
    `\n## Important Context\n\n### Standing Rules\n\n- R-002: ${text}\n`
  const first = handoff(1, 'design')
  const [older, newer] = [
    handoff(2, 'tests', name(1, 'design'), '', rule('No network')),
    handoff(3, 'docs', name(1, 'design'), '', rule('No new dependency')),
  ]
  const { inForce, conflicts } = await run()
  expect(inForce.map(({ text, since }) => `${text} ${since.path}`)).toEqual([
    `No network ${older}`,
    `No new dependency ${newer}`,
  ])
  expect(conflicts).toMatchObject([{ id: 'R-002', why: 'worded differently in a fork' }])
  expect(await shown()).toContain(
    `R-002 is worded differently in ${newer}:15 and, on another line, in ${older}:15; both hold`,
  )
  expect(await shown()).toContain('in force: 2 rules')
  expect((await run({ path: first })).inForce).toEqual([])
})

test('of one document it shows what leads to it and on from it', async () => {
  handoff(1, 'design')
  const path = handoff(2, 'tests', name(1, 'design'))
  handoff(3, 'docs', name(1, 'design'))
  handoff(4, 'broken', 'gone.md')
  const output = await run({ path })
  expect(output.documents.map(d => d.path)).toEqual([`${PLACE}/${name(1, 'design')}`, path])
  expect(output).toMatchObject({ about: path, families: 1, whole: true })
})

test('a broken link fails it, and quietly only that is said', async () => {
  handoff(1, 'lost', 'gone.md')
  handoff(2, 'alone')
  const output = await run()
  expect(chain.failed?.(output)).toBe(true)
  expect(
    await shown({}, true),
  ).toBe(`error[lineage/missing] '${PLACE}/2026-02-01T10-00-00Z-lost.md' continues from 'gone.md', which does not exist
  fix: correct 'continues_from', restore the document, or leave the key empty if
       the chain starts here

✗ 2 documents in 2 chains, broken in 1 place`)
})

test('it is drawn as a diagram, with what is missing, and nothing in a document breaks out of it', async () => {
  handoff(1, 'lost', 'gone.md')
  folder.write(
    `${PLACE}/${name(2, 'odd')}`,
    `---\nmode: CREATE\nadr_id: ADR-0.1.0\nagent: '"]; click n0 "javascript:x"'\ntimestamp: "2026-02-02T10:00:00Z"\ncontinues_from: ${name(1, 'lost')}\n---\n\n# <script>alert(1)</script>\n`,
  )
  const mermaid = await shown({ as: 'mermaid' })
  expect(mermaid).toContain('n2["gone.md"]:::missing')
  expect(mermaid).toContain('n2 --> n0')
  expect(mermaid).not.toMatch(/javascript:x"|<script>/)
  const svg = await shown({ as: 'svg' })
  expect(svg).toMatch(/^<svg[\s\S]*<\/svg>\s*$/)
  expect(svg).not.toContain('<script>')
  expect(faultsOf('chain', await run({ as: 'svg' }))).toEqual([])
})

test('secrets and characters that move a cursor are not shown', async () => {
  const key = `ghp_${'a1B2'.repeat(9)}`
  handoff(1, 'a', '', `branch: ${key}\nobpi_id: "\\e[31m"\n`)
  folder.write(
    `${PLACE}/${name(2, 'b')}`,
    `---\nmode: CREATE\nadr_id: "A\\e[2J"\nagent: "\\u202e"\n---\n\n# T\u001b[31m\n`,
  )
  const output = await run()
  expect(JSON.stringify(output)).not.toContain(key)
  expect(text(output, style(false), folder.app(), false)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
})

test('where there is none, it says how to write the first', async () => {
  expect(await shown()).toContain('waybill new handoff-document')
})

test.each([
  ['README.md', 'usage'],
  ['gone.md', 'not-found'],
  ['docs', 'usage'],
  ['../outside.md', 'usage'],
  [`${PLACE}/${name(3, 'c.draft')}`, 'usage'],
])('%s is refused: %s', async (path, code) => {
  folder.write('README.md', '# Readme\n')
  folder.write('docs/a.txt', '')
  handoff(3, 'c.draft')
  await expect(run({ path })).rejects.toMatchObject({ code })
})

test('it and the check see the same links', async () => {
  const contract = findContract('handoff-document')
  if (!contract) throw new Error('the catalogue has no handoff-document')
  const before = fc.constantFrom(
    '',
    'a.md',
    'b.md',
    'handoffs/c.md',
    './d.md',
    '..\\handoffs\\a.md',
    'x/e.md',
    '../../../e.md',
    '/a.md',
    'handoffs/x/e.md',
  )
  const places = ['handoffs/a.md', 'handoffs/b.md', 'handoffs/c.md', 'd.md', 'handoffs/x/e.md']
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(before, fc.nat(3)), { minLength: 5, maxLength: 5 }),
      async links => {
        const values = links.map(([continues_from, day]) => ({
          mode: 'CREATE',
          adr_id: 'ADR-0.1.0',
          timestamp: `2026-02-0${day + 1}T10:00:00Z`,
          continues_from,
        }))
        for (const [i, value] of values.entries())
          folder.write(places[i] ?? '', `---\n${JSON.stringify(value)}\n---\n`)
        const { documents, problems } = await run()
        const { byPath } = await readLineage(folder.root)
        for (const [i, path] of places.entries()) {
          const source = { file: '', path, named: true }
          const sources = openFacts({ root: folder.root, now: 0 }, {})
          const fact = await findLineage(
            { source, contract, value: { frontmatter: values[i] } },
            sources,
          )
          const member = byPath.get(path)
          expect(fact).toEqual({ value: member && lineageFactOf(member) })
          const { predecessor, missing, outside, cycle } = (
            'value' in fact ? fact.value : {}
          ) as Record<string, unknown>
          const own = (code: string) =>
            problems.some(p => p.code === `lineage/${code}` && p.documents[0] === path)
          expect(documents.find(d => d.path === path)?.predecessor).toBe(
            (predecessor as { path: string } | undefined)?.path ?? null,
          )
          expect([own('missing'), own('outside')]).toEqual([
            missing !== undefined,
            outside === true,
          ])
          const round = problems.find(
            p =>
              p.code === 'lineage/circle' &&
              cycle &&
              p.documents.includes((cycle as string[])[0] ?? ''),
          )
          expect(round === undefined).toBe(cycle === undefined)
        }
      },
    ),
    { numRuns: 60 },
  )
})
