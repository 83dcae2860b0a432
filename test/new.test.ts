import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'waybill-new-'))
afterAll(() => rmSync(copy, { recursive: true }))

/** A copy in which scaffolds can be written; it uses the packages that are installed here. */
for (const part of [
  'src',
  'scripts',
  'test',
  'schemas',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'biome.json',
  '.gitignore',
]) {
  cpSync(join(root, part), join(copy, part), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
/** What the scaffolds write, for the compiler and the linter. */
const WRITTEN = [
  'src/contracts/parcel-label.v1',
  'src/operations/weigh.ts',
  'src/operations/weigh/output.ts',
  'src/cli/render/weigh.ts',
  'src/mission/runners/parcel-desk.ts',
  'src/mission/runners/parcel-desk.test.ts',
]
writeFileSync(
  join(copy, 'tsconfig.scaffolds.json'),
  JSON.stringify({ extends: './tsconfig.json', include: WRITTEN }),
)

function run(program: string, ...args: string[]) {
  // What a test run sets would make the inner one refuse to write golden files.
  const { CI: _, VITEST: __, FORCE_COLOR: ___, ...rest } = process.env
  const env = { ...rest, NO_COLOR: '1' }
  const result = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env })
  return { status: result.status, said: `${result.stdout}${result.stderr}` }
}
const scaffold = (...args: string[]) => run(process.execPath, 'scripts/new.ts', ...args)
const bin = (name: string, ...args: string[]) => run(join(root, 'node_modules/.bin', name), ...args)
const succeeds = ({ status, said }: ReturnType<typeof run>) => expect(status, said).toBe(0)
const read = (path: string) => readFileSync(join(copy, path), 'utf8')

test('a contract, a rule, an operation and a runner generate, type-check, lint and run, and the rule fails until it finds its fixture', () => {
  succeeds(scaffold('contract', 'parcel-label.v1'))
  succeeds(scaffold('rule', 'parcel-label/short-summary'))
  succeeds(scaffold('operation', 'weigh'))
  succeeds(scaffold('runner', 'parcel-desk'))
  succeeds(run(process.execPath, 'scripts/generate.ts'))
  succeeds(bin('tsc', '-p', 'tsconfig.scaffolds.json'))
  succeeds(bin('biome', 'check', '--vcs-enabled=false', '--error-on-warnings', ...WRITTEN))
  expect(read('src/contracts/parcel-label.v1/README.md')).toContain(
    '| `summary` | string, not empty | yes |',
  )
  succeeds(run(process.execPath, 'src/cli/waybill.ts', 'weigh', '--help'))
  succeeds(run(process.execPath, 'src/cli/waybill.ts', 'weigh'))
  expect(JSON.parse(read('schemas/output/weigh.json'))).toMatchObject({
    $id: 'urn:waybill:schema:output:weigh',
  })
  expect(read('schemas/config.v1.json')).toContain('"parcel-desk"')
  const requirements = read('src/contracts/parcel-label.v1/requirements.yaml')
  expect(requirements.trim().split('\n- id: ').at(-1)).toMatch(
    /^PL-003\n[\s\S]*check: parcel-label\/short-summary$/,
  )
  const tests = (...files: string[]) => bin('vitest', 'run', ...files, '-t', 'parcel-', '--update')
  const before = tests('test/fixtures.test.ts')
  expect([before.status, before.said]).toEqual([
    1,
    expect.stringMatching(/invalid\/short-summary[\s\S]* 1 failed /),
  ])
  const rules = 'src/contracts/parcel-label.v1/rules.ts'
  const found = `check: ({ summary }) => (summary === 'x' ? [{ path: ['summary'], message: 'too short' }] : [])`
  writeFileSync(join(copy, rules), read(rules).replace('check: () => []', found))
  const fixture = 'src/contracts/parcel-label.v1/fixtures/invalid/short-summary.json'
  writeFileSync(join(copy, fixture), read(fixture).replace(/"summary": ".*"/, '"summary": "x"'))
  const runner = 'src/mission/runners/parcel-desk.test.ts'
  succeeds(tests('test/fixtures.test.ts', 'test/requirements.test.ts', runner))
  expect(read('src/contracts/parcel-label.v1/fixtures/invalid/no-future-times.out')).toMatch(
    /^6:17 error parcel-label\/no-future-times /,
  )
})

test.each([
  ['a contract that is there', ['contract', 'session-context.v1'], 'already exists'],
  ['a rule that is there', ['rule', 'session-context/relative-paths'], 'already'],
  ['an operation that is there', ['operation', 'check'], 'already exists: src/operations/check.ts'],
  ['a runner that is there', ['runner', 'human'], 'already exists: src/mission/runners/human.ts'],
  ['a rule of an unknown contract', ['rule', 'nothing/at-all'], "unknown contract 'nothing'"],
  ['a name that is not kebab-case', ['operation', 'DoIt'], 'lower-case words'],
  ['a path as a name', ['contract', '../evil.v1'], 'lower-case words'],
  ['a kind that does not exist', ['family', 'x'], 'usage:'],
  ['nothing', [], 'usage:'],
])('%s is refused', (_, args, words) => {
  const { status, said } = scaffold(...args)
  expect([status, said]).toEqual([2, expect.stringContaining(words)])
})
