import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { waybill as run } from '../../test/waybill.ts'

const program = join(import.meta.dirname, 'waybill.ts')
const folder = mkdtempSync(join(tmpdir(), 'waybill-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

function waybill(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
) {
  const { input = '', env = {} } = options
  return run(args, { cwd: folder, stdin: input, env: { NO_COLOR: '', FORCE_COLOR: '0', ...env } })
}

const sound = {
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: 'ps-researcher', family: 'ps' },
  target_agent: { id: 'ps-analyst', family: 'ps' },
  timestamp: '2026-01-11T12:00:00Z',
  payload: { key_findings: [], confidence: { overall: 0.8 } },
}
const { session_id: _, ...faulty } = sound
writeFileSync(join(folder, 'sound.json'), JSON.stringify(sound, null, 2))
writeFileSync(join(folder, 'faulty.json'), JSON.stringify(faulty, null, 2))

describe('exit codes', () => {
  test.each([
    ['0 when every document is accepted', ['check', 'sound.json'], 0],
    ['1 when one is rejected', ['check'], 1],
    ['2 for a path that does not exist', ['check', 'nowhere'], 2],
    ['2 for a path that is empty, which would stand for all of this folder', ['check', ''], 2],
    ['2 for a file as the root', ['doctor', '--root', 'sound.json'], 2],
    ['2 for a number that is empty, and would be 0', ['log', 'export', '--from', ''], 2],
    ['2 for a number that is not written in digits', ['log', 'export', '--from', '1e2'], 2],
    ['2 for a number of another base', ['log', 'export', '--from', '0x10'], 2],
    ['0 for a number in digits', ['log', 'export', '--from', '010'], 0],
    ['2 for an id that is empty', ['log', 'show', ''], 2],
    ['2 for a flag that does not exist', ['check', '--no-such-flag'], 2],
    ['2 for a verb that does not exist', ['chekc'], 2],
    ['2 for a verb without a flag that it needs', ['log', 'migrate'], 2],
    ['2 for a time that is none', ['check', '--now', 'today'], 2],
    ['2 for a contract that does not exist', ['check', 'sound.json', '--contract', 'nothing'], 2],
    ['0 for help', ['check', '--help'], 0],
    ['0 for the version', ['--version'], 0],
  ])('%s', async (_, args, status) => expect((await waybill(args)).status).toBe(status))
})

test.each([
  { format: 'text', named: true },
  { format: 'github', named: true },
  { format: 'sarif', named: true },
  { format: 'junit', named: false },
  { format: 'json', named: true },
])(
  'what is passed over though it has keys of a document: $format names it: $named',
  async given => {
    writeFileSync(join(folder, 'plan.yaml'), 'workflow_id: x\nbarriers: {}\n')
    const { stdout } = await waybill(['check', '--quiet', '--format', given.format])
    rmSync(join(folder, 'plan.yaml'))
    expect(stdout).toContain('faulty.json')
    expect(stdout.includes('plan.yaml')).toBe(given.named)
  },
)

describe('a credential that was pasted as an argument', () => {
  const token = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5'}`
  test.each([
    ['for a path', ['check', token]],
    ['for a verb', [token]],
    ['for a flag', ['log', 'show', `--${token}`]],
    ['for one argument too many', ['log', 'migrate', '--to', 'postgres', token]],
    ['for one of several values', ['check', 'sound.json', '--format', token]],
    ['for a time', ['check', 'sound.json', '--now', token]],
    ['for a folder', ['doctor', '--root', token]],
    ['for an address', ['log', 'witness', '--serve', token]],
  ])('%s is not repeated', async (_, args) => {
    const { stdout, stderr, status } = await waybill(args)
    expect(status).toBe(2)
    expect(stdout + stderr).not.toContain(token)
    expect(stderr).toContain('ghp_…')
  })
})

test('a second text for a flag that takes one is refused, because the first would be lost', async () => {
  const { stderr, status } = await waybill(['handoff', '--state', 'a', '--state', 'b'])
  expect([status, stderr]).toEqual([2, expect.stringContaining('It is given twice')])
})

test('a time that is empty is reported as empty', async () => {
  const { stderr, status } = await waybill(['check', '--now='])
  expect([status, stderr]).toEqual([2, expect.stringContaining('--now is empty')])
})

test('machine output alone goes to standard output, and errors of the call to standard error', async () => {
  const { stdout, stderr } = await waybill(['check', 'nowhere', '--format', 'json'])
  expect(stdout).toBe('')
  expect(stderr).toContain('nowhere does not exist')
  expect(JSON.parse((await waybill(['check', '--format', 'json'])).stdout)).toMatchObject({
    summary: { documents: 2, accepted: 1, rejected: 1, errors: 1, warnings: 0 },
    ignored: 0,
    structureOnly: false,
    documents: [
      {
        path: 'faulty.json',
        contract: 'session-context',
        version: 'v1',
        accepted: false,
        diagnostics: [
          { code: 'schema/required', severity: 'error', path: '/session_id', line: 1, column: 1 },
        ],
      },
      { path: 'sound.json', accepted: true, diagnostics: [], suppressed: [] },
    ],
  })
})

test('text shows the place, the line, what to do, and a summary', async () => {
  const { stdout } = await waybill(['check', 'faulty.json'])
  expect(stdout).toContain("error[schema/required] 'session_id' is missing")
  expect(stdout).toContain('faulty.json:1:1')
  expect(stdout).toMatch(/1 │ \{\n\s+│ \^/)
  expect(stdout).toContain('fix: add it')
  expect(stdout).toContain('✗ 1 of 1 document rejected (1 error, 0 warnings)')
})

test('colour is for terminals, and for those who ask for it', async () => {
  const start = String.fromCharCode(27)
  expect((await waybill(['check', 'faulty.json'])).stdout).not.toContain(start)
  expect((await waybill(['check', 'faulty.json'], { env: { FORCE_COLOR: '1' } })).stdout).toContain(
    `${start}[31m`,
  )
  expect(
    (await waybill(['check', 'faulty.json'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout,
  ).not.toContain(start)
})

test.skipIf(!existsSync('/dev/full')).each([
  { what: 'a result', args: ['check', 'faulty.json'] },
  { what: 'the help of a verb', args: ['check', '--help'] },
  { what: 'all help', args: ['--help'] },
])('$what that cannot be written is a fault of ours, in one line', ({ args }) => {
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, program, ...args],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(stderr).toBe('waybill: the output cannot be written (ENOSPC)\n')
  expect(status).toBe(2)
})

test.skipIf(!existsSync('/dev/full'))('so it is where another listener exists', () => {
  // As a second thread does, whose output goes the same way.
  const script = `process.stdout.on('error', () => {})
const { print } = await import(process.argv[1])
print('x')`
  const { status, stderr } = spawnSync(
    'sh',
    [
      '-c',
      'exec "$0" --input-type=module --eval "$1" "$2" > /dev/full',
      process.execPath,
      script,
      join(import.meta.dirname, 'terminal.ts'),
    ],
    { encoding: 'utf8' },
  )
  expect(stderr).toContain('cannot be written (ENOSPC)')
  expect(status).toBe(2)
})

test('a reader that goes away ends the run without a stack trace', () => {
  for (let i = 0; i < 300; i++)
    writeFileSync(join(folder, `many-${i}.json`), JSON.stringify(faulty))
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', `"$0" "$1" check | head -1`, process.execPath, program],
    { cwd: folder, encoding: 'utf8' },
  )
  for (let i = 0; i < 300; i++) rmSync(join(folder, `many-${i}.json`))
  expect(stdout.split('\n')).toHaveLength(2)
  expect(stderr).toBe('')
})

test.each([
  { what: 'a document that is accepted', args: ['check', 'sound.json'], status: 0 },
  { what: 'one that is rejected', args: ['check', 'faulty.json'], status: 1 },
  {
    what: 'one that is rejected, as JSON',
    args: ['check', 'faulty.json', '--format', 'json'],
    status: 1,
  },
  { what: 'what has no end of its own', args: ['--version'], status: 141 },
])('$what has its exit code where its output is not read', async ({ args, status }) => {
  // It begins when its reader has gone.
  const script = 'read begin; exec "$0" "$@"'
  const child = spawn('sh', ['-c', script, process.execPath, program, ...args], { cwd: folder })
  child.stdout.destroy()
  await once(child.stdout, 'close')
  child.stdin.end('\n')
  expect(await once(child, 'exit')).toEqual([status, null])
})

test('standard input is a document', async () => {
  const { stdout, status } = await waybill(
    ['check', '-', '--stdin-path', 'x.json', '--format', 'json'],
    {
      input: JSON.stringify(faulty),
    },
  )
  expect(status).toBe(1)
  expect(JSON.parse(stdout).documents[0].path).toBe('x.json')
})

test('a misspelt verb or flag is met with the one that was meant', async () => {
  expect((await waybill(['chekc'])).stderr).toContain('check')
  expect((await waybill(['check', '--structureonly'])).stderr).toContain('--structure-only')
  expect((await waybill(['check', '--json'])).stderr).toContain('Did you mean --format json?')
})
