import { relative, sep } from 'node:path'
import { recognise } from '../../contract/index.ts'
import { contractsIn, titlesIn } from '../../contracts/index.ts'
import { decode, formatOf, readDocuments } from '../../document/index.ts'
import { type Config, readOwnFile, walk } from '../../workspace/index.ts'
import type { TraceOutput } from './output.ts'

/** Shorter words appear in too many files by chance. */
const SHORTEST = 6
const MOST_FILES = 5000
const MOST_BYTES = 1024 ** 2
const MOST_SHOWN = 100
const LINE_END = 10

/** Finds files that may contain documents and name the id, sorted by path; skips files ignored by Git. */
export async function documentsNaming(
  id: string,
  root: string,
  { ignore }: Config,
): Promise<TraceOutput['documents']> {
  if (id.length < SHORTEST) return []
  const wanted = Buffer.from(id)
  const found: { path: string; line: number; contract: string | null }[] = []
  for (const file of walk(root, root, { ignore }).files.slice(0, MOST_FILES)) {
    if (found.length === MOST_SHOWN) break
    const bytes = bytesOf(file)
    const at = bytes?.indexOf(wanted) ?? -1
    if (!bytes || at < 0) continue
    const path = relative(root, file).split(sep).join('/')
    found.push({ path, line: lineAt(bytes, at), contract: await contractOf(path, bytes) })
  }
  return found
}

/** Returns the contract of the file or of its first document block. */
async function contractOf(path: string, bytes: Uint8Array): Promise<string | null> {
  const { text, faults } = decode(bytes)
  const format = formatOf(path, text)
  const { documents } = await readDocuments(text, format, faults)
  for (const { value, line, format: own, markdown } of documents) {
    const name = line === undefined ? path : ''
    const found = recognise(value, name, contractsIn(own), 'walk', titlesIn(markdown))
    if (found) return found.contract.name
  }
  return null
}

/** Returns `undefined` for a file that is unreadable or too large to be a document. */
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
