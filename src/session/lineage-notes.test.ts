import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { readInForce } from './in-force-read.ts'
import { ancestorsOf, lineageFactOf, readLineage } from './lineage.ts'
import { readDocumentHead } from './lineage-head.ts'
import { problemsOf } from './lineage-problems.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const NOTE =
  '# Mail\n\n## Status\n\nWorks.\n\n## Next Steps\n\nNone.\n\n## Rules\n\n- No network.\n'

test('the time of a note is the one that it states, else that of its file name, else that of the file', async () => {
  folder.write('handoffs/a.md', `---\ntimestamp: "2026-06-01T09:30:00Z"\n---\n\n${NOTE}`)
  folder.write('handoffs/2026-06-02T09-30-00Z-b.md', NOTE)
  folder.write('HANDOFF.md', NOTE)
  utimesSync(join(folder.root, 'HANDOFF.md'), 1, Date.UTC(2026, 5, 3) / 1000)
  const { members } = await readLineage(folder.root)
  expect(members).toMatchObject([
    { path: 'handoffs/a.md', note: true, time: Date.UTC(2026, 5, 1, 9, 30) },
    { path: 'handoffs/2026-06-02T09-30-00Z-b.md', time: Date.UTC(2026, 5, 2, 9, 30) },
    { path: 'HANDOFF.md', modified: Date.UTC(2026, 5, 3), title: 'Mail' },
  ])
  // The time of a file is no claim, so it does not prove an order.
  expect(members[2]?.time).toBeUndefined()
})

test('a note is a member of the lineage of handoff documents, with its statements', async () => {
  folder.write('handoffs/2026-06-02T09-30-00Z-a.md', NOTE)
  folder.write(
    'HANDOFF-b.md',
    '---\ncontinues_from: handoffs/2026-06-02T09-30-00Z-a.md\n---\n\n## Wrap-up\n\n- Go.\n\n## House\n\n- No rain.\n',
  )
  const headings = { 'Wrap-up': 'Next Steps', House: 'Rules' }
  expect((await readLineage(folder.root)).members).toHaveLength(1)
  const lineage = await readLineage(folder.root, { headings })
  const head = lineage.byPath.get('HANDOFF-b.md')
  if (!head) throw new Error('not found')
  expect(ancestorsOf(head).map(({ path }) => path)).toEqual(['handoffs/2026-06-02T09-30-00Z-a.md'])
  expect(lineageFactOf(head)).toMatchObject({ predecessor: { timestamp: '2026-06-02T09:30:00Z' } })
  expect(problemsOf(lineage)).toEqual([])
  const { items } = readInForce(folder.root, head, lineage)
  expect(items.map(({ kind, text }) => [kind, text])).toEqual([
    ['rule', 'No network.'],
    ['rule', 'No rain.'],
  ])
})

test('a file with a note’s name and no heading of one is no member', async () => {
  folder.write('HANDOFF.md', '# How we hand over\n')
  expect(await readDocumentHead(folder.root, 'HANDOFF.md')).toMatchObject({ handoff: false })
})

test('of two documents of one second, the one that continues the other is newer, whatever its name', async () => {
  const head = 'timestamp: "2026-06-01T09:30:00Z"'
  folder.write('handoffs/a.md', `---\n${head}\n---\n\n${NOTE}`)
  folder.write('handoffs/a-2.md', `---\n${head}\ncontinues_from: a.md\n---\n\n${NOTE}`)
  const { members } = await readLineage(folder.root)
  expect(members.map(({ path }) => path)).toEqual(['handoffs/a.md', 'handoffs/a-2.md'])
})

test('a note without a time that is changed later is no newer than the one that continues it', async () => {
  folder.write('HANDOFF.md', NOTE)
  const head = 'timestamp: "2026-06-01T09:30:00Z"\ncontinues_from: HANDOFF.md'
  folder.write('handoffs/a.md', `---\n${head}\n---\n\n${NOTE}`)
  utimesSync(join(folder.root, 'HANDOFF.md'), 1, Date.UTC(2026, 5, 3) / 1000)
  const { members } = await readLineage(folder.root)
  expect(members.map(({ path }) => path)).toEqual(['HANDOFF.md', 'handoffs/a.md'])
})
