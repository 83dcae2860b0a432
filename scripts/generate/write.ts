import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The repository's root. */
export const root = join(import.meta.dirname, '../..')

/** Writes a generated file, and leaves it alone when it already says the same. */
export function writeGenerated(path: string, text: string): void {
  const file = join(root, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(`generated ${path}`)
}
