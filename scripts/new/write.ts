import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../generate/write.ts'

/** An invalid scaffold request; nothing was written. */
export class Refusal extends Error {}

/** Files to write, by path from the root. */
export type Files = Readonly<Record<string, string>>

/** The title of a kebab-case name: `parcel-label` is `Parcel label`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** The name of the TypeScript type for a kebab-case name: `parcel-label` is `ParcelLabel`. */
export function typeOf(name: string): string {
  return name
    .split('-')
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

/** Refuses a name that is not kebab-case. */
export function mustBeName(name: string, what: string): void {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return
  throw new Refusal(`the name of ${what} is lower-case words with hyphens, not '${name}'`)
}

/** Writes new files, or none if one already exists. */
export function writeNew(files: Files): void {
  const taken = Object.keys(files).filter(path => existsSync(join(root, path)))
  if (taken.length > 0) throw new Refusal(`already exists: ${taken.join(', ')}`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { flag: 'wx' })
    console.error(`wrote ${path}`)
  }
}

/** Replaces the text of an existing file. */
export function change(path: string, text: string): void {
  writeFileSync(join(root, path), text)
  console.error(`changed ${path}`)
}

/** The text of a file, from the root. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
