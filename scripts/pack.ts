import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** The staged package, so that the repository's package.json is never rewritten in place. */
const stage = join(root, '.dist-package')

/** Manifest keys that only concern the repository. */
const OWN = ['scripts', 'devDependencies', 'optionalDependencies', 'allowScripts'] as const
const TEXTS = [
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'],
  ...['conformance/README.md', 'conformance/statements.json'],
]
const DOORS = ['index.d.ts', 'contracts/door.d.ts', 'ledger/door.d.ts', 'operations/index.d.ts']

if (process.argv.includes('--refuse')) {
  // `npm run pack` also runs this: npm runs prepack before a script named pack.
  if (process.env.npm_command?.startsWith('run')) process.exit(0)
  console.error('Do not publish the repository itself. Use: npm run pack')
  process.exit(2)
}

execFileSync(process.execPath, ['scripts/build.ts', '--library'], { cwd: root, stdio: 'inherit' })
rmSync(stage, { recursive: true, force: true })
mkdirSync(stage)
for (const path of ['bin', 'schemas', 'integrations', 'docs/guide', 'docs/reference', ...TEXTS])
  copy(path)
const programs = readdirSync(join(root, 'dist')).filter(name => name.endsWith('.cjs'))
for (const path of [...programs, 'chunks', 'library']) copy(`dist/${path}`)
for (const file of reachableTypes()) copy(`dist/types/${file}`)
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
const [destination = root] = process.argv.slice(2)
const name = execFileSync(
  'npm',
  ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination],
  {
    cwd: stage,
    encoding: 'utf8',
  },
)
console.log(join(destination, name.trim()))

function copy(path: string): void {
  mkdirSync(dirname(join(stage, path)), { recursive: true })
  cpSync(join(root, path), join(stage, path), { recursive: true })
}

function publishedManifest(): Record<string, unknown> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  for (const key of OWN) delete manifest[key]
  return manifest
}

/** Declarations reachable from an entry point; others describe bundled code, with types that consumers lack. */
function reachableTypes(): string[] {
  const found = new Set<string>()
  const open = [...DOORS]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const target of importsOf(file))
      open.push(join(dirname(file), target.replace(/\.[jt]s$/, '.d.ts')))
  }
  return [...found].sort()
}

function importsOf(file: string): string[] {
  const path = join(root, 'dist/types', file)
  if (!existsSync(path)) throw new Error(`dist/types/${file} was not built`)
  const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const targets = [...text.matchAll(/(?:\bfrom |\bimport\()['"]([^'"]+)['"]/g)].map(m => m[1] ?? '')
  const foreign = targets.filter(target => !target.startsWith('.') && !target.startsWith('node:'))
  if (foreign.length > 0)
    throw new Error(`the published types of ${file} need ${foreign.join(', ')}`)
  return targets.filter(target => target.startsWith('.'))
}
