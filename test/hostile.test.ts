import { execFileSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CheckOutput } from '../src/operations/check/output.ts'
import { fixturesOf } from './fixture.ts'
import { openSandbox, type Sandbox, SOUND } from './hostile/sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = openSandbox()
})
afterEach(() => box.remove())

const MEBIBYTE = 1024 ** 2
const sound = JSON.stringify(SOUND)

async function check(...args: readonly string[]): Promise<CheckOutput> {
  const { stdout } = await box.run('check', '--format', 'json', ...args)
  return JSON.parse(stdout)
}

/** A file that takes up no room: its beginning, then NUL. */
function sparse(path: string, beginning: string, bytes: number): void {
  const descriptor = openSync(join(box.root, path), 'w')
  writeSync(descriptor, beginning)
  ftruncateSync(descriptor, bytes)
  closeSync(descriptor)
}

const utf16 = Buffer.from(`\ufeff${sound}`, 'utf16le')
const fields = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}": ${i}`).join()

const TEXTS: readonly (readonly [what: string, ending: string, content: string | Uint8Array])[] = [
  ['nothing', 'json', ''],
  ['nothing', 'md', ''],
  ['white space', 'json', ' \n\t\r\n '],
  ['white space', 'yaml', ' \n \n'],
  ['binary data', 'json', Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)],
  ['binary data', 'md', Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)],
  ['NUL bytes', 'json', sound.replace('s-1', '\0\0')],
  ['NUL bytes', 'yaml', 'a: \0\n'],
  ['a lone surrogate', 'json', sound.replace('s-1', '\\ud800')],
  ['invalid UTF-8', 'json', Buffer.from(sound.replace('s-1', '\u00ff'), 'latin1')],
  ['invalid UTF-8', 'md', Buffer.from('# Title\n\n\u00e9\u00ff\n', 'latin1')],
  ['UTF-16, little end first', 'json', utf16],
  ['UTF-16, big end first', 'json', Buffer.from(utf16).swap16()],
  ['10,000 arrays', 'json', '['.repeat(10_000)],
  ['10,000 closed objects', 'json', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['10,000 flow sequences', 'yaml', '['.repeat(10_000)],
  ['10,000 block sequences', 'yaml', `${'- '.repeat(10_000)}a`],
  ['10,000 mappings', 'yaml', Array.from({ length: 3000 }, (_, i) => ' '.repeat(i)).join('a:\n')],
  ['10,000 quotes', 'md', `${'>'.repeat(10_000)} a`],
  ['10,000 lists', 'md', '- '.repeat(10_000)],
  ['an alias bomb', 'yaml', aliasBomb()],
  ['an alias to itself', 'yaml', 'a: &a [*a]\n'],
  ['a merge key', 'yaml', 'a: &a {b: 1}\nc: {<<: *a}\n'],
  ['a tag for code', 'yaml', 'a: !!js/function "function () { return 1 }"\n'],
  ['50,000 keys', 'json', `{${fields(50_000)}}`],
  ['50,000 keys', 'yaml', fields(50_000).replaceAll(',', '\n')],
  ['50,000 keys twice', 'json', `{${fields(50_000)},${fields(50_000)}}`],
  ['one line of 1 MB', 'json', `{"a": "${'x'.repeat(MEBIBYTE)}"`],
  ['one line of 1 MB', 'yaml', `a: "${'x'.repeat(MEBIBYTE)}`],
  ['one line of 1 MB', 'md', `---\na: [\n---\n${'x'.repeat(MEBIBYTE)}`],
  ['open brackets', 'md', `---\na: [\n---\n${'['.repeat(50_000)}`],
  ['runs of backticks', 'md', `---\na: [\n---\n${backticks()}`],
  ['open comments', 'md', `---\na: [\n---\n${'<!--'.repeat(50_000)}`],
  ['10,000 open blocks', 'md', `---\na: [\n---\n${'```json\n{\n```\n'.repeat(10_000)}`],
  ['an unfinished merge', 'json', `<<<<<<< a\n${sound}\n=======\n${sound}\n>>>>>>> b\n`],
]

function aliasBomb(): string {
  const lines = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)
  return `a0: &a0 lol\n${lines.join('\n')}\n`
}

function backticks(): string {
  return Array.from({ length: 400 }, (_, i) => '`'.repeat(i + 1)).join(' ')
}

test('every bad text is refused for what is wrong with it, in one run', async () => {
  const files = TEXTS.map(([, ending, content], i) => {
    box.write(`${i}.${ending}`, content)
    return `${i}.${ending}`
  })
  const { documents } = await check('--contract', 'session-context', ...files.slice(0, 13))
  const rest = await check(...files.slice(13))
  const refused = new Map([...documents, ...rest.documents].map(d => [d.path, d]))
  for (const [i, [what, ending]] of TEXTS.entries()) {
    const document = refused.get(`${i}.${ending}`)
    expect(document?.accepted, `${what} as ${ending}`).toBe(false)
    expect(document?.diagnostics[0]?.message, `${what} as ${ending}`).toBeTruthy()
  }
})

test('CRLF, a lone CR and a byte order mark change nothing', async () => {
  const text = JSON.stringify(SOUND, null, 2)
  box.write('crlf.json', text.replaceAll('\n', '\r\n'))
  box.write('cr.json', text.replaceAll('\n', '\r'))
  box.write('mark.json', `\ufeff${text}`)
  const { summary } = await check('crlf.json', 'cr.json', 'mark.json')
  expect(summary).toMatchObject({ documents: 3, accepted: 3 })
})

describe('a document that is cut off', () => {
  /** The results of a valid text by the place at which it was cut, and of all of it. */
  async function cutsOf(id: string, step: number) {
    const fixture = fixturesOf(id).find(f => f.kind === 'valid' && f.name === 'example')
    const bytes = readFileSync(fixture?.file ?? '')
    const text = bytes.toString().trimEnd()
    const ending = fixture?.file.split('.').at(-1)
    for (let end = 0; end < bytes.length; end += step)
      box.write(`cut/${end}.${ending}`, bytes.subarray(0, end))
    box.write(`cut/${bytes.length}.${ending}`, bytes)
    const { documents } = await check('cut')
    const codes = documents.flatMap(d => d.diagnostics.map(({ code }) => code))
    expect(codes).not.toContain('internal/rule-failed')
    const cuts = documents.map(d => ({ ...d, end: Number(/[0-9]+/.exec(d.path)?.[0]) }))
    return { text, cuts: cuts.sort((a, b) => a.end - b.end) }
  }

  test('is refused at every byte of JSON', async () => {
    const { text, cuts } = await cutsOf('mission-envelope.v1', 1)
    const accepted = cuts.filter(cut => cut.accepted).map(({ end }) => end)
    expect(accepted).toEqual([text.length, text.length + 1])
    expect(cuts[0]?.end).toBeLessThan(50)
    expect(cuts.every(({ end }, i) => end === i + (cuts[0]?.end ?? 0))).toBe(true)
  })

  // YAML has no end: what is cut off behind all that is demanded may be a smaller document.
  test('is refused up to the last part of YAML that its phase demands', async () => {
    const { text, cuts } = await cutsOf('session-state.v1', 7)
    const last = text.indexOf('AffectedServices:')
    expect(cuts.find(cut => cut.accepted)?.end).toBeGreaterThan(last)
    expect(cuts.at(-1)?.accepted).toBe(true)
  })

  test('is refused up to the last section that Markdown needs, for what is missing', async () => {
    const { text, cuts } = await cutsOf('handoff-document.v1', 7)
    const before = cuts.filter(({ end }) => end < text.indexOf('## Evidence'))
    const named = before.filter(({ contract }) => contract === 'handoff-document')
    expect(before.every(({ accepted }) => !accepted)).toBe(true)
    expect(named.length).toBeGreaterThan(100)
    for (const { diagnostics } of named)
      expect(diagnostics.map(({ code }) => code).join()).toMatch(
        /required-sections|sections-not-empty|syntax|schema/,
      )
  })
})

test('100 MB are refused by their size without being read', async () => {
  sparse('big.json', '{"schema_name": "mission_envelope",', 100 * MEBIBYTE)
  sparse('big.md', '---\nschema: handoff\n---\n# Handoff\n', 100 * MEBIBYTE)
  sparse('big.yaml', 'SESSION_STATE:\n', 100 * MEBIBYTE)
  const { documents } = await check('big.json', 'big.md', 'big.yaml')
  expect(documents.map(d => d.diagnostics.map(({ code }) => code))).toEqual(
    documents.map(() => expect.arrayContaining(['syntax/too-large'])),
  )
  expect(documents).toHaveLength(3)
})

describe('odd things in the file system', () => {
  const pipe = (name: string) => execFileSync('mkfifo', [join(box.root, name)])

  test('pipes, devices, folders and broken links with names of documents', async () => {
    pipe('pipe.json')
    mkdirSync(join(box.root, 'folder.json'))
    symlinkSync('/dev/zero', join(box.root, 'zero.json'))
    symlinkSync('loop.json', join(box.root, 'loop.json'))
    symlinkSync('.', join(box.root, 'round'))
    box.write('sound.json', sound)
    const { summary } = await check()
    expect(summary).toMatchObject({ documents: 1, accepted: 1 })
    const named = await check('pipe.json', 'zero.json', 'loop.json', 'folder.json')
    expect(named.documents.map(d => [d.path, d.diagnostics[0]?.code])).toEqual([
      ['loop.json', 'document/unreadable'],
      ['pipe.json', 'document/unreadable'],
      ['zero.json', 'document/unreadable'],
    ])
  })

  test.each(['waybill.yaml', '.gitignore', '.waybill-baseline.json'])(
    'a pipe or an endless device instead of %s is an error of the configuration',
    async name => {
      box.write('sound.json', sound)
      pipe(name)
      const piped = await box.run('check')
      execFileSync('rm', [join(box.root, name)])
      symlinkSync('/dev/zero', join(box.root, name))
      const endless = await box.run('check')
      expect([piped.status, endless.status]).toEqual([2, 2])
      expect(endless.stderr).toContain(name)
    },
  )

  test('links are not followed out of the repository while walking', async () => {
    const other = openSandbox()
    try {
      other.write('secret/a.json', sound)
      symlinkSync(join(other.root, 'secret'), join(box.root, 'out'))
      symlinkSync(join(other.root, 'secret/a.json'), join(box.root, 'a.json'))
      expect((await check()).summary.documents).toBe(0)
    } finally {
      other.remove()
    }
  })

  test('a .gitignore of 100,000 lines or with patterns that explode takes no time without end', async () => {
    const name = `${'a'.repeat(200)}.json`
    const deep = 'a/'.repeat(100)
    box.write(name, sound)
    box.write(`${deep}b.json`, sound)
    const bombs = ['*a'.repeat(40), '**/a/'.repeat(40), `${'[a-z]*'.repeat(40)}x`, '[', '\\', '!']
    box.write('.gitignore', bombs.map(bomb => `${bomb}c\n`).join(''))
    expect((await check()).summary.documents).toBe(2)
    const lines = Array.from({ length: 100_000 }, (_, i) => `*${i}x`)
    box.write('.gitignore', `${lines.join('\n')}\n`)
    expect((await check()).summary.documents).toBe(2)
  })

  test('an evidence glob that explodes takes no time without end', async () => {
    const fixture = fixturesOf('handoff-document.v1').find(f => f.name === 'example')
    const example = readFileSync(fixture?.file ?? '', 'utf8')
    const bombs = [
      '{a,b}'.repeat(40),
      `${'*a'.repeat(40)}b`,
      '{1..1000000000}',
      '**/'.repeat(60),
      `${'{a,'.repeat(500)}b${'}'.repeat(500)}`,
      '+(+(+(a)))b*',
    ]
    const added = bombs.map(bomb => `- \`x/${bomb}.json\`: the bomb`).join('\n')
    box.write('x/'.concat('a'.repeat(200)), '')
    box.write(
      'handoffs/2026-02-11T14-30-00Z-x.md',
      example.replace(/(- `config\/\*)/, `${added}\n$1`),
    )
    const { documents } = await check('handoffs')
    expect(documents[0]?.accepted).toBe(false)
  })
})

describe('hostile settings', () => {
  test.each([
    ['an unknown key', 'rules: 1\n'],
    ['an unknown rule', 'rules: {constructor/toString: {severity: "off", reason: a}}\n'],
    ['a prototype', '__proto__: {rules: 1}\n'],
    ['an alias bomb', aliasBomb()],
    ['binary data', '\0\x1b[2J'],
    ['deep nesting', `${'['.repeat(20_000)}`],
  ])('waybill.yaml with %s is refused', async (_, text) => {
    box.write('waybill.yaml', text)
    const { status, stderr } = await box.run('check')
    expect(status).toBe(2)
    expect(stderr).not.toContain('\x1b')
  })

  test.each([
    ['no JSON', '{'],
    ['a wrong shape', '{"version": 1, "faults": [null]}'],
    ['deep nesting', '['.repeat(200_000)],
    ['prototypes', '{"version": 2, "__proto__": {"version": 1, "faults": []}}'],
  ])('a baseline with %s is refused', async (_, text) => {
    box.write('.waybill-baseline.json', text)
    expect((await box.run('check')).status).toBe(2)
  })
})

test('files that may not be read are named, and the others are checked', async () => {
  // Permissions do not bind the superuser, but a file that no longer exists cannot be read.
  writeFileSync(
    Buffer.concat([Buffer.from(`${box.root}/odd-`), Buffer.of(0xff, 0xfe), Buffer.from('.json')]),
    sound,
  )
  box.write('sound.json', sound)
  const { summary, documents } = await check()
  expect(summary.documents).toBe(2)
  expect(documents.map(d => d.accepted).sort()).toEqual([false, true])
})
