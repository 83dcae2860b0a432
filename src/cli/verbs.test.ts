import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waybill as run } from '../../test/waybill.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-verbs-'))
  const context = {
    schema_version: '1.0.0',
    session_id: 's-1',
    source_agent: { id: 'ps-researcher', family: 'ps' },
    target_agent: { id: 'ps-analyst', family: 'ps' },
    timestamp: '2026-01-11T12:00:00Z',
    payload: {
      key_findings: [{ id: 'F-001', summary: 'It works.' }],
      confidence: { overall: 0.8 },
    },
  }
  writeFileSync(join(folder, 'sound.json'), JSON.stringify(context, null, 2))
  writeFileSync(join(folder, 'faulty.json'), JSON.stringify({ ...context, session_id: undefined }))
  mkdirSync(join(folder, 'bad'))
  writeFileSync(join(folder, 'bad/waybill.yaml'), 'nonsense: 1\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

function waybill(args: readonly string[], cwd = folder) {
  return run(args, { cwd, env: { NO_COLOR: '', FORCE_COLOR: '0' } })
}

test.each([
  ['explain', 0],
  ['explain schema/required', 0],
  ['explain schema/requird', 2],
  ['schema', 0],
  ['schema nothing-of-the-kind', 2],
  ['show sound.json', 0],
  ['show faulty.json', 1],
  ['show nowhere.json', 2],
  ['show .', 2],
  ['show', 2],
  ['init --dry-run', 0],
  ['doctor', 0],
  ['doctor --root bad', 2],
])('waybill %s exits with %i', async (line, status) => {
  const result = await waybill(line.split(' '))
  expect([result.status, result.stderr.includes('internal error')]).toEqual([status, false])
  const silent = status === 2 && !line.startsWith('doctor')
  expect(result.stdout === '').toBe(silent)
})

test.each([
  ['explain session-context/depth-at-most-one', ['rule']],
  ['explain', ['groups']],
  ['schema', ['contracts']],
  ['show faulty.json', ['documents', 'listed']],
  ['init --dry-run', ['root', 'dryRun', 'steps', 'keys', 'notes', 'next']],
  ['doctor', ['summary', 'items']],
])('waybill %s --format json prints one object and nothing else', async (line, keys) => {
  const { stdout, stderr } = await waybill([...line.split(' '), '--format', 'json'])
  expect(Object.keys(JSON.parse(stdout))).toEqual(keys)
  expect(stderr).toBe('')
})

test('an unknown code is answered with the one that was probably meant', async () => {
  expect((await waybill(['explain', 'no-placeholders'])).stderr).toBe(
    "waybill: unknown code 'no-placeholders'\n  did you mean handoff-document/no-placeholders?\n",
  )
})

test('show and check report the same faults', async () => {
  const shown = JSON.parse((await waybill(['show', 'faulty.json', '--format', 'json'])).stdout)
    .documents[0]
  const checked = JSON.parse((await waybill(['check', 'faulty.json', '--format', 'json'])).stdout)
    .documents[0]
  expect(shown).toMatchObject(checked)
})

test('--now decides how old a document is', async () => {
  expect((await waybill(['show', 'sound.json', '--now', '2026-01-12T12:00:00Z'])).stdout).toContain(
    '2026-01-11T12:00:00Z, 1 day ago',
  )
})

test('init and then check and doctor work in an empty folder', async () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  expect((await waybill(['init', '--root', '.'], empty)).status).toBe(0)
  expect(readdirSync(empty).sort()).toEqual(['.gitignore', '.waybill', 'waybill.yaml'])
  expect((await waybill(['check'], empty)).status).toBe(0)
  expect((await waybill(['doctor'], empty)).status).toBe(0)
})

test('every verb is on the help page, in the order in which people meet them', async () => {
  const { stdout } = await waybill(['--help'])
  const verbs = [...stdout.matchAll(/^ {2}([a-z]+)(?: <[a-z]+>)? +[A-Z]/gm)].map(m => m[1])
  const first = ['check', 'explain', 'show', 'schema', 'handoff', 'note', 'resume', 'brief']
  expect(verbs.slice(0, first.length)).toEqual(first)
})
