import { relative, resolve, sep } from 'node:path'
import { refuseDash, writeNew } from '../gateway/write.ts'
import type { App } from '../operation.ts'

/** Writes the output file, if one was named; returns its path from the root, or null. */
export function writeOut(path: string | undefined, text: string, app: App): string | null {
  if (path === undefined) return null
  refuseDash(path, '--out')
  const file = resolve(app.cwd, path)
  writeNew(file, text, 'file with --out')
  const shown = relative(app.root, file).split(sep).join('/')
  return shown.startsWith('..') ? file : shown
}
