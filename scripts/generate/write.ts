import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The repository's root. */
export const root = join(import.meta.dirname, '../..')

const checking = process.argv.includes('--check')
const stale: string[] = []

/** Ends a run; with --check, outdated files are an error. */
export function finish(): void {
  if (!checking || stale.length === 0) return
  console.error(`not current, run npm run generate:\n${stale.map(path => `  ${path}`).join('\n')}`)
  process.exitCode = 1
}

/** Writes a generated file if its content changed. */
export function writeGenerated(path: string, text: string): void {
  const file = join(root, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  stale.push(path)
  if (checking) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.error(`generated ${path}`)
}
