import { isDeepStrictEqual } from 'node:util'
import { type Document, decode, readDocuments } from '../../document/index.ts'

/** Markdown that holds one block and its usual title; a fence that could shrink would be looked for in every length. */
const ONE_BLOCK = /^\s*(?:# Session context\s+)?(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(.*?)\n\1\s*$/s
/** Where a comment of YAML may begin. */
const COMMENT = /(?<=^|\s)#/gm

/**
 * Whether bytes are one document alone. Prose, comments and other documents beside it are somebody's own words, which
 * are lost where the whole is written anew.
 */
export async function standsAlone(bytes: Uint8Array, isMarkdown: boolean): Promise<boolean> {
  const { text } = decode(bytes)
  const inner = isMarkdown ? ONE_BLOCK.exec(text)?.[2] : text
  if (inner === undefined || isJson(inner)) return inner !== undefined
  const { value, faults } = await read(inner)
  if (faults.some(({ code }) => code === 'syntax/multiple-documents')) return false
  // What cannot be read may be half a file of an agent.
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

/** How many characters are read at most to tell comments from texts that hold the same sign: a worker waits meanwhile. */
const MOST_READ = 524_288

/**
 * What can be left out of a document without changing it is a comment; in a text it is not. Where too many are to be
 * told apart, some are taken for comments: nothing is lost by that.
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
