import { dump } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixturesOf, readFixture } from '../fixture.ts'
import { serialise } from './mutations.ts'
import { openSandbox, type Sandbox, SOUND } from './sandbox.ts'

const random = 'q7Zp2Lx9Vb4Nc8Rt1Ws6Yd3Kf5Hg0JmAe'
/**
 * What introduces a secret, in two parts so that no scanner takes this file for a leak; the secret that must not be
 * seen; and what follows it.
 */
const SECRETS: readonly (readonly [start: string, end: string, secret: string, after?: string])[] =
  [
    ['gh', 'p_', `${random}uT`],
    ['AK', 'IA', 'Q3ZX7LPV9BN4CRT2'],
    ['sk', '-ant-', random],
    ['pass', 'word = ', `hunter7-${random}`],
    ['https://', 'bob:', 'w0nderful-pa55word', '@host.example/x'],
    ['Authorization: ', 'Bearer ', random],
    ['postgres://', 'u:', 'p4ss&w0rd=Zx81', '@db/x'],
    ['https://hooks.', 'slack.com/services/', 'T01ABCDEF/B01ABCDEF/q7Zp2Lx9Vb4Nc8Rt1Ws6Yd3K'],
    ['eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', random],
  ]
/** The lines of a key, each of which may stand in a value of its own. */
const KEY = [
  `-----BEGIN RSA PRIV${'ATE'} KEY-----`,
  'MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfnygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpF5',
  'EMnY9tlicZLhCUJwnHBdHIyvNLVlRXFwF8JlMaLNy02K35uDNHfkf7J8Rszi0z4J',
  `-----END RSA PRIV${'ATE'} KEY-----`,
]
/** Shown by no form of its own, only by the key that it stands under. */
const LABELLED = 'p4"ss<w0rd\\Zx81/é~Kq'

let box: Sandbox
const files: string[] = []

beforeAll(async () => {
  box = openSandbox()
  for (const [n, [start, end, secret, after = '']] of SECRETS.entries()) {
    const planted = start + end + secret + after
    for (const [place, ending, text] of placesFor(planted)) {
      const file = `${place}-${n}.${ending}`
      box.write(file, text)
      files.push(file)
    }
    for (const id of ['handoff-document.v1', 'session-state.v1', 'agent-handoff.v1']) {
      const fixture = fixturesOf(id).find(f => f.kind === 'valid' && f.name === 'example')
      if (!fixture) throw new Error(`${id} has no example`)
      const { value, format } = await readFixture(fixture)
      const ending = { json: 'json', yaml: 'yaml', markdown: 'md' }[format]
      const file = `${id}-${n}.${ending}`
      box.write(file, serialise(everywhere(value, planted), format))
      files.push(file)
    }
  }
})
afterAll(() => box.remove())

/** The same words as every string of a value, and as a new key of every object. */
function everywhere(value: unknown, words: string): unknown {
  if (typeof value === 'string') return words
  if (Array.isArray(value)) return value.map(inner => everywhere(inner, words))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, inner]) => [key, everywhere(inner, words)])
  return Object.fromEntries([...members, [words, 1]])
}

type Place = readonly [place: string, ending: string, text: string]

function placesFor(planted: string): Place[] {
  const quoted = JSON.stringify(planted)
  const json = (value: unknown) => JSON.stringify(value, null, 1)
  const php = quoted.replaceAll('/', '\\/').replaceAll('&', '\\u0026').replaceAll('<', '\\u003c')
  const { session_id: _, ...rest } = SOUND
  return [
    ['key', 'json', json({ ...SOUND, [planted]: 1 })],
    ['value', 'json', json({ ...SOUND, session_id: planted })],
    [
      'escaped',
      'json',
      json({ ...SOUND, x: 'HERE' })
        .replace('"HERE"', php)
        .replace('1.0', '9'),
    ],
    ['enum', 'json', json({ ...SOUND, source_agent: { id: planted, family: planted } })],
    [
      'long',
      'json',
      json({ ...SOUND, timestamp: `${'x'.repeat(50)} ${planted} ${'y'.repeat(500)}` }),
    ],
    ['label', 'json', json({ ...SOUND, session_id: { password: LABELLED }, password: LABELLED })],
    ['twice', 'json', `{"a": 1, ${quoted}: 1, ${quoted}: 2}`],
    ['broken', 'json', json(SOUND).replace('"s-1"', `${quoted} ${quoted}`)],
    ['cut', 'json', json({ ...rest, session_id: planted }).slice(0, -40)],
    ['comment', 'yaml', `# ${planted}\nSESSION_STATE:\n  Phase: [ # ${planted}\n`],
    ['yaml', 'yaml', `SESSION_STATE:\n  Phase: ${quoted}\n  Mode: ${quoted}\n  ${quoted}: a\n`],
    ['block', 'yaml', `SESSION_STATE:\n  Phase: |\n    ${planted}\n  Mode: &${planted}\n`],
    [
      'heading',
      'md',
      `---\nschema: ${quoted}\n---\n# ${planted}\n\n## ${planted}\n\n- \`${planted}\`\n`,
    ],
    [
      'fence',
      'md',
      `# Title\n\n\`\`\`json\n{"session_id": ${quoted}, "schema_version": ${quoted}}\n\`\`\`\n`,
    ],
  ]
}

function leaks(output: string): string[] {
  // What JSON, XML and JSON Pointers write otherwise is meant all the same.
  const read = output
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\')
    .replaceAll('~1', '/')
  const found: string[] = []
  const secrets = [LABELLED, ...KEY.slice(1, -1), ...SECRETS.map(parts => parts[2])]
  for (const secret of secrets) {
    for (let at = 0; at + 8 <= secret.length; at++) {
      const piece = secret.slice(at, at + 8)
      const where = [read, output].find(text => text.includes(piece))
      if (where) found.push(where.slice(Math.max(0, where.indexOf(piece) - 150)).slice(0, 250))
    }
  }
  return found.slice(0, 1)
}

test.each(['text', 'json', 'sarif', 'github', 'junit'])(
  'no piece of a secret is in the results as %s',
  async format => {
    const { status, stdout, stderr } = await box.run('check', '--format', format, ...files)
    expect(status).toBe(1)
    expect(stdout.length).toBeGreaterThan(10_000)
    expect(leaks(stdout + stderr)).toEqual([])
  },
)

test('a baseline holds no piece of a secret', async () => {
  await box.run('check', '--baseline', ...files)
  const { stdout } = await box.run('check', '--format', 'json', '.waybill-baseline.json')
  expect(leaks(stdout)).toEqual([])
})

test('show repeats no piece of a secret', async () => {
  const keys = files.filter(file => /^key-\d/.test(file))
  for (const file of [...files.filter((_, i) => i % 17 === 0), ...keys]) {
    // Two at a time: all at once would take their time from each other.
    const runs = ['text', 'json'].map(format => box.run('show', '--format', format, file))
    for (const { stdout, stderr } of await Promise.all(runs))
      expect(leaks(stdout + stderr)).toEqual([])
  }
})

describe('a key whose lines are values of their own', () => {
  const { payload } = SOUND
  const context = { ...SOUND, payload: { ...payload, recommendations: KEY } }
  const state = { SESSION_STATE: { Phase: '1', Mode: 'NORMAL', Next: 'go on', Decisions: KEY } }
  const [begin, first, second, end] = KEY
  const handoff = `---\nmode: CREATE\nadr_id: ADR-0.3.0\nbranch: main\nagent: x\n---\n\n## Important Context\n\n${begin}\n${first}\n
## Evidence / Artifacts\n\n- \`${second}/x.ts\`\n${end}\n`
  const shown = ['show', 'brief', 'accept --session s-1', 'show --format json', 'check']

  test.each([
    ['lines.json', JSON.stringify(context), shown],
    ['lines.yaml', dump(context), shown.slice(0, 3)],
    ['state.json', JSON.stringify(state), ['show', 'brief', 'state show --file']],
    ['handoffs/lines.md', handoff, ['show', 'brief', 'check', 'resume']],
  ])('is masked line by line in %s', async (file, text, commands) => {
    box.write(file, text)
    for (const command of commands) {
      const { status, stdout, stderr } = await box.run(...command.split(' '), file)
      expect(leaks(stdout + stderr), command).toEqual([])
      expect(status, command).toBeLessThan(2)
    }
  })

  test('leaves the words between its lines as they are', async () => {
    box.write('handoffs/lines.md', handoff)
    const { stdout } = await box.run('show', 'handoffs/lines.md')
    expect(stdout).toMatch(/Important Context\n.*BEGIN RSA PRIV…\n+Evidence \/ Artifacts\n/)
  })
})

test('a secret in the name of a file is not printed', async () => {
  const [start = '', end = '', secret = ''] = SECRETS[0] ?? []
  const name = `${start}${end}${secret}.json`
  box.write(name, JSON.stringify({ ...SOUND, session_id: 1 }))
  const { stdout } = await box.run('check', name)
  expect(leaks(stdout)).toEqual([])
})
