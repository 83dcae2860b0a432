import { type Decoded, readDocuments } from '../document/index.ts'

/** The value of a frontmatter, or why it cannot be read. */
export interface Frontmatter {
  readonly value: unknown
  readonly fault?: string
}

const QUOTED = `"([ !#-\\[\\]-~]*)"|'([ -&(-~]*)'`
/** Plain scalars that every YAML parser reads as strings: they start with a letter, a time or a path. */
const PLAIN =
  '((?:[A-Za-z]|\\.{1,2}/|[0-9]{4}-[0-9]{2}-[0-9]{2}T)(?:[A-Za-z0-9_./+-]|:[0-9])*(?: [A-Za-z0-9_./+-]+)*)'
const LINE = new RegExp(`([a-z_]+):(?: +(?:${QUOTED}|${PLAIN}))? *(?:\\r?\\n|(?![\\s\\S]))`, 'y')
const NO_STRING = /^(?:null|true|false)$/i

/** Reads the YAML of a frontmatter; uses the full parser only if it is more than `key: text` lines. */
export async function readFrontmatter({ text, faults }: Decoded): Promise<Frontmatter> {
  const simple = faults.length === 0 ? readLines(text) : undefined
  if (simple) return { value: simple }
  const { documents } = await readDocuments(text, 'yaml', faults)
  const [document] = documents
  const fault = document?.faults[0]
  return { value: document?.value, ...(fault && { fault: fault.message }) }
}

/** Parses YAML that consists of `key: text` lines only; returns undefined for any other. */
export function readLines(text: string): Readonly<Record<string, string | null>> | undefined {
  const value: Record<string, string | null> = {}
  LINE.lastIndex = 0
  if (text === '') return undefined
  while (LINE.lastIndex < text.length) {
    const line = LINE.exec(text)
    if (!line) return undefined
    const [, key = '', double, single, plain] = line
    if (Object.hasOwn(value, key) || key === '__proto__') return undefined
    if (NO_STRING.test(key) || (plain !== undefined && NO_STRING.test(plain))) return undefined
    value[key] = double ?? single ?? plain ?? null
  }
  return value
}
