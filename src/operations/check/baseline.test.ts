import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../../test/test-folder.ts'
import checkOperation, { checkForPeople } from '../check.ts'
import type { App } from '../operation.ts'
import type { CheckOutput } from './output.ts'

let box: TestFolder
let root: string
beforeEach(() => {
  box = openTestFolder()
  root = box.root
})
afterEach(() => box.remove())

const sound = SOUND
const faulty = FAULTY
const write = (path: string, text: string) => box.write(path, text)
const check = (input: Parameters<typeof checkOperation.run>[0] = {}, more: Partial<App> = {}) =>
  checkOperation.run(input, box.app(more))
const codes = (output: CheckOutput) =>
  output.documents.flatMap(document => document.diagnostics.map(({ code }) => code))

test('a baseline excuses the errors of today, wherever their lines move, and no new ones', async () => {
  write('a.json', faulty)
  expect((await check({ baseline: true })).summary.rejected).toBe(0)
  write('a.json', `\n\n${faulty}`)
  expect((await check()).summary).toMatchObject({ rejected: 0, errors: 0 })
  write('b.json', faulty)
  expect((await check()).documents.map(d => [d.path, d.accepted])).toEqual([
    ['a.json', true],
    ['b.json', false],
  ])
})

test('a baseline excuses what stands in a block of Markdown or speaks of lines, wherever those move', async () => {
  const twice = SOUND.replace('{', '{"session_id": "s-0",')
  const block = (text: string) => `\n\`\`\`json\n${text}\n\`\`\`\n`
  const notes = `${block(faulty)}${block(faulty)}${block(twice)}`
  write('notes.md', notes)
  expect((await check()).summary).toMatchObject({ errors: 3 })
  await check({ baseline: true })
  write('notes.md', `# Moved\n\n${notes}`)
  expect((await check()).summary).toMatchObject({ rejected: 0, errors: 0 })
  write('notes.md', `${notes}${block(faulty)}`)
  expect((await check()).summary).toMatchObject({ rejected: 1, errors: 1 })
})

test('a baseline excuses a time to come, however far off it is', async () => {
  write('a.json', SOUND.replace('2026-01-11', '2027-01-11'))
  await check({ baseline: true })
  const later = { now: Date.UTC(2026, 7, 1) }
  expect((await check({}, later)).summary).toMatchObject({ rejected: 0, errors: 0 })
})

test('a baseline excuses each fault once', async () => {
  write('a.json', faulty)
  await check({ baseline: true })
  const { faults } = JSON.parse(readFileSync(join(root, '.waybill-baseline.json'), 'utf8'))
  expect(faults).toHaveLength(1)
})

test('a baseline never excuses a secret', async () => {
  const handoff = `---\nmode: CREATE\n---\n\ntoken = ${'abc123'.repeat(3)}\n`
  write('handoffs/2026-02-11T14-30-00Z-x.md', handoff)
  const output = await check({ baseline: true })
  expect(codes(output)).toEqual(['handoff-document/no-secrets'])
})

test('a baseline never excuses a secret behind more faults than are reported', async () => {
  const gone = Array.from({ length: 1100 }, (_, i) => `- \`gone/${i}.py\`\n`).join('')
  const handoff = `---\nmode: CREATE\n---\n\n## Evidence / Artifacts\n\n${gone}`
  const secret = `token = ${'abc123'.repeat(3)}\n`
  write('handoffs/2026-02-11T14-30-00Z-x.md', handoff)
  expect(codes(await check({ baseline: true }))).toEqual(['document/more-findings'])
  write('handoffs/2026-02-11T14-30-00Z-x.md', handoff.replace('- `gone/9.py`\n', '') + secret)
  expect((await check()).summary.rejected).toBe(1)
})

test('a baseline excuses nothing that could not be read', async () => {
  symlinkSync('loop.json', join(root, 'loop.json'))
  const output = await check({ paths: ['loop.json'], baseline: true })
  expect(output).toMatchObject({ baseline: 0, summary: { rejected: 1 } })
})

test('a baseline excuses nothing in an unrecognised document', async () => {
  write('unknown.json', '{"x": 1}')
  const paths = ['unknown.json']
  expect(await check({ paths, baseline: true })).toMatchObject({ baseline: 0 })
  write('unknown.json', `{"x": "ghp_${'a1B2'.repeat(9)}"}`)
  expect((await check({ paths })).summary.rejected).toBe(1)
})

test('a baseline excuses nothing that has no name', async () => {
  const given = { paths: ['-'], contract: 'session-context' }
  const stdin = async () => Buffer.from(faulty)
  expect(await check({ ...given, baseline: true }, { stdin })).toMatchObject({ baseline: 0 })
  expect((await check(given, { stdin })).summary.rejected).toBe(1)
})

test('a baseline of structure only keeps what it says of rules', async () => {
  write('a.json', faulty)
  await check({ baseline: true })
  expect(await check({ baseline: true, structureOnly: true })).toMatchObject({ baseline: 1 })
  expect((await check()).summary.rejected).toBe(0)
})

test('a baseline written for a part leaves what it says of the rest, but not of what is gone', async () => {
  write('a/x.json', faulty)
  write('b/y.json', faulty)
  write('c/z.json', faulty)
  await check({ baseline: true })
  rmSync(join(root, 'c'), { recursive: true })
  write('a/x.json', sound)
  await check({ paths: ['a'], baseline: true })
  const { faults } = JSON.parse(readFileSync(join(root, '.waybill-baseline.json'), 'utf8'))
  expect(faults.map((f: { path: string }) => f.path)).toEqual(['b/y.json'])
  expect((await check()).summary.rejected).toBe(0)
})

test('a baseline excuses nothing where other faults kept a hash from being looked at', async () => {
  const handoff = { handoff_id: 'x', protocol_version: '1.0.0' }
  write('handoff.json', JSON.stringify(handoff))
  const output = await check({ baseline: true })
  expect(output.documents[0]?.notRun).toContain('agent-handoff/prompt-hash-matches-lock')
  expect(output).toMatchObject({ baseline: 0, summary: { rejected: 1 } })
})

test.each([
  ['with the marks of a conflict', '<<<<<<< HEAD\n{"version": 1, "faults": []}\n=======\n'],
  ['that is empty', ''],
  ['of no version', '{"faults": []}'],
  ['of null', 'null'],
])('a file %s is no baseline, and the named remedy rewrites it', async (_, text) => {
  write('a.json', faulty)
  write('.waybill-baseline.json', text)
  await expect(check()).rejects.toMatchObject({
    code: 'configuration',
    message: '.waybill-baseline.json is not a baseline of version 1',
    hint: 'rewrite it with waybill check --baseline',
  })
  expect(await check({ baseline: true })).toMatchObject({ baseline: 1, summary: { rejected: 0 } })
  expect((await check()).summary).toMatchObject({ rejected: 0, errors: 0 })
})

test('of a file that is no baseline nothing is thrown away by a run that does not look at everything', async () => {
  const torn = '<<<<<<< HEAD\n{"version": 1, "faults": []}\n=======\n'
  write('.waybill-baseline.json', torn)
  write('a/x.json', faulty)
  const parts = [{ paths: ['a'] }, { structureOnly: true }, { contract: 'session-state' }]
  for (const part of parts)
    await expect(check({ baseline: true, ...part })).rejects.toMatchObject({
      code: 'configuration',
      hint: 'rewrite it with waybill check --baseline',
    })
  expect(readFileSync(join(root, '.waybill-baseline.json'), 'utf8')).toBe(torn)
})

test.each([
  { marked: '.', root: '.', cwd: 'a', command: '..', paths: ['..'] },
  { marked: 'x', root: '.', cwd: 'a', command: '--root .. ..', paths: ['..'] },
  { marked: '.', root: 'b c', cwd: '.', command: "--root 'b c' 'b c'", paths: ['b c'] },
  { marked: '.', root: 'b c', cwd: 'b c', command: '--root . .', paths: ['.'] },
])('from $cwd the named remedy rewrites that of $root: $command', async place => {
  write(join(place.marked, 'waybill.yaml'), '')
  write('a/x.json', faulty)
  write('b c/x.json', faulty)
  write(join(place.root, '.waybill-baseline.json'), '<<<<<<< HEAD\n')
  const at = { root: join(root, place.root), cwd: join(root, place.cwd) }
  const hint = `rewrite it with waybill check --baseline ${place.command}`
  await expect(check({}, at)).rejects.toMatchObject({ hint })
  expect((await check({ baseline: true, paths: place.paths }, at)).summary.rejected).toBe(0)
})

test('a baseline of a newer version is neither read nor replaced', async () => {
  const newer = '{"version": 2, "excused": []}\n'
  write('a.json', faulty)
  write('.waybill-baseline.json', newer)
  for (const input of [{}, { baseline: true }])
    await expect(check(input)).rejects.toMatchObject({
      code: 'configuration',
      message: '.waybill-baseline.json has the newer version 2',
      hint: expect.stringContaining('delete the file'),
    })
  expect(readFileSync(join(root, '.waybill-baseline.json'), 'utf8')).toBe(newer)
})

test('a run under a contract keeps what it could not see of a document, and doubles nothing', async () => {
  const context = { ...JSON.parse(faulty), timestamp: 'now' }
  write('a.json', faulty)
  write('b.json', JSON.stringify(context))
  const whole = await check({ baseline: true })
  const entries = readFileSync(join(root, '.waybill-baseline.json'), 'utf8')
  expect(whole.baseline).toBe(3)
  await check({ baseline: true, contract: 'session-context' })
  await check({ baseline: true, contract: 'session-context' })
  expect(readFileSync(join(root, '.waybill-baseline.json'), 'utf8')).toBe(entries)
  await check({ baseline: true, contract: 'session-state' })
  expect((await check()).summary).toMatchObject({ rejected: 0, errors: 0 })
  write('a.json', sound)
  await check({ baseline: true, contract: 'session-context' })
  write('a.json', faulty)
  expect((await check()).summary).toMatchObject({ rejected: 1, errors: 1 })
})

test('entries that excuse nothing any more are counted when everything is checked', async () => {
  for (const path of ['a.json', 'b.json', 'c.json']) write(path, faulty)
  await check({ baseline: true })
  const unneeded = async (input = {}) => (await checkForPeople(input, box.app({}))).unneeded
  expect(await unneeded()).toBeUndefined()
  rmSync(join(root, 'a.json'))
  write('b.json', sound)
  expect(await unneeded()).toBe(2)
  expect(await unneeded({ paths: ['c.json'] })).toBeUndefined()
  // Its fault may be there still, behind the one that hides it.
  write('c.json', faulty.slice(0, -3))
  expect(await unneeded()).toBe(2)
  expect(await check()).not.toHaveProperty('unneeded')
  await check({ baseline: true })
  expect(await unneeded()).toBeUndefined()
  // The entry is kept when the baseline is written again, so no message asks for that.
  write('c.json', '{}')
  expect(await unneeded()).toBeUndefined()
})
