import { relative, sep } from 'node:path'
import { type Config, readOwnFile, walk } from '../../workspace/index.ts'
import type { TraceOutput } from './output.ts'

/** Shorter words stand in too many files by chance. */
const SHORTEST = 6
const MOST_FILES = 5000
const MOST_BYTES = 1024 ** 2
const MOST_SHOWN = 100
const LINE_END = 10

/** Files that may hold documents and that name an id, sorted by path; those that `.gitignore` hides are passed over. */
export function documentsNaming(
  id: string,
  root: string,
  { ignore }: Config,
): TraceOutput['documents'] {
  if (id.length < SHORTEST) return []
  const wanted = Buffer.from(id)
  const found: { path: string; line: number }[] = []
  for (const file of walk(root, root, { ignore }).files.slice(0, MOST_FILES)) {
    if (found.length === MOST_SHOWN) break
    const bytes = bytesOf(file)
    const at = bytes?.indexOf(wanted) ?? -1
    if (!bytes || at < 0) continue
    found.push({ path: relative(root, file).split(sep).join('/'), line: lineAt(bytes, at) })
  }
  return found
}

/** What cannot be read, or is too large to be a document, names nothing. */
function bytesOf(file: string): Buffer | undefined {
  try {
    const bytes = readOwnFile(file, MOST_BYTES)
    return bytes && Buffer.from(bytes)
  } catch {
    return undefined
  }
}

function lineAt(bytes: Buffer, at: number): number {
  let line = 1
  for (let end = bytes.indexOf(LINE_END); end >= 0 && end < at; line++)
    end = bytes.indexOf(LINE_END, end + 1)
  return line
}
