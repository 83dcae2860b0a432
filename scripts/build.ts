import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { rolldown } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** Optional dependencies, resolved at run time. */
const OPTIONAL = Object.keys(manifest.peerDependencies)

/** The query builder is bundled anyway: resolving its 300 files would take longer than the rest of a command. */
const WITHIN = 'kysely'

const shared = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  absWorkingDir: root,
  logLevel: 'warning',
} satisfies BuildOptions

/**
 * Replacements for modules that libraries load eagerly for features not used here.
 *
 * Commander can run other programs as subcommands; markdown-it can find links in plain text and decode entities, and
 * unpacks tables for both when loaded. Checking only needs blocks, comments and code spans.
 */
const UNUSED: Readonly<Record<string, string>> = {
  'commander node:child_process': 'export default {}',
  'markdown-it linkify-it': 'export class LinkifyIt {}',
  'markdown-it entities': 'export const decodeHTMLStrict = text => text',
  'markdown-it punycode.js': 'export default {}',
}

const withoutUnused = {
  name: 'without-unused',
  resolveId(id: string, importer = '') {
    const library = /node_modules\/(commander|markdown-it)\//.exec(importer)?.[1]
    const name = `${library} ${id}`
    return Object.hasOwn(UNUSED, name) ? `\0${name}` : null
  },
  load: (id: string) => UNUSED[id.slice(1)] ?? null,
  /** markdown-it sets the fields of every token through a generic helper, which takes a tenth of a check. */
  transform: (code: string, id: string) =>
    id.includes('node_modules/markdown-it/')
      ? code.replace(
          /function _defineProperty\(e, r, t\) \{[\s\S]*?\n\}/,
          'function _defineProperty(e, r, t) { e[r] = t; return e }',
        )
      : null,
}

/** The version guard, in syntax that an old Node can parse; it loads the program. */
const GUARD = `'use strict'
var v = process.versions.node.split('.')
if (+v[0] < 22 || (+v[0] === 22 && +v[1] < 18)) {
  console.error('waybill: Node.js 22.18 or newer is needed; this is ' + process.versions.node)
  process.exit(2)
}
// Caches compiled code next to the program, where no other user can write; optional.
require('node:module').enableCompileCache(__dirname + '/.compiled')
require('./program.cjs')
`

/** The modules of every check, in one chunk: one 150 KB file loads faster than twenty small ones. */
const CORE =
  /src\/(app|document\/(?!index|yaml|markdown|edit|change)|contract\/|contracts\/(catalogue|index|[^/]+\/(contract|predecessor))|workspace\/(?!config\/validate|lock|swap|records|state|write|listing|blobs|root-path)|operations\/(check\.ts|check\/(?!worker)|operation)|cli\/(run|render\/(check|frame|layout)))|node_modules\/jsonc-parser\//

/** The structure check, rules and schema of a contract are always loaded together. */
function partsOf(id: string): string | null {
  const contract = /src\/contracts\/([^/]+\.v[0-9]+)\/(?:validate\.generated|rules)\./.exec(id)?.[1]
  const schema = /schemas\/([^/]+)\.json$/.exec(id)?.[1]
  return contract ?? schema ?? null
}

/** Builds the CLI as CommonJS, which starts faster than ES modules, in chunks that are loaded on use. */
async function buildProgram(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: {
      program: 'src/cli/waybill.ts',
      worker: 'src/operations/check/worker.ts',
      'audit-worker': 'src/governance/audit/worker.ts',
      'ledger-worker': 'src/ledger/file/worker.ts',
      'policy-worker': 'src/governance/policy/worker.ts',
      'database-watchdog': 'src/store/embedded/watchdog.ts',
    },
    platform: 'node',
    external: OPTIONAL.filter(name => name !== WITHIN).map(name => new RegExp(`^${name}(?:/|$)`)),
    resolve: { mainFields: ['module', 'main'] },
    plugins: [withoutUnused],
    // Our modules have no side effects, so unused exports are left out of a chunk.
    treeshake: {
      moduleSideEffects: id =>
        !id.includes('/src/') || /\/cli\/waybill\.ts$|\/(?:worker|watchdog)\.ts$/.test(id),
    },
  })
  await bundle.write({
    dir: folder,
    format: 'cjs',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    codeSplitting: {
      groups: [
        // Modules needed at startup must not pull in the core.
        {
          name: 'terminal',
          test: /src\/(?:cli\/(?:terminal|version)|error)\.ts$|\/package\.json$|rolldown\/runtime/,
          priority: 2,
        },
        { name: 'core', test: CORE, priority: 1 },
        { name: partsOf, debugName: 'parts of a contract' },
      ],
    },
  })
  const read = await bundle.watchFiles
  await bundle.close()
  writeFileSync(join(folder, 'waybill.cjs'), GUARD)
  writeFileSync(join(folder, 'sources'), sourcesIn(read))
}

/** The source paths of this build, each terminated by a zero byte; the launcher checks whether one is newer. */
function sourcesIn(files: readonly string[]): string {
  const paths = [import.meta.filename, ...files].map(file => relative(root, file))
  const own = paths.filter(path => !/^\.\.|(^|\/)node_modules\/|\0/.test(path))
  return own.map(path => `${path}\0`).join('')
}

async function buildLibrary(folder: string): Promise<void> {
  await build({
    ...shared,
    platform: 'neutral',
    minify: false,
    entryPoints: {
      index: 'src/index.ts',
      contracts: 'src/contracts/door.ts',
      ledger: 'src/ledger/door.ts',
    },
    outdir: join(folder, 'library'),
    chunkNames: 'chunks/[name]-[hash]',
  })
  await build({
    ...shared,
    minify: false,
    entryPoints: { operations: 'src/operations/index.ts' },
    external: OPTIONAL.flatMap(name => [name, `${name}/*`]),
    outdir: join(folder, 'library'),
  })
}

/** Builds into a new folder and swaps it in at the end, so a running program never sees a partial build. */
const fresh = join(root, `.dist-${process.pid}`)
try {
  await buildProgram(fresh)
  if (process.argv.includes('--library')) {
    await buildLibrary(fresh)
    execFileSync(
      join(root, 'node_modules/.bin/tsc'),
      ['-p', 'tsconfig.build.json', '--outDir', join(fresh, 'types')],
      { cwd: root, stdio: 'inherit' },
    )
  }
  const old = join(root, `.dist-old-${process.pid}`)
  try {
    renameSync(dist, old)
  } catch {
    // The first build.
  }
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
  console.error(`built ${basename(dist)}/`)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
