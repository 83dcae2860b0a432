import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HandoffRepository, openHandoffRepository } from '../../test/handoff-repository.ts'
import { openTestFolder } from '../../test/test-folder.ts'
import { readDocuments } from '../document/index.ts'
import { addNote, type NewNote, notesAsSections, readNotes, takeNotes } from './index.ts'

let repo: HandoffRepository
beforeEach(() => {
  repo = openHandoffRepository()
})
afterEach(() => repo.remove())

const AT = '2026-06-01T12:00:00Z'
const note = (text: string, more: Partial<NewNote> = {}) =>
  addNote(repo.root, { kind: 'fact', text, at: AT, by: 'Ada', ...more })
const texts = (root = repo.root) => readNotes(root).map(({ text }) => text)
const taken = { document: 'handoffs/a.md', at: AT, by: 'Ada' }

test('eight processes that write the same note at once each keep their own', async () => {
  const module = join(import.meta.dirname, 'notes.ts')
  const code = `const { addNote } = await import(${JSON.stringify(module)})
    for (let i = 0; i < 5; i++)
      addNote(${JSON.stringify(repo.root)}, { kind: 'fact', text: 'same', at: '${AT}', by: 'Ada' })`
  const args = ['--input-type=module', '--eval', code]
  const writers = Array.from({ length: 8 }, () => spawn(process.execPath, args))
  const ends = await Promise.all(writers.map(writer => once(writer, 'exit')))
  expect(ends.map(([status]) => status)).toEqual(Array(8).fill(0))
  const notes = readNotes(repo.root)
  expect(new Set(notes.map(({ id }) => id)).size).toBe(40)
  expect(notes.every(({ text }) => text === 'same')).toBe(true)
})

test('a note belongs to its branch and work tree; one without a branch to its work tree', () => {
  repo.commit()
  note('on main')
  repo.git('switch', '-q', '-c', 'other')
  note('on other')
  const linked = `${repo.root}-linked`
  repo.git('worktree', 'add', '-q', linked, 'main')
  addNote(linked, { kind: 'fact', text: 'linked', at: AT, by: 'Ada' })
  expect([texts(), texts(linked)]).toEqual([['on other'], ['linked']])
  repo.git('checkout', '-q', '--detach')
  note('detached', { at: '2026-06-01T13:00:00Z' })
  expect(texts()).toEqual(['detached'])
  repo.git('switch', '-q', 'other')
  expect(texts()).toEqual(['on other', 'detached'])
  expect(readNotes(linked, { all: true })).toHaveLength(4)
  repo.git('worktree', 'remove', '--force', linked)
})

test('without Git there is one place for notes', () => {
  const folder = openTestFolder()
  addNote(folder.root, { kind: 'fact', text: 'a', at: AT, by: 'Ada' })
  expect(readNotes(folder.root)).toMatchObject([{ text: 'a', branch: null, worktree: '' }])
  folder.remove()
})

test('a note is taken once, by the first document', () => {
  const [a, b] = [note('a'), note('b')]
  expect(takeNotes(repo.root, [a.id], taken)).toEqual([a.id])
  expect(takeNotes(repo.root, [a.id, b.id], { ...taken, document: 'b.md' })).toEqual([b.id])
  expect(readNotes(repo.root, { all: true })).toEqual([])
})

test('only its owner reads a note', () => {
  const { id } = note('a')
  expect(statSync(join(repo.root, `.waybill/notes/${id}.json`)).mode & 0o777).toBe(0o600)
})

test.each([
  ['torn', '{"kind":"fact","te'],
  ['of no kind', JSON.stringify({ kind: 'x', text: 'a', at: AT, by: 'Ada', branch: null })],
  ['of no time', JSON.stringify({ kind: 'fact', text: 'a', at: 'now', by: 'Ada', branch: null })],
])('a note that is %s is an error that names its file', (_, text) => {
  const { id } = note('a')
  writeFileSync(join(repo.root, `.waybill/notes/${id}.json`), text)
  expect(() => readNotes(repo.root)).toThrow(
    expect.objectContaining({
      code: 'input-output',
      message: expect.stringContaining(`${id}.json`),
    }),
  )
})

test('leftovers of a killed writer are no notes', () => {
  mkdirSync(join(repo.root, '.waybill/notes'), { recursive: true })
  writeFileSync(join(repo.root, '.waybill/notes/.n-aaaa.json.1234'), '{')
  expect(readNotes(repo.root)).toEqual([])
})

test('notes that Git tracks are refused: an author of the repository may have written them', () => {
  note('a')
  repo.git('add', '--force', '.waybill')
  expect(() => readNotes(repo.root)).toThrow(expect.objectContaining({ code: 'configuration' }))
})

test('notes become list items by their kind, each line once', () => {
  note('Only Ada pushes', { kind: 'rule', scope: 'git push*' })
  note('One pass', { kind: 'decision', rejected: ['two passes', 'none'] })
  note('It rains', { at: '2026-06-01T12:00:01Z' })
  note('It rains')
  note('Ask the owners', { kind: 'open' })
  note('1 Measure', { kind: 'done', document: 'a.md', why: 'twice' })
  expect(notesAsSections(readNotes(repo.root))).toEqual({
    rules: ['- Only Ada pushes `scope: git push*`'],
    decisions: ['- One pass (rejected: two passes; none)'],
    facts: ['- It rains'],
    open: ['- Ask the owners'],
    answers: [{ item: '1 Measure', outcome: 'done', why: 'twice' }],
  })
})

test.each([
  ...['# Title', '> quote', '- dash', '* star', '+ plus', '1. one', '12) twelve', '``` code'],
  ...['~~~', '<!-- open', '<div>', '[x] ticked', '[a]: b', '* * *', '---', '***'],
])('the note %s stays the words of one list item', async text => {
  note(text)
  const [item = ''] = notesAsSections(readNotes(repo.root)).facts
  const page = `## Facts\n\n${item}\n- next\n\n## Rest\n\nrest\n`
  const [document] = (await readDocuments(page, 'markdown')).documents
  expect(document?.markdown?.sections.map(({ title }) => title)).toEqual(['Facts', 'Rest'])
  expect(document?.markdown?.comments).toEqual([])
  expect(document?.markdown?.fences).toEqual([])
  expect(item).toMatch(/^- (?:\\|[0-9]+\\)/)
})
