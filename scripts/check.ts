import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)
/** The package that scripts/pack.ts stages, and the folder of its tarball. */
const staged = '.dist-package'
const tarballs = mkdtempSync(join(tmpdir(), 'waybill-check-'))
process.on('exit', () => rmSync(tarballs, { recursive: true, force: true }))

/** All checks before a commit, cheapest first. */
const STEPS: readonly (readonly [string, string, readonly string[]])[] = [
  ['format and lint', bin('biome'), ['check', '--error-on-warnings']],
  ['types', bin('tsc'), []],
  ['generated files are current', process.execPath, ['scripts/generate.ts', '--check']],
  ['unused files, exports and dependencies', bin('knip'), []],
  ['tests', bin('vitest'), ['run', '--project', 'pure', '--project', 'product']],
  ['build and pack', process.execPath, ['scripts/pack.ts', tarballs]],
  ['shape of the package', bin('publint'), [staged, '--strict']],
  ['types of the package', bin('attw'), ['--pack', staged, '--profile', 'esm-only']],
]

/** CI has already run the tests and can skip them here. */
const isTested = process.argv.includes('--tested')

for (const [name, command, args] of STEPS) {
  if (isTested && name === 'tests') continue
  const start = performance.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (status !== 0) {
    console.error(`\ncheck: ${name} failed (${seconds} s)`)
    process.exit(1)
  }
  console.error(`check: ${name} ok (${seconds} s)`)
}
