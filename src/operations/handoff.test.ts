import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { addNote, readNotes } from '../session/index.ts'
import brief from './brief.ts'
import handoff from './handoff.ts'
import note from './note.ts'
import resume from './resume.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  const git = (...args: string[]) => execFileSync('git', ['-C', folder.root, ...args])
  git('init', '-q', '-b', 'main')
  folder.write('a.ts', '')
  git('add', '-A')
  git('-c', 'user.name=Ada', '-c', 'user.email=a@b.c', 'commit', '-qm', 'x')
})
afterEach(() => folder.remove())

// The commit of the folder is older.
const NOW = Date.now() + 60_000
const at = (minutes: number, more = {}) => folder.app({ now: NOW + minutes * 60_000, ...more })

const textOf = (path: string) => readFileSync(join(folder.root, path), 'utf8')

const FIRST = {
  agent: 'ada',
  state: 'The parser works.',
  next: ['Fuzz it', 'Ship it'],
  decision: ['Parse by hand: no dependency'],
  rule: ['Never force-push. `scope: git push*`'],
} as const

test('a first handoff takes one command, and can be resumed from', async () => {
  folder.write('b.ts', '')
  const output = await handoff.run(FIRST, at(0))
  expect(output).toMatchObject({ contract: 'handoff-note', created: true, suggested: ['b.ts'] })
  expect(output.inForce.map(({ id }) => id)).toEqual(['R-001', 'D-001'])
  expect(faultsOf('handoff', output)).toEqual([])
  expect(await resume.run({}, at(1))).toMatchObject({ accepted: true, left: [] })
})

test('on a terminal it asks three questions', async () => {
  const questions: string[] = []
  const answers = ['It works.', 'Ship it', '', 'Use Go', '']
  const ask = (question: string) => {
    questions.push(question)
    return Promise.resolve(answers.shift() ?? '')
  }
  const output = await handoff.run({ agent: 'ada' }, at(0, { ask }))
  expect(output.created).toBe(true)
  // A list is asked for entry by entry.
  expect(questions.filter(question => question.includes(':'))).toHaveLength(3)
})

test('a faulty answer is asked for again at once, and what was typed is offered the next time', async () => {
  const answering = (answers: string[]) => ({ ask: async () => answers.shift() ?? '' })
  const first = [
    'TBD',
    'It works.',
    'Ship it',
    '',
    `token = ${'abc123'.repeat(5)}`,
    '',
    '',
    '',
    'n',
  ]
  const refused = await handoff.run({ agent: 'ada' }, at(0, answering(first)))
  expect(refused.created).toBe(false)
  // It offers the answers, and the faulty one is asked for again.
  const second = ['y', 'Use Go', '']
  const output = await handoff.run({ agent: 'ada' }, at(1, answering(second)))
  expect(output.created).toBe(true)
  expect(textOf(output.path)).toContain('## Status\n\nIt works.')
  expect(textOf(output.path)).toContain('- D-001: Use Go')
  expect(readdirSync(join(folder.root, '.waybill'))).not.toContain('typed-answers.json')
})

test('notes go into the next handoff and are ticked off', async () => {
  await handoff.run(FIRST, at(0))
  await note.run({ text: 'The build takes 9 minutes' }, at(1))
  await note.run({ text: 'Ask first', rule: true, scope: 'npm install*' }, at(2))
  await note.run({ text: 'Use a table', decision: true, rejected: ['a generator'] }, at(3))
  await note.run({ done: '1' }, at(4))
  const { path } = await handoff.run({ agent: 'ada', state: 'Fuzzed.', next: ['Ship it'] }, at(5))
  const text = textOf(path)
  expect(text).toContain('- The build takes 9 minutes')
  expect(text).toContain('- R-002: Ask first `scope: npm install*`')
  expect(text).toContain('- D-002: Use a table (rejected: a generator)')
  expect(text).toContain('- [x] Fuzz it')
  const again = await handoff.run({ ...FIRST, state: 'Shipped.', next: ['None'] }, at(6))
  expect(textOf(again.path)).not.toContain('9 minutes')
})

test('a decision and a rule end where they are superseded, and only a person ends a rule', async () => {
  await handoff.run(FIRST, at(0))
  const ends = { supersede: ['D-001=too slow', 'R-001=the branch is gone'] }
  const next = { agent: 'ada', state: 'x', next: ['None'], decision: ['Use Go'] }
  const refused = await handoff.run({ ...next, ...ends }, at(1))
  expect(refused).toMatchObject({ created: false, missing: [{ field: 'supersedes R-001' }] })
  const output = await handoff.run({ ...next, ...ends, by: 'Ada' }, at(1))
  const { brief: text } = await brief.run({}, at(2))
  expect(output.created).toBe(true)
  expect(text).not.toContain('Never force-push.')
  expect(text).not.toContain('no dependency')
  expect(text).toContain('- D-002: Use Go')
})

test('a text without headings is the state; its other parts come from flags', async () => {
  const stdin = async () => new TextEncoder().encode('The parser works.\n')
  const { state: _, ...rest } = FIRST
  const output = await handoff.run({ ...rest, from: '-' }, at(0, { stdin }))
  expect(textOf(output.path)).toContain('## Status\n\nThe parser works.')
})

test('a repository with documents gets a document, with every part in its section', async () => {
  const output = await handoff.run(
    { ...FIRST, adr: 'ADR-0.1.0', open: ['The review'], verify: ['true'], next: ['a', 'b', 'c'] },
    at(0),
  )
  expect(output).toMatchObject({
    contract: 'handoff-document',
    missing: [{ field: 'Evidence / Artifacts' }],
  })
  folder.write('b.ts', '')
  const written = await handoff.run(
    { ...FIRST, adr: 'ADR-0.1.0', open: ['The review'], verify: ['true'], next: ['a', 'b', 'c'] },
    at(0),
  )
  expect(written).toMatchObject({ created: true, diagnostics: [] })
  expect(textOf(written.path)).toContain('### Standing Rules\n\n- R-001: Never force-push.')
})

test('what is written in an editor is kept until it is a handoff', async () => {
  folder.write('.editor', '#!/bin/sh\nprintf "## Status\\n\\nTBD\\n" > "$1"\n')
  chmodSync(join(folder.root, '.editor'), 0o755)
  const editor = (command: string) => ({
    ask: async () => '',
    variable: (name: string) => (name === 'EDITOR' ? command : undefined),
  })
  const more = editor(join(folder.root, '.editor'))
  const refused = await handoff.run({ agent: 'ada', edit: true }, at(0, more))
  expect(refused.created).toBe(false)
  expect(readdirSync(join(folder.root, '.waybill'))).toContain('handoff-being-edited.md')
  const good = editor('true')
  await expect(
    handoff.run({ agent: 'ada', edit: true, rule: ['No network'] }, at(1, good)),
  ).rejects.toThrow("'No network' is not in the text that --edit continues")
  addNote(folder.root, { kind: 'fact', text: 'Noted later', at: '2026-01-01T00:00:00Z', by: 'ada' })
  folder.write(
    '.waybill/handoff-being-edited.md',
    '## Status\n\nWorks.\n\n## Decisions\n\n- Go\n\n## Next\n\nNone\n',
  )
  expect((await handoff.run({ agent: 'ada', edit: true }, at(1, good))).created).toBe(true)
  expect(readdirSync(join(folder.root, '.waybill'))).not.toContain('handoff-being-edited.md')
  expect(readNotes(folder.root).map(({ text }) => text)).toEqual(['Noted later'])
})
