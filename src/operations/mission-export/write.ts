import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, writeSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { removeLeft } from '../../workspace/index.ts'
import { fromRoot } from '../gateway/passed.ts'
import { type Placing, requirePlace, whyNotWritten } from './place.ts'

/** Lines are written in pieces of so many characters. */
const PIECE = 1_048_576

/** Writes lines to a file that is there with all of them, or not at all; gives its path from the root. */
export function writeLines(path: string, lines: Iterable<string>, placing: Placing): string {
  const { app, replace } = placing
  const file = resolve(app.cwd, path)
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  try {
    write(temporary, lines)
    // Somebody may have put something there meanwhile.
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
  // Everything that a mission knows is for whoever exports it alone.
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
