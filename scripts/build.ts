import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type BuildOptions, build, type Plugin, transform } from 'esbuild'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

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

/** Commander can start other programs as verbs; ours never are, and loading that ability costs milliseconds. */
const withoutChildProcess: Plugin = {
  name: 'without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'nothing', namespace: 'empty' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}' }))
  },
}

/** The guard that an old Node can still read; the program itself is loaded behind it. */
const GUARD = `'use strict'
var v = process.versions.node.split('.')
if (+v[0] < 22 || (+v[0] === 22 && +v[1] < 18)) {
  console.error('waybill: Node.js 22.18 or newer is needed; this is ' + process.versions.node)
  process.exit(2)
}
require('./program.cjs')
`

/**
 * Builds the command line: split into chunks that are loaded on use, then each chunk turned into CommonJS, which
 * starts faster than ES modules (docs/reference/performance.md).
 */
async function buildProgram(folder: string): Promise<void> {
  await build({
    ...shared,
    entryPoints: { program: 'src/cli/waybill.ts', worker: 'src/operations/check/worker.ts' },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [withoutChildProcess],
  })
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.cjs')) await toCommonJs(join(folder, file))
  }
  writeFileSync(join(folder, 'waybill.cjs'), GUARD)
}

async function toCommonJs(file: string): Promise<void> {
  const { code } = await transform(readFileSync(file, 'utf8'), {
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    minify: true,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
  })
  const url = code.includes('__url')
    ? 'const __url=require("node:url").pathToFileURL(__filename).href;'
    : ''
  writeFileSync(file, `"use strict";${url}${code}`)
}

async function buildLibrary(folder: string): Promise<void> {
  await build({
    ...shared,
    platform: 'neutral',
    minify: false,
    entryPoints: { index: 'src/index.ts', contracts: 'src/contracts/index.ts' },
    outdir: join(folder, 'library'),
    chunkNames: 'chunks/[name]-[hash]',
  })
  await build({
    ...shared,
    minify: false,
    entryPoints: { operations: 'src/operations/index.ts' },
    outdir: join(folder, 'library'),
  })
}

/** Builds beside the old result and swaps at the end, so that a running program never meets half a build. */
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
