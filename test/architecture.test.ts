import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')

/** The layers, and what else each may import; `error` is src/error.ts. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  error: [],
  document: ['error'],
  contract: ['document'],
  contracts: ['contract', 'document'],
  workspace: ['contract', 'document', 'error'],
  ledger: ['error'],
  governance: ['ledger', 'workspace', 'contracts', 'contract', 'document', 'error'],
  store: ['ledger', 'contract', 'error'],
  session: ['workspace', 'contracts', 'contract', 'document', 'error'],
  hooks: ['contract', 'error'],
  mission: [
    'store',
    'governance',
    'session',
    'workspace',
    'contracts',
    'contract',
    'document',
    'ledger',
    'error',
  ],
  operations: [
    'hooks',
    'mission',
    'store',
    'governance',
    'session',
    'ledger',
    'workspace',
    'contracts',
    'contract',
    'document',
    'error',
  ],
  app: ['operations', 'workspace', 'contracts', 'contract', 'document', 'error'],
  cli: ['app', 'mcp', 'operations', 'contract', 'error'],
  mcp: ['app', 'operations', 'contract', 'error'],
  index: ['contracts', 'contract', 'document', 'error'],
}

/** Packages that code under src may use; everything else is bundled away or not needed. */
const PACKAGES = [
  '@a2a-js/sdk',
  '@ai-sdk/anthropic',
  '@ai-sdk/openai-compatible',
  '@cedar-policy/cedar-wasm',
  '@dbos-inc/dbos-sdk',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@secretlint/core',
  '@secretlint/profiler',
  '@secretlint/secretlint-rule-preset-recommend',
  'ai',
  'canonicalize',
  'commander',
  'js-yaml',
  'jsonc-parser',
  'kysely',
  'markdown-it',
  'pg',
  'typebox',
  'unbash',
]

const sources = globSync('**/*.ts', { cwd: src, exclude: ['**/fixtures/**'] })
  .filter(f => !f.endsWith('.d.ts'))
  .sort()
const product = sources.filter(file => !file.endsWith('.test.ts'))
const read = (file: string) => readFileSync(join(src, file), 'utf8')
/** A source without its comments, which may speak of what the code may not do. */
const code = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
const layerOf = (file: string) =>
  file.includes('/') ? (file.split('/')[0] ?? '') : file.replace(/\.ts$/, '')

interface Import {
  file: string
  target: string
  typeOnly: boolean
}

const imports: Import[] = product.flatMap(file =>
  [
    ...read(file).matchAll(
      /^(?:import|export)\s(type\s)?(?:[^'"]*?\sfrom\s)?'([^']+)'|import\('([^']+)'/gm,
    ),
  ].map(m => ({
    file,
    typeOnly: Boolean(m[1]),
    target: m[2] ?? m[3] ?? '',
  })),
)

test('every folder and file directly under src is a layer of the table', () => {
  const found = readdirSync(src).map(name => name.replace(/\.ts$/, ''))
  expect(found.filter(name => !(name in LAYERS))).toEqual([])
})

test('layers import only what the table allows, and enter another layer only by its index', () => {
  const breaches: string[] = []
  for (const { file, target } of imports) {
    if (!target.startsWith('.')) continue
    const path = relative(src, join(src, dirname(file), target))
    if (path.startsWith('..')) continue
    const [from, to] = [layerOf(file), layerOf(path)]
    if (from === to) continue
    if (!LAYERS[from]?.includes(to)) breaches.push(`${file} may not import ${path}`)
    else if (path.includes('/') && !isDoor(path, to))
      breaches.push(`${file} enters ${to} past its index: ${path}`)
  }
  expect(breaches).toEqual([])
})

/** Operations are entered by their own files, which the surfaces load on use. */
const isDoor = (path: string, layer: string) =>
  path === `${layer}/index.ts` || layer === 'operations'

test('no contract imports another contract', () => {
  const folder = (file: string) => /^contracts\/([^/]+\.v[0-9]+)\//.exec(file)?.[1]
  const breaches = imports.filter(({ file, target, typeOnly }) => {
    const from = folder(file)
    const to = target.startsWith('.')
      ? folder(relative(src, join(src, dirname(file), target)))
      : undefined
    return from && to && from !== to && !typeOnly
  })
  expect(breaches.map(b => `${b.file} imports ${b.target}`)).toEqual([])
})

test.each([
  ['document', /Date\.now|new Date\(|Math\.random|performance\.|process\.|from 'node:/],
  ['contract', /Date\.now|new Date\(|Math\.random|performance\.|process\.|from 'node:/],
  ['contracts', /Date\.now|new Date\(|Math\.random|performance\.|process\.|from 'node:/],
])('%s knows no clock, no chance and no Node', (layer, forbidden) => {
  const breaches = product.filter(file => layerOf(file) === layer && forbidden.test(code(file)))
  expect(breaches).toEqual([])
})

test('only schemas and the files of shapes next to them load TypeBox when they run', () => {
  const loading = imports
    .filter(i => i.target.startsWith('typebox') && !i.typeOnly)
    .map(i => i.file)
  const atRunTime = loading.filter(file => !file.endsWith('/schema.ts') && !isSchemaShape(file))
  expect(atRunTime).toEqual([])
})

/** The schema of what an operation answers. */
const isOutput = (file: string) => /^operations\/[^/]+\/output\.ts$/.test(file)

test('what operations answer is imported for its types alone, but by other answers', () => {
  const users = imports.filter(i => isOutput(join(dirname(i.file), i.target)))
  expect(users.length).toBeGreaterThan(10)
  const atRunTime = users.filter(i => !i.typeOnly && !isOutput(i.file))
  expect(atRunTime.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
})

/** A file of schema shapes, of a family or of a section of the configuration: only schemas import it, or others its types alone. */
function isSchemaShape(file: string): boolean {
  const users = imports.filter(
    i =>
      i.target.startsWith('.') &&
      relative(src, join(src, dirname(i.file), i.target)) === file &&
      !i.typeOnly,
  )
  return (
    /^(?:contracts|workspace\/config)\/[^/]+\.ts$/.test(file) &&
    users.every(u => u.file.endsWith('/schema.ts') || isSchemaShape(u.file))
  )
}

test('only the store speaks SQL', () => {
  const statement =
    /\b(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|(?:create|alter|drop)\s+(?:table|role|function|index)\s)/i
  const asks = (file: string) =>
    imports.some(i => i.file === file && /^(?:pg|kysely)(?:\/|$)/.test(i.target))
  const strayed = product.filter(
    file =>
      layerOf(file) !== 'store' &&
      (asks(file) || quoted(code(file)).some(text => statement.test(text))),
  )
  expect(strayed).toEqual([])
  expect(product.filter(asks).length).toBeGreaterThan(3)
})

/** The texts in a source, between quotes of any sort. */
const quoted = (text: string) => text.match(/'[^'\n]*'|`[^`]*`|"[^"\n]*"/g) ?? []

/** Surfaces that write to standard output or error. */
const WRITERS = new Set(['cli', 'mcp'])

/** Git is not handed what would have it look into another repository; nothing is configured there. */
const READERS = new Set(['app.ts', 'workspace/git-environment.ts'])

test('the environment is read in app.ts, and for Git in one place, and standard output written by surfaces alone', () => {
  const strayed = product.filter(file => {
    const text = code(file)
    const environment = /process\.env/.test(text) && !READERS.has(file)
    const output = /process\.(stdout|stderr)|console\./.test(text) && !WRITERS.has(layerOf(file))
    return environment || output
  })
  expect(strayed).toEqual([])
})

test('packages used by the product are on the list, and pinned exactly', () => {
  const used = new Set(
    imports
      .filter(i => !i.target.startsWith('.') && !i.target.startsWith('node:') && !i.typeOnly)
      .map(i =>
        i.target
          .split('/')
          .slice(0, i.target.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  )
  expect([...used].filter(name => !PACKAGES.includes(name))).toEqual([])
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const versions = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  expect(
    versions.filter(([, version]) => !/^[0-9]+\.[0-9]+\.[0-9]+(-[\w.]+)?$/.test(String(version))),
  ).toEqual([])
})

test('every dependency has a line in docs/reference/dependencies.md', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const page = readFileSync(join(root, 'docs/reference/dependencies.md'), 'utf8')
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  expect(names.filter(name => !page.includes(`\`${name}\``))).toEqual([])
})

test('every contract folder is complete', () => {
  const folders = readdirSync(join(src, 'contracts'), { withFileTypes: true }).filter(e =>
    e.isDirectory(),
  )
  const parts = [
    'README.md',
    'contract.ts',
    'schema.ts',
    'rules.ts',
    'requirements.yaml',
    'fixtures/valid',
    'fixtures/invalid',
  ]
  const missing = folders.flatMap(({ name }) =>
    parts.filter(p => !existsSync(join(src, 'contracts', name, p))).map(p => `${name}/${p}`),
  )
  expect(missing).toEqual([])
})

test('names of files are kebab-case, and none says nothing', () => {
  const empty = /^(utils?|helpers?|common|misc|base|manager|service|impl)$/
  const names = sources
    .flatMap(file => file.split('/'))
    .map(name => name.replace(/(\.test|\.generated)?\.ts$/, ''))
  expect(names.filter(name => empty.test(name) || !/^[a-z0-9-]+(\.v[0-9]+)?$/.test(name))).toEqual(
    [],
  )
})
