import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HandoffRepository, openHandoffRepository } from '../../test/handoff-repository.ts'
import { waybill } from '../../test/waybill.ts'
import { readNotes, takeNotes } from '../session/index.ts'

let repo: HandoffRepository
beforeEach(() => {
  repo = openHandoffRepository()
})
afterEach(() => repo.remove())

const NOW = '2026-06-01T12:00:00Z'
const run = (args: readonly string[], stdin = '') =>
  waybill(['note', ...args, '--now', NOW], { cwd: repo.root, stdin })

async function noted(args: readonly string[], stdin = '') {
  const { stdout, stderr } = await run([...args, '--format', 'json'], stdin)
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

test.each([
  ['a fact by default', ['x'], { kind: 'fact' }],
  ['a fact', ['x', '--fact'], { kind: 'fact' }],
  ['a rule', ['x', '--rule'], { kind: 'rule', scope: null }],
  ['a rule and its scope', ['x', '--rule', '--scope', 'git push*'], { scope: 'git push*' }],
  [
    'a decision and what it rejects',
    ['x', '--decision', '--rejected', 'a', '--rejected', 'b'],
    { kind: 'decision', rejected: ['a', 'b'] },
  ],
  ['an open item', ['--open', 'x'], { kind: 'open', done: null }],
])('%s is kept and listed with its id', async (_, args, part) => {
  const { change, note } = await noted([...args, '--agent', 'coder'])
  expect(change).toBe('added')
  expect(note).toMatchObject({ text: 'x', at: NOW, by: 'coder', branch: 'main', ...part })
  expect(note.id).toMatch(/^n-[0-9a-z]{4}$/)
  expect(await noted(['list'])).toEqual({ branch: 'main', notes: [note], elsewhere: 0 })
})

test('text shows the id, the details, and that there are notes on other branches', async () => {
  const { stdout } = await run(['x', '--rule', '--scope', 'git push*'])
  const { id } = readNotes(repo.root)[0] ?? {}
  const lines = `${id}  rule      x\n                  scope: git push*\n`
  expect(stdout).toBe(`✓ kept for the next handoff (branch main)\n${lines}`)
  expect((await run(['list'])).stdout).toBe(lines)
  repo.git('switch', '-q', '-c', 'other')
  expect((await run(['list'])).stdout).toBe(
    'no notes for the next handoff\n1 note of other branches or work trees; --all lists them\n',
  )
  expect((await run(['list', '--all'])).stdout).toBe(`branch main\n${lines}`)
})

test('standard input and line breaks become one line', async () => {
  const { note } = await noted(['-', '--open'], 'two\r\n  lines\n')
  expect(note.text).toBe('two lines')
})

test.each([
  ['no text', [], 'there is no text'],
  ['a blank text', [' \n'], 'the text is empty'],
  ['an empty text', [''], 'text is empty'],
  ['two kinds', ['x', '--rule', '--open'], 'one note cannot be --rule and --open'],
  ['a kind and an end', ['x', '--fact', '--done', '1'], 'one note cannot be --fact and --done'],
  ['a scope of no rule', ['x', '--scope', 'a'], '--scope is given without --rule'],
  ['a scope with a backtick', ['x', '--rule', '--scope', 'a`'], 'the scope contains a backtick'],
  ['a rejection of no decision', ['x', '--rejected', 'a'], '--rejected is given without'],
  [
    'a hidden character',
    ['a\u200bb'],
    'text that people do not see: zero-width character (U+200B)',
  ],
  ['a control character', ['a\u001b[2Jb'], 'control character (U+001B)'],
  ['text without quotes', ['two', 'words'], "unexpected word 'words'"],
  ['too long a text', ['x'.repeat(2001)], '2001 characters, more than the limit of 2000'],
  ['an unknown id', ['--done', 'n-zzzz'], "there is no note 'n-zzzz'"],
  ['an item without a handoff', ['--done', '1'], 'there is no handoff whose items'],
  ['no id', ['--drop', 'x'], "there is no note 'x'"],
])('%s is refused, and nothing is kept', async (_, args, message) => {
  const { status, stdout, stderr } = await run(args)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(readNotes(repo.root)).toEqual([])
})

test.each(['text', '--scope', '--rejected'])(
  'a credential in %s is refused without repeating it',
  async place => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const kind = { text: [], '--scope': ['--rule'], '--rejected': ['--decision'] }[place] ?? []
    const args = place === 'text' ? [`use ${secret}`] : ['x', ...kind, place, secret]
    const { status, stderr } = await run(args)
    expect(status).toBe(2)
    expect(stderr).toContain(
      'contains a credential: GitHub token (ghp_…)\n  write where it is kept',
    )
    expect(stderr).not.toContain(secret)
    expect(readNotes(repo.root)).toEqual([])
  },
)

test('standard input that is no text is refused', async () => {
  const { status, stderr } = await waybill(['note', '-'], {
    cwd: repo.root,
    stdin: Buffer.from([0xff, 0x41]),
  })
  expect([status, stderr]).toEqual([2, expect.stringContaining('not valid UTF-8')])
})

test('an open item is ticked off once, by its id and with a reason', async () => {
  const { note } = await noted(['x', '--open'])
  const done = { at: NOW, by: 'Ada', why: 'they answered' }
  const ended = ['--done', note.id, 'they answered', '--agent', 'Ada']
  expect(await noted(ended)).toMatchObject({ change: 'done', note: { id: note.id, done } })
  expect((await noted(['list'])).notes).toMatchObject([{ id: note.id, done }])
  expect((await run(ended)).stderr).toContain(`${note.id} is already done`)
})

test('what is no open item is not ticked off, but dropped', async () => {
  const { note } = await noted(['x', '--rule'])
  expect((await run(['--done', note.id])).stderr).toContain('is no open item (its kind is rule)')
  expect(await noted(['--drop', note.id])).toMatchObject({ change: 'dropped' })
  expect((await noted(['list'])).notes).toEqual([])
  expect((await run(['--drop', note.id])).stderr).toContain('is already dropped')
})

const LEFT = '## Pending Work / Open Loops\n\n- [x] Old\n- Ask the\n  owners\n- \\# Odd\n'

test.each([
  ['its number', '1', 'Ask the owners'],
  ['its text', 'Ask the owners', 'Ask the owners'],
  ['its text as it was noted', '# Odd', '\\# Odd'],
])('an item of the newest handoff is answered by %s', async (_, item, text) => {
  repo.handoff('old', 30)
  const document = 'handoffs/2026-06-01T11-00-00Z-new.md'
  repo.write(document, handoff('2026-06-01T11:00:00Z'))
  expect((await noted(['--done', item, 'why'])).note).toMatchObject({
    ...{ kind: 'done', text, document, why: 'why' },
  })
})

test('an unknown item is answered with those that there are', async () => {
  repo.write('handoffs/2026-06-01T11-00-00Z-new.md', handoff('2026-06-01T11:00:00Z'))
  const { status, stderr } = await run(['--done', '3'])
  expect(status).toBe(2)
  expect(stderr).toContain(
    "has no open item '3'\n  its items are 1 'Ask the owners' and 2 '\\# Odd'",
  )
})

test('an open item that a handoff has taken is answered in the next one', async () => {
  const { note } = await noted(['Ask the owners', '--open'])
  const document = 'handoffs/2026-06-01T11-00-00Z-new.md'
  repo.write(document, handoff('2026-06-01T11:00:00Z'))
  takeNotes(repo.root, [note.id], { document, at: NOW, by: 'Ada' })
  expect((await run(['--drop', note.id])).stderr).toContain(`is already in ${document}`)
  const { note: answer } = await noted(['--done', note.id])
  expect(answer).toMatchObject({ kind: 'done', text: 'Ask the owners', document })
  expect(readdirSync(join(repo.root, '.waybill/notes'))).not.toContain(`${note.id}.done.json`)
})

function handoff(timestamp: string): string {
  return `---\nmode: CREATE\nadr_id: ADR-0.1.0\nbranch: main\ntimestamp: "${timestamp}"\nagent: a\n---\n\n# A\n\n${LEFT}`
}
