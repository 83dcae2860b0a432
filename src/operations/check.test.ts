import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { WaybillError } from '../error.ts'
import checkOperation from './check.ts'
import type { App } from './operation.ts'

let box: TestFolder
let root: string
beforeEach(() => {
  box = openTestFolder()
  root = box.root
})
afterEach(() => box.remove())

const sound = SOUND
const faulty = FAULTY
const write = (path: string, text: string | Uint8Array) => box.write(path, text)
const check = (input: Parameters<typeof checkOperation.run>[0] = {}, more: Partial<App> = {}) =>
  checkOperation.run(input, box.app(more))
const codes = (output: Awaited<ReturnType<typeof check>>) =>
  output.documents.flatMap(d => d.diagnostics.map(x => x.code))

describe('a folder', () => {
  test('is searched for documents; files of other tools are passed over while walking', async () => {
    write('a/context.json', sound)
    write('package-lock.json', '{"name": "x", "lockfileVersion": 3, "packages": {}}')
    write('.github/workflows/ci.yml', 'on: push\njobs: {}\n')
    write('README.md', '# Hello\n')
    write('broken.json', '{')
    const output = await check()
    expect(output.documents.map(d => [d.path, d.contract])).toEqual([
      ['a/context.json', 'session-context'],
    ])
  })

  test('respects .gitignore, the configuration and Git’s own folders', async () => {
    write('.gitignore', 'out/\n!out/kept.json\n')
    write('waybill.yaml', 'ignore: [drafts/]\n')
    for (const path of [
      'out/a.json',
      'drafts/b.json',
      'node_modules/c.json',
      '.git/d.json',
      'e.json',
    ])
      write(path, sound)
    expect((await check()).documents.map(d => d.path)).toEqual(['e.json'])
  })

  test.each([
    ['out', '.gitignore'],
    ['drafts/deep', "'ignore' in waybill.yaml"],
  ])(
    '%s that is named and left out is an error, and its files can be named',
    async (folder, by) => {
      write('.gitignore', 'out/\n')
      write('waybill.yaml', 'ignore: [drafts/]\n')
      const file = `${folder}/a.json`
      write(file, sound)
      await expect(check({ paths: [folder] })).rejects.toMatchObject({
        code: 'usage',
        message: `${folder} is ignored by ${by}, so nothing in it is checked`,
      })
      expect((await check({ paths: [file] })).documents).toHaveLength(1)
      expect((await check({ paths: ['.'] })).documents).toHaveLength(0)
    },
  )

  test('of which every file is taken for one contract leaves out what is Waybill’s own', async () => {
    write('waybill.yaml', 'ignore: [drafts/]\n')
    write('.waybill-baseline.json', '{"version": 1, "faults": []}')
    write('a.json', sound)
    const contract = 'session-context'
    expect((await check({ contract })).documents.map(d => d.path)).toEqual(['a.json'])
    const paths = ['waybill.yaml']
    expect((await check({ contract, paths })).summary.rejected).toBe(1)
  })

  test.each([
    ['manifest', 'prompt-manifest'],
    ['lock', 'prompt-lock'],
  ])('tells of the %s that waybill.yaml names, however broken it is', async (kind, contract) => {
    write('waybill.yaml', `agents: {${kind}: ./conf/m.json}\n`)
    for (const [text, code] of [
      ['{', 'syntax/json'],
      ['{}', 'schema/required'],
    ] as const) {
      write('conf/m.json', text)
      for (const paths of [[], ['conf/m.json']]) {
        const { documents } = await check({ paths })
        expect(documents.map(d => [d.path, d.contract])).toEqual([['conf/m.json', contract]])
        expect(documents[0]?.diagnostics[0]?.code).toBe(code)
      }
    }
  })

  test('passes over drafts, which are not handed over', async () => {
    write('a.draft.json', FAULTY)
    write('b.json', sound)
    expect((await check()).documents.map(d => d.path)).toEqual(['b.json'])
    expect((await check({ paths: ['a.draft.json'] })).summary.rejected).toBe(1)
  })

  test('with links in a circle ends', async () => {
    write('a/x.json', sound)
    symlinkSync('..', join(root, 'a/up'))
    symlinkSync('self', join(root, 'self'))
    expect((await check()).documents).toHaveLength(1)
  })
})

describe('a path that the user names', () => {
  test('must be a document', async () => {
    write('a.json', '{"x": 1}')
    expect(codes(await check({ paths: ['a.json'] }))).toEqual(['document/unrecognised'])
  })

  test('may be given a contract', async () => {
    write('a.json', '{"x": 1}')
    const output = await check({ paths: ['a.json'], contract: 'session-context' })
    expect(output.documents[0]?.contract).toBe('session-context')
    expect(codes(output)).toContain('schema/required')
  })

  test('that does not exist is an error of the call', async () => {
    await expect(check({ paths: ['nowhere.json'] })).rejects.toThrow(WaybillError)
  })

  test('whose links go in a circle cannot be read', async () => {
    symlinkSync('b.json', join(root, 'a.json'))
    symlinkSync('a.json', join(root, 'b.json'))
    const output = await check({ paths: ['a.json'] })
    expect(output.documents[0]?.diagnostics[0]?.message).toContain('symbolic links form a loop')
  })
})

test('one bad file never stops a scan', async () => {
  write('a.json', sound)
  write('b.json', sound.replace('ps-analyst', 'ps-\xff'))
  write('c.json', Buffer.concat([Buffer.from(sound), Buffer.from([0xff])]))
  write('d.yaml', 'session_context:\n  a: [1\n')
  write('e.json', `{"session_context": ${'['.repeat(5000)}${']'.repeat(5000)}}`)
  write('f.json', sound + ' '.repeat(9 * 1024 * 1024))
  write('g.json', Buffer.from(`\uFEFF${sound}`, 'utf16le'))
  const output = await check()
  expect(output.documents.map(d => [d.path, d.accepted, d.diagnostics[0]?.code])).toEqual([
    ['a.json', true, undefined],
    ['b.json', false, 'schema/pattern'],
    ['c.json', false, 'syntax/encoding'],
    ['d.yaml', false, 'syntax/yaml'],
    ['e.json', false, 'syntax/too-deep'],
    ['f.json', false, 'syntax/too-large'],
    ['g.json', false, 'syntax/encoding'],
  ])
})

test('a file that cannot be read is a diagnostic, and so is what is no file at all', async () => {
  // Reading a process's memory from its beginning fails for every user, root included.
  symlinkSync('/proc/self/mem', join(root, 'a.json'))
  symlinkSync('/dev/zero', join(root, 'b.json'))
  const output = await check({ paths: ['a.json', 'b.json'] })
  expect(codes(output)).toEqual(['document/unreadable', 'document/unreadable'])
})

describe('Markdown', () => {
  const page = `# Report\n\n\`\`\`yaml\nsession_context:\n  schema_version: "1.0.0"\n\`\`\`\n`

  test('a block is addressed by the line of its opening fence', async () => {
    write('a.md', page)
    expect((await check()).documents[0]?.path).toBe('a.md#L3')
  })

  test('a Markdown file with a recognised block is not itself unrecognised', async () => {
    write('a.md', page)
    expect(codes(await check({ paths: ['a.md'] }))).not.toContain('document/unrecognised')
  })
})

test('a byte order mark and CRLF change no finding', async () => {
  write('a.json', faulty)
  const plain = await check()
  write('a.json', `\uFEFF${JSON.stringify(JSON.parse(faulty), null, 2).replaceAll('\n', '\r\n')}`)
  const windows = await check()
  const said = (o: typeof plain) =>
    o.documents.flatMap(d => d.diagnostics.map(x => [x.code, x.path, x.message]))
  expect(said(windows)).toEqual(said(plain))
  expect(said(plain)).not.toEqual([])
})

test('the same check at another time gives another result', async () => {
  write('a.json', sound)
  expect((await check()).summary.accepted).toBe(1)
  expect((await check({}, { now: Date.UTC(2025, 0, 1) })).summary.accepted).toBe(0)
})

test('structure only leaves every rule out and says so', async () => {
  write('a.json', faulty)
  const output = await check({ structureOnly: true })
  expect(output).toMatchObject({ structureOnly: true, summary: { accepted: 1 } })
  expect(output.documents[0]?.notRun).toContain('session-context/agent-id-names-family')
})

describe('the configuration', () => {
  const rule = 'session-context/agent-id-names-family'

  test('waybill.yaml changes the weight of a rule', async () => {
    write('a.json', faulty)
    write('waybill.yaml', `rules:\n  ${rule}: { severity: off, reason: ids are being renamed }\n`)
    const [document] = (await check()).documents
    expect(document).toMatchObject({
      accepted: true,
      suppressed: [{ code: rule, line: 1, reason: 'ids are being renamed' }],
    })
  })

  test.each([
    [
      'waybill.yaml may not lower what nothing excuses',
      'handoff-document/no-secrets',
      /waybill\.yaml:2:\d+ .* cannot be changed/,
    ],
    [
      'a rule that does not exist is refused with the one that was meant',
      'session-context/agent-id-name-family',
      /waybill\.yaml:2:\d+ .* does not exist/,
    ],
    [
      'a code of structure is no rule that could weigh something else',
      'schema/type',
      /waybill\.yaml:2:\d+ .* does not exist/,
    ],
  ])('%s', async (_, code, message) => {
    write('waybill.yaml', `rules:\n  ${code}: { severity: off, reason: x }\n`)
    await expect(check()).rejects.toThrow(message)
  })

  test('a faulty one is refused with every fault and its place', async () => {
    write('waybill.yaml', 'rulez: {}\nignore: 5\n')
    await expect(check()).rejects.toThrow(
      /waybill\.yaml:1:1 unknown key 'rulez'[\s\S]*waybill\.yaml:2:9/,
    )
  })
})

describe('standard input', () => {
  const stdin = async () => new TextEncoder().encode(faulty)

  test('is checked under the name that it is given', async () => {
    const output = await check({ paths: ['-'], stdinPath: 'deep/a.json' }, { stdin })
    expect(output.documents[0]).toMatchObject({
      path: 'deep/a.json',
      contract: 'session-context',
      accepted: false,
    })
  })

  test('needs no name', async () => {
    expect((await check({ paths: ['-'] }, { stdin })).documents[0]?.path).toBe('-')
  })

  test('that begins with a comment is what it is said to be, not Markdown', async () => {
    const stdin = async () => new TextEncoder().encode('# where we are\nPhase: 1\n')
    const output = await check({ paths: ['-'], contract: 'session-state' }, { stdin })
    expect(output.documents).toMatchObject([{ contract: 'session-state', accepted: true }])
  })
})

test('a file that cannot hold the named contract is reported with a hint', async () => {
  write('notes.md', '# Notes\n')
  const named = await check({ paths: ['notes.md'], contract: 'session-state' })
  expect(named.documents[0]?.diagnostics).toMatchObject([
    {
      code: 'document/unrecognised',
      hint: 'write it as YAML or JSON, in a file with that extension or in a fenced block',
    },
  ])
  expect((await check({ contract: 'session-state' })).documents).toEqual([])
})

test.each([
  ['another document', 'context.json'],
  ['a folder', 'states'],
  ['an unrecognised document', 'unknown.json'],
])('the state before is none where %s is named for it', async (_, previous) => {
  const fixtures = join(import.meta.dirname, '../contracts/session-state.v1/fixtures/valid')
  const state = readFileSync(join(fixtures, 'approved-gate-has-decision.yaml'))
  write('SESSION_STATE.yaml', state)
  write('states/one.yaml', state)
  write('states/two.yaml', state)
  write('context.json', sound)
  write('unknown.json', '{}')
  const given = { paths: ['SESSION_STATE.yaml'] }
  await expect(check({ ...given, previous })).rejects.toMatchObject({ code: 'usage' })
  expect((await check({ ...given, previous: 'states/one.yaml' })).documents).toHaveLength(1)
})
