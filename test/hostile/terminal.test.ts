import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixturesOf, readFixture } from '../fixture.ts'
import { serialise } from './mutations.ts'
import { openSandbox, type Sandbox, SOUND } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = openSandbox()
})
afterEach(() => box.remove())

const ESCAPES = '\x1b[2J\x1b]0;owned\x07\x9b31m\r\n::error::owned\u202e</failure>]]>'
/** What moves a cursor, colours, or ends a line that is not ours. */
const RAW = /[^\P{Cc}\n]/u

test('escape sequences in every string and key of every contract never reach a terminal', async () => {
  const files: string[] = []
  for (const id of ['session-context.v1', 'session-state.v1', 'handoff-document.v1']) {
    for (const fixture of fixturesOf(id).filter(f => f.kind === 'invalid')) {
      const { value, format } = await readFixture(fixture)
      if (value === undefined) continue
      const ending = { json: 'json', yaml: 'yaml', markdown: 'md' }[format]
      files.push(`${id}-${fixture.name}.${ending}`)
      box.write(files.at(-1) ?? '', serialise(poisoned(value), format))
    }
  }
  box.write('plain.json', JSON.stringify(poisoned(SOUND)))
  const text = await box.run('check', '--contract', 'session-context', 'plain.json')
  const all = await box.run('check', ...files)
  const github = await box.run('check', '--format', 'github', ...files)
  const shown = await box.run('show', 'plain.json')
  for (const { stdout, stderr } of [text, all, github, shown]) {
    expect(RAW.exec(stdout + stderr)?.[0].codePointAt(0)).toBeUndefined()
  }
  expect(github.stdout).not.toMatch(/^::error::owned/m)
})

function poisoned(value: unknown): unknown {
  if (typeof value === 'string') return value + ESCAPES
  if (Array.isArray(value)) return value.map(poisoned)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, inner]) => [key, poisoned(inner)] as const)
  return Object.fromEntries([...members, [`new${ESCAPES}`, 1]])
}

const NAMES = [
  'a\x1b[31mb\x07.json',
  'a\n::error file=b::owned\r\n.json',
  'a"><failure>&amp;\'%0A::,.json',
  'a#L3#b.json',
  'a\u202enosj.json',
  '--baseline.json',
  `${'é'.repeat(120)}.json`,
]

test('no name of a file breaks an output', async () => {
  for (const name of NAMES) box.write(name, JSON.stringify({ ...SOUND, session_id: 1 }))
  const check = (format: string) => box.run('check', '--format', format, '--', ...NAMES)
  const github = await check('github')
  const text = await check('text')
  const show = await box.run('show', '--', NAMES[0] ?? '')
  for (const { stdout, stderr } of [text, show, github]) {
    expect(RAW.exec(stdout + stderr)?.[0].codePointAt(0)).toBeUndefined()
  }
  expect(text.stdout).toContain('✗ a#L3#b.json')
  const lines = github.stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(NAMES.length + 1)
  expect(lines.slice(0, -1).filter(line => !line.startsWith('::error file='))).toEqual([])
  const json = JSON.parse((await check('json')).stdout)
  expect(json.documents.map((d: { path: string }) => d.path).sort()).toEqual([...NAMES].sort())
  const sarif = JSON.parse((await check('sarif')).stdout)
  const uris = sarif.runs[0].results.map(
    (r: Located) => r.locations[0]?.physicalLocation.artifactLocation.uri,
  )
  expect(uris.map(decodeURIComponent).sort()).toEqual([...NAMES].sort())
  const junit = (await check('junit')).stdout
  expect(junit.match(/<failure /g)).toHaveLength(NAMES.length)
  expect(junit.match(/<testcase /g)).toHaveLength(NAMES.length)
})

interface Located {
  readonly locations: readonly { physicalLocation: { artifactLocation: { uri: string } } }[]
}

test('what does not exist is named without its escape sequences', async () => {
  const { status, stderr } = await box.run('check', 'no\x1b[2Jthing')
  expect(status).toBe(2)
  expect(stderr).toContain('no\\u{1b}[2Jthing does not exist')
})
