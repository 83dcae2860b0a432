import { isDeepStrictEqual } from 'node:util'
import { type Document, decode, readDocuments } from '../../document/index.ts'

/** Markdown with only the usual title and one code block; the lookaheads avoid backtracking over the fence length. */
const ONE_BLOCK = /^\s*(?:# Session context\s+)?(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(.*?)\n\1\s*$/s
/** Where a YAML comment may start. */
const COMMENT = /(?<=^|\s)#/gm

/**
 * Reports whether bytes are exactly one document: replacing it would lose any prose, comments and other documents.
 */
export async function standsAlone(bytes: Uint8Array, isMarkdown: boolean): Promise<boolean> {
  const { text } = decode(bytes)
  const inner = isMarkdown ? ONE_BLOCK.exec(text)?.[2] : text
  if (inner === undefined || isJson(inner)) return inner !== undefined
  const { value, faults } = await read(inner)
  if (faults.some(({ code }) => code === 'syntax/multiple-documents')) return false
  // Unreadable bytes may be half a file of an agent.
  return faults.length > 0 || !(await hasComment(inner, value))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** How many characters may be parsed to find comments; the worker waits meanwhile. */
const MOST_READ = 524_288

/**
 * Looks for a comment: text that can be removed without changing the value. Assumes one when there are too many
 * candidates, which is the safe choice.
 */
async function hasComment(text: string, value: unknown): Promise<boolean> {
  const signs = [...text.matchAll(COMMENT)]
  if (signs.length * text.length > MOST_READ) return true
  for (const { index } of signs) {
    const end = text.indexOf('\n', index)
    const without = text.slice(0, index) + (end === -1 ? '' : text.slice(end))
    const left = await read(without)
    if (left.faults.length === 0 && isDeepStrictEqual(left.value, value)) return true
  }
  return false
}

async function read(text: string): Promise<Pick<Document, 'value' | 'faults'>> {
  const [document] = (await readDocuments(text, 'yaml')).documents
  return document ?? { value: undefined, faults: [] }
}
