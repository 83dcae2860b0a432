import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const EARLIER = new Date(Date.UTC(2026, 0, 1))
const LATER = new Date(Date.UTC(2026, 0, 2))

const PROGRAM = "console.log('ran', process.argv.slice(2).join())"
const BUILD = `import { mkdirSync, writeFileSync } from 'node:fs'
const dist = import.meta.dirname + '/../dist'
mkdirSync(dist, { recursive: true })
writeFileSync(dist + '/waybill.cjs', ${JSON.stringify(PROGRAM)})
console.error('built')
`

let clone: string
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'waybill-launcher-'))
  mkdirSync(join(clone, 'bin'))
  copyFileSync(join(root, 'bin/waybill'), join(clone, 'bin/waybill'))
  write('src/used.ts')
  write('src/unused.ts')
  write('src/x/fixtures/a.json')
  write('schemas/a.json')
  write('scripts/build.ts', BUILD)
  write('dist/waybill.cjs', PROGRAM)
  write('dist/sources', ['src/used.ts', 'schemas/a.json'].map(path => `${path}\0`).join(''))
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

function write(path: string, text = ''): void {
  const file = join(clone, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  utimesSync(file, EARLIER, EARLIER)
}

const change = (path: string) => utimesSync(join(clone, path), LATER, LATER)

/** What a start does, from a folder from which the clone has a relative name. */
function start(env: Readonly<Record<string, string>> = {}): { built: boolean; ran: string } {
  const path = [env.PATH, dirname(process.execPath), process.env.PATH].filter(Boolean)
  const { stdout, stderr } = spawnSync('bin/waybill', ['check', 'a'], {
    cwd: clone,
    env: { ...process.env, ...env, PATH: path.join(delimiter) },
    encoding: 'utf8',
  })
  expect(['', 'waybill: sources changed, building\nbuilt\n']).toContain(stderr)
  return { built: stderr !== '', ran: stdout }
}

const ran = 'ran check,a\n'

test('a clone that was built after its last change starts as it is', () => {
  expect(start()).toEqual({ built: false, ran })
})

test.each([
  ['is built where a source of the build is newer', 'src/used.ts', true],
  ['is built where a schema of the build is newer', 'schemas/a.json', true],
  ['starts as it is where what is newer is no part of the build', 'src/unused.ts', false],
])('a clone %s', (_, path, built) => {
  change(path)
  expect(start()).toEqual({ built, ran })
})

test('a clone that was never built is built', () => {
  rmSync(join(clone, 'dist'), { recursive: true })
  expect(start()).toEqual({ built: true, ran })
})

test.each([
  ['a build lists no sources', () => rmSync(join(clone, 'dist/sources'))],
  ['a source of the build is gone', () => rmSync(join(clone, 'src/used.ts'))],
])('where %s, every source is looked at', (_, prepare) => {
  prepare()
  expect(start()).toEqual({ built: false, ran })
  change('src/x/fixtures/a.json')
  expect(start()).toEqual({ built: false, ran })
  change('src/unused.ts')
  expect(start()).toEqual({ built: true, ran })
})

test('a find that takes no list looks at every source', () => {
  const find = execFileSync('sh', ['-c', 'command -v find'], { encoding: 'utf8' }).trim()
  write(
    'tools/find',
    `#!/bin/sh\n[ "$1" != -files0-from ] || { echo 'find: illegal option' >&2; exit 1; }\nexec ${find} "$@"\n`,
  )
  chmodSync(join(clone, 'tools/find'), 0o755)
  const env = { PATH: join(clone, 'tools') }
  expect(start(env)).toEqual({ built: false, ran })
  change('src/unused.ts')
  expect(start(env)).toEqual({ built: true, ran })
})

test('a list of folders to look for names in does not lead elsewhere', () => {
  expect(start({ CDPATH: clone })).toEqual({ built: false, ran })
})

test('the build lists what it was made of', () => {
  execFileSync(join(root, 'bin/waybill'), ['--version'], { stdio: 'pipe' })
  const listed = readFileSync(join(root, 'dist/sources'), 'utf8').split('\0')
  expect(listed).toEqual(
    expect.arrayContaining([
      'package.json',
      'schemas/session-context.v1.json',
      'scripts/build.ts',
      'src/cli/waybill.ts',
      'src/governance/policy/worker.ts',
    ]),
  )
  expect(listed.filter(path => path.includes('node_modules'))).toEqual([])
})
