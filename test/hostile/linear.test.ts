import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { check } from '../../src/index.ts'
import { openFiles } from '../../src/workspace/index.ts'
import { fixturesOf } from '../fixture.ts'
import { expectProportion } from './proportion.ts'
import { SOUND } from './sandbox.ts'

const example = (id: string) => {
  const fixture = fixturesOf(id).find(f => f.kind === 'valid' && f.name === 'example')
  return readFileSync(fixture?.file ?? '', 'utf8')
}
const parsed = (id: string) => JSON.parse(example(id))
const many = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))
const keyed = <T>(count: number, make: (i: number) => T) =>
  Object.fromEntries(many(count, i => [`key-${i}`, make(i)]))
const secret = (i: number) => `pass${'word'} = hunter${i}-q7Zp2Lx9Vb4Nc8`
const body = (text: string) => `${example('handoff-document.v1')}\n${text}\n`

const task = (i: number, after: readonly string[]) => ({
  ...parsed('mission-task-graph.v1').tasks[0],
  task_id: `t${i}`,
  depends_on: after,
})
const graph = (tasks: readonly unknown[]) =>
  JSON.stringify({ ...parsed('mission-task-graph.v1'), tasks })

/** Hostile texts of a size, and the least of the sizes that are compared. */
const TEXTS: readonly (readonly [string, string, number, (n: number) => string])[] = [
  ['unknown keys', 'json', 3000, n => JSON.stringify({ ...SOUND, ...keyed(n, i => i) })],
  ['secrets as values', 'json', 500, n => JSON.stringify({ ...SOUND, ...keyed(n, secret) })],
  [
    'secrets as keys',
    'json',
    500,
    n => JSON.stringify({ ...SOUND, ...Object.fromEntries(many(n, i => [secret(i), i])) }),
  ],
  ['a circle of tasks', 'json', 200, n => graph(many(n, i => task(i, [`t${(i + 1) % n}`])))],
  ['unknown dependencies', 'json', 200, n => graph(many(n, i => task(i, [`u${i}`])))],
  ['the same task', 'json', 200, n => graph(many(n, () => task(0, [])))],
  [
    'escapes',
    'json',
    5_000,
    n => JSON.stringify({ ...SOUND, x: '/&' }).replace('/&', '\\/\\u0026'.repeat(n)),
  ],
  ['backslashes', 'json', 50_000, n => `{"a": "${'\\\\'.repeat(n)}", "a": 1}`],
  ['keys twice', 'yaml', 5000, n => many(n, i => `k${i % 7}: ${i}`).join('\n')],
  ['anchors', 'yaml', 5000, n => many(n, i => `k${i}: &a${i} [*a${i}]`).join('\n')],
  ['comments', 'yaml', 20_000, n => `SESSION_STATE: # ${'# '.repeat(n)}\n  Phase: "1"`],
  ['frontmatter', 'md', 5000, n => `---\n${many(n, i => `k${i}: ${i}`).join('\n')}\n---\n# A\n`],
  ['sections', 'md', 3000, n => body(many(n, i => `## Section ${i}\n\nTBD\n`).join('\n'))],
  [
    'evidence',
    'md',
    750,
    n => body(`## Evidence\n\n${many(n, i => `- \`a/${i}.ts\``).join('\n')}`),
  ],
  ['placeholders', 'md', 5000, n => body('TODO TBD ... '.repeat(n))],
  ['underscores', 'md', 25_000, n => body(`TBD ${'_'.repeat(n)}`)],
  [
    'blocks',
    'md',
    250,
    n => body('```json\n{"session_id": 1, "schema_version": 2}\n```\n\n'.repeat(n)),
  ],
  ['comments', 'md', 5000, n => body('<!-- waybill-ignore -->\n'.repeat(n))],
  [
    'allowances',
    'md',
    3000,
    n => body(many(n, i => `<!-- waybill-allow secrets: a -->\n${secret(i)}\n`).join('\n')),
  ],
  ['brackets', 'md', 20_000, n => body('['.repeat(n))],
  ['links', 'md', 3000, n => body('[a](<b'.repeat(n))],
  ['emphasis', 'md', 10_000, n => body('*a **b '.repeat(n))],
  ['backticks', 'md', 150, n => body(many(n, i => '`'.repeat(i)).join(' '))],
  ['blanks behind a title', 'md', 20_000, n => `#${' '.repeat(n)}\nx\n---\nkey: v\n---\n`],
  ['nested quotes', 'md', 500, n => body(`${'> '.repeat(30)}a\n`.repeat(n))],
]

const files = openFiles(import.meta.dirname)

test.each(TEXTS)('%s in %s take time in proportion', async (_, ending, size, make) => {
  const path = ending === 'md' ? 'handoffs/2026-02-11T14-30-00Z-x.md' : `a.${ending}`
  const options = { path, now: 0, facts: { files: { value: files } } }
  await expectProportion(text => check(text, options), make, size)
})

test('allowances are among what is measured', async () => {
  const text = TEXTS.find(([what]) => what === 'allowances')?.[3](3) ?? ''
  const { documents } = await check(text, { path: 'handoffs/x.md', now: 0 })
  expect(documents[0]?.suppressed.map(({ code }) => code)).toEqual(
    Array(3).fill('handoff-document/no-secrets'),
  )
})
