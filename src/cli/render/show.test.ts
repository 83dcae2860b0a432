import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, SOUND, type TestFolder } from '../../../test/test-folder.ts'
import check from '../../operations/check.ts'
import show from '../../operations/show.ts'
import { style } from '../terminal.ts'
import * as showText from './show.ts'

let box: TestFolder
beforeEach(() => {
  box = openTestFolder()
})
afterEach(() => box.remove())

async function shown(path: string): Promise<string[]> {
  const app = box.app()
  return showText.text(await showText.forPeople({ path }, app), style(false), app).split('\n')
}

test('what is excused is printed by code and place, whatever excuses it', async () => {
  box.write('ORCHESTRATION.yaml', 'pipelines: {a: {phases: [{id: 1, status: DONE}]}}\n')
  await check.run({ baseline: true }, box.app())
  const { documents } = await check.run({}, box.app())
  const excused = documents.flatMap(({ suppressed }) => suppressed)
  expect(excused.length).toBeGreaterThan(0)
  const lines = await shown('ORCHESTRATION.yaml')
  for (const { code, line } of excused)
    expect(lines).toContain(`excused ${code} ORCHESTRATION.yaml:${line}: in the baseline`)
  const count = excused.length === 1 ? '1 fault' : `${excused.length} faults`
  expect(lines.at(-1)).toMatch(new RegExp(`^✓ accepted, ${count} excused( \\(|$)`))
})

test('of a rule that is lowered the reason is printed, together with what is still wrong', async () => {
  box.write(
    'waybill.yaml',
    'rules: {session-context/agent-id-names-family: {severity: off, reason: old names}}\n',
  )
  const faulty = SOUND.replace('ps-researcher', 'nse-architect')
  box.write('a.json', faulty)
  const accepted = await shown('a.json')
  const excused = /^excused session-context\/agent-id-names-family a\.json:[56]: old names$/
  expect(accepted).toContainEqual(expect.stringMatching(excused))
  expect(accepted.at(-1)).toMatch(/^✓ accepted, 1 fault excused/)
  box.write('a.json', faulty.replace('"s-1"', '1'))
  const rejected = /^✗ rejected: 1 error, 0 warnings, 1 fault excused/
  expect((await shown('a.json')).at(-1)).toMatch(rejected)
})

test('an info says what to do, and where; the same is advised once', async () => {
  box.write('ORCHESTRATION.yaml', 'pipelines: {}\npipelinez: 1\nbarrierz: 2\n')
  const diagnostics = (await check.run({}, box.app())).documents.flatMap(d => d.diagnostics)
  const hinted = diagnostics.filter(({ severity, hint }) => severity === 'info' && hint)
  expect(hinted.length).toBeGreaterThan(0)
  const text = (await shown('ORCHESTRATION.yaml')).join('\n')
  for (const { code, message, hint, line, column } of hinted)
    expect(text).toContain(`info[${code}] ${message}; ${hint} ORCHESTRATION.yaml:${line}:${column}`)
})

test('what is excused by the hundred is counted', async () => {
  const phases = Array.from({ length: 40 }, (_, id) => `{id: ${id + 1}, status: DONE}`)
  box.write('ORCHESTRATION.yaml', `pipelines: {a: {phases: [${phases.join(', ')}]}}\n`)
  await check.run({ baseline: true }, box.app())
  const lines = (await shown('ORCHESTRATION.yaml')).filter(line => line.startsWith('excused'))
  expect(lines).toHaveLength(13)
  expect(lines.at(-1)).toMatch(/^excused \d\d+ more; --format json lists them$/)
})

test('keys that the contract does not know are named, and what stands behind them is not', async () => {
  const token = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5'}`
  const document = JSON.parse(SOUND)
  document.payload.key_findings[0].finding = 'It leaks.'
  document.payload.score = 92.1
  document.payload[token] = 1
  document.payload.c = 1
  document.payload['c.d'] = 1
  document.payload[`two\nlines ${'x'.repeat(80)}`] = 1
  box.write('a.json', JSON.stringify(document))
  const text = (await shown('a.json')).join(' ').replaceAll(/\s+/g, ' ')
  expect(text).toMatch(
    / not shown: payload\.key_findings\.\*\.finding, payload\.score, payload\.'ghp_\S+', payload\.c, payload\.'c\.d' and payload\.'two\S+ ?lines x+…'; not defined by the contract /,
  )
  expect(text).not.toContain(token)
  expect((await show.run({ path: 'a.json' }, box.app())).documents[0]?.notShown).toMatchObject([
    '/payload/key_findings/*/finding',
    '/payload/score',
    expect.stringMatching(/^\/payload\/ghp_/),
    '/payload/c',
    '/payload/c.d',
    expect.stringContaining('lines x'),
  ])
  box.write('a.json', SOUND)
  expect((await shown('a.json')).join()).not.toContain('not shown')
})
