import fc from 'fast-check'
import { expect, test } from 'vitest'
import { catalogue } from './catalogue.generated.ts'
import { commandLine, type Request } from './parse.ts'
import { flagOf, formatsOf, readPlain, readServe } from './plain.ts'

const SILENT = { write: () => {} }

/** What the parser of all lines makes of one; nothing where it ends in help or an error. */
async function readAny(argv: readonly string[]): Promise<Request | undefined> {
  let asked: Request | undefined
  const line = commandLine(
    catalogue,
    argv,
    '0',
    async request => {
      asked = request
    },
    { complete: async () => {}, serve: async () => {}, stdout: SILENT, stderr: SILENT },
  )
  try {
    await line.parseAsync(argv, { from: 'user' })
  } catch {
    return undefined
  }
  return asked
}

const verbs = catalogue.map(({ operation }) => operation.name.split(' '))
const flags = catalogue.flatMap(({ operation }) =>
  Object.keys(operation.input.properties).map(flagOf),
)
const OTHERS = [
  '--format',
  '--now',
  '--root',
  '--quiet',
  '-q',
  '-qq',
  '-V',
  '-h',
  '--help',
  '--no-quiet',
]
const WORDS = [
  'a.json',
  'b c',
  '',
  '-',
  '--',
  '-x',
  '-1',
  'help',
  'completion',
  'null',
  '--format=json',
  ...formatsOf('check'),
]

const word = fc.oneof(
  fc.constantFrom(...verbs.flat()),
  fc.constantFrom(...flags, ...OTHERS),
  fc.constantFrom(...WORDS),
  fc.string({ maxLength: 4 }),
)
const lines = fc.tuple(fc.constantFrom(...verbs), fc.array(word, { maxLength: 6 }))

test('a line that is plain asks for what the parser of all lines says', async () => {
  let plain = 0
  await fc.assert(
    fc.asyncProperty(lines, async ([verb, words]) => {
      const argv = [...verb, ...words]
      const request = readPlain(catalogue, argv)
      if (!request) return
      plain++
      expect(request).toEqual(await readAny(argv))
    }),
    { numRuns: 3000 },
  )
  expect(plain).toBeGreaterThan(300)
})

test.each([
  ['a verb alone', ['check']],
  ['files and folders', ['check', 'a.json', 'docs', '-']],
  [
    'flags in full',
    ['check', '--format', 'json', '--quiet', 'a.json', '--contract', 'handoff-document'],
  ],
  ['a verb below a verb', ['lock', 'verify', '--lock', 'a.json', '-q']],
  ['a verb that holds others', ['lock', '--lock', 'verify', '--check']],
  ['a text that follows a verb below', ['note', 'The list is long', '--rule']],
  ['one place', ['show', 'a.md#L3', '-q', '--root', '.']],
])('plain is %s', async (_, argv) => {
  const request = readPlain(catalogue, argv)
  expect(request).toBeDefined()
  expect(request).toEqual(await readAny(argv))
})

test.each([
  ['no verb', []],
  ['a verb that is none', ['chekc']],
  ['help', ['check', '--help']],
  ['a flag that is none', ['check', '--nothing']],
  ['a flag with its value in one word', ['check', '--format=json']],
  ['a flag without its value', ['check', '--format']],
  ['a value that looks like a flag', ['check', '--contract', '-x']],
  ['a value that is no choice', ['check', '--format', 'xml']],
  ['a flag that may stand without its value', ['check', '--changed', 'main']],
  ['a flag that is given twice', ['check', '--now', 'a', '--now', 'b']],
  ['a word too many', ['show', 'a.md', 'b.md']],
  ['a flag before the second verb', ['lock', '--quiet', 'verify']],
  ['a second verb that is none', ['lock', 'verfy']],
  ['a word too few', ['show']],
  ['a verb below behind a flag', ['note', '--rule', 'list']],
  ['help as a word', ['note', 'help']],
])('not plain is %s', (_, argv) => expect(readPlain(catalogue, argv)).toBeUndefined())

test.each<[string[], ReturnType<typeof readServe>]>([
  [['mcp'], {}],
  [['mcp', '--root', 'a', '--now', 'b'], { root: 'a', now: 'b' }],
  [['mcp', '--quiet'], undefined],
  [['mcp', '--format', 'json'], undefined],
  [['mcp', '--help'], undefined],
  [['mcp', 'a'], undefined],
  [['check'], undefined],
])('the line %j starts the server of tools with %j', (argv, expected) =>
  expect(readServe(argv)).toEqual(expected),
)
