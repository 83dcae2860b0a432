import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, writeSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { removeLeft } from '../../workspace/index.ts'
import { fromRoot } from '../gateway/passed.ts'
import { type Placing, requirePlace, whyNotWritten } from './place.ts'

/** How many characters are written at once. */
const PIECE = 1_048_576

/** Writes all lines to a new file atomically; returns its path from the root. */
export function writeLines(path: string, lines: Iterable<string>, placing: Placing): string {
  const { app, replace } = placing
  const file = resolve(app.cwd, path)
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  try {
    write(temporary, lines)
    // Check again: the file may have been created meanwhile.
    requirePlace(path, placing)
    if (replace) renameSync(temporary, file)
    else linkSync(temporary, file)
  } catch (cause) {
    throw whyNotWritten(path, cause)
  } finally {
    removeLeft(temporary)
  }
  const shown = fromRoot(file, app)
  return shown.startsWith('..') ? file : shown
}

function write(file: string, lines: Iterable<string>): void {
  // A bundle contains everything about a mission: only its owner may read it.
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    let piece = ''
    for (const line of lines) {
      piece += line
      if (piece.length < PIECE) continue
      put(descriptor, piece)
      piece = ''
    }
    put(descriptor, piece)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function put(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}
