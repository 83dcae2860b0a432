import { join } from 'node:path'
import { type Fields, recognise } from '../contract/index.ts'
import {
  contractsIn,
  type HouseHeadings,
  hasNoteName,
  instantOfHandoffName,
  titlesIn,
} from '../contracts/index.ts'
import { decode, MOST_BYTES, parseInstant, readMarkdown } from '../document/index.ts'
import { readHead, readOwnFile, versionOf } from '../workspace/index.ts'
import { readFrontmatter } from './lineage-frontmatter.ts'

/** The fields of a document that matter to a lineage, as written. */
export interface Head {
  /** Relative to the root, forward slashes. */
  readonly path: string
  /** Whether it is a handoff document or note and not a draft. */
  readonly handoff: boolean
  /** Whether it is a note: its headings are its own, and its frontmatter is optional. */
  readonly note?: true
  readonly timestamp?: string
  /** Milliseconds since the epoch; for a note without a timestamp, the time in its file name. */
  readonly time?: number
  /** When the file was last changed, for a note that states no time; a checkout of Git changes it. */
  readonly modified?: number
  readonly mode?: string
  readonly adr?: string
  readonly branch?: string
  readonly agent?: string
  readonly session?: string
  readonly continuesFrom?: string
  /** The heading above its sections. */
  readonly title?: string
  /** Why it cannot be read. */
  readonly fault?: string
}

/** Bytes that hold most frontmatters and titles; longer ones are read whole. */
const ENOUGH = 2048
const ROOM_FOR_TITLE = 512

/** Shared: it is filled and read without awaiting in between. */
const scratch = Buffer.alloc(ENOUGH)

/**
 * Reads only the frontmatter and the title of a document under the root.
 *
 * The path must be that of a regular file inside the root. A lineage may have thousands of documents, so only this
 * much of each is kept.
 */
export async function readDocumentHead(
  root: string,
  path: string,
  headings?: HouseHeadings,
): Promise<Head> {
  const file = join(root, path)
  const key = headings ? `${file}\0${JSON.stringify(headings)}` : file
  try {
    const known = heads.get(key)
    if (known && known.head.path === path && versionOf(file) === known.version) return known.head
    const { bytes, version, modified } = readHead(file, scratch)
    const read = await headIn({ file, path, headings }, bytes)
    const head = read.note && read.time === undefined ? { ...read, modified } : read
    if (heads.size >= MOST_KNOWN) heads.clear()
    heads.set(key, { version, head })
    return head
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    return { path, ...kindOf(path, {}), fault: `it cannot be read (${reason})` }
  }
}

/** Caches heads by file version, because resuming walks a chain several times. */
const heads = new Map<string, { readonly version: string; readonly head: Head }>()
const MOST_KNOWN = 50_000

/** A file of a repository. */
interface HeadedFile {
  readonly file: string
  readonly path: string
  readonly headings: HouseHeadings | undefined
}

async function headIn(headed: HeadedFile, start: Buffer): Promise<Head> {
  const cut = cutHead(start)
  const isEnough = start.length < ENOUGH || !cut || cut.body + ROOM_FOR_TITLE < start.length
  if (isEnough) return headOf(headed, start, cut)
  const whole = readOwnFile(headed.file, MOST_BYTES) ?? start
  return headOf(headed, whole, cutHead(whole))
}

/** Whether a file is a draft of a handoff document; drafts are not part of a lineage. */
export function isDraft(path: string): boolean {
  return /\.draft\.(?:md|markdown)$/i.test(path)
}

/** The timestamp and link of a parsed document. */
export function linkOf(value: unknown): Pick<Head, 'timestamp' | 'continuesFrom'> {
  const { timestamp, continues_from: continuesFrom } = fieldsOf(fieldsOf(value).frontmatter)
  return {
    ...(typeof timestamp === 'string' && { timestamp }),
    ...(isSaid(continuesFrom) && { continuesFrom }),
  }
}

/** The byte offsets of the frontmatter and of what follows it; past the end if it is not closed. */
interface Cut {
  readonly start: number
  readonly end: number
  readonly body: number
}

// As in Markdown, but on bytes: a byte order mark takes three.
const OPENING = /^(?:\xef\xbb\xbf)?---[ \t]*(?:\r\n|\n|\r)/
const CLOSING = /(\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|(?![\s\S]))/g

/** Finds the frontmatter; undefined if the text does not start with one. */
function cutHead(bytes: Buffer): Cut | undefined {
  // Latin-1 maps each byte to one character, so offsets are byte offsets.
  const text = bytes.toString('latin1')
  const opening = OPENING.exec(text)?.[0]
  if (opening === undefined) return undefined
  CLOSING.lastIndex = opening.trimEnd().length
  const closing = CLOSING.exec(text)
  if (!closing) return { start: opening.length, end: text.length, body: text.length + 1 }
  const [whole, before = ''] = closing
  return {
    start: opening.length,
    end: Math.max(opening.length, closing.index + before.length),
    body: closing.index + whole.length,
  }
}

async function headOf(headed: HeadedFile, bytes: Buffer, cut: Cut | undefined): Promise<Head> {
  const { path } = headed
  if (!cut) {
    // Copy out of the shared buffer before the file is read again.
    const title = titleIn(bytes)
    const kind = kindWithin(headed, {})
    if (kind.note) return { path, ...kind, ...timeOf(path, {}, kind), ...(title && { title }) }
    return { path, ...kind, ...(kind.handoff && { fault: 'it has no frontmatter' }) }
  }
  if (cut.body > bytes.length) {
    const kind = kindOf(path, {})
    return { path, ...kind, ...(kind.handoff && { fault: 'its frontmatter is never closed' }) }
  }
  // Copy out of the shared buffer before awaiting.
  const title = titleIn(bytes.subarray(cut.body))
  const { value, fault } = await readFrontmatter(decode(bytes.subarray(cut.start, cut.end)))
  const kind = kindWithin(headed, value)
  const link = linkOf({ frontmatter: value })
  return {
    path,
    ...kind,
    ...link,
    ...timeOf(path, link, kind),
    ...saidIn(value),
    ...(title && { title }),
    ...(fault !== undefined && { fault: `its frontmatter cannot be read: ${fault}` }),
  }
}

function saidIn(frontmatter: unknown): Partial<Head> {
  const { mode, adr_id: adr, branch, agent, session_id: session } = fieldsOf(frontmatter)
  const said = Object.entries({ mode, adr, branch, agent, session }).filter(([, v]) => isSaid(v))
  return Object.fromEntries(said)
}

/** The stated time; a note without one has that of its file name. */
function timeOf(
  path: string,
  { timestamp }: Pick<Head, 'timestamp'>,
  { note }: Kind,
): Pick<Head, 'time'> {
  const stated = timestamp === undefined ? undefined : parseInstant(timestamp)
  const time = stated ?? (note ? instantOfHandoffName(path) : undefined)
  return time === undefined ? {} : { time }
}

type Kind = Pick<Head, 'handoff' | 'note'>

/** Reads the headings of a file only if its name and frontmatter do not tell what it is. */
function kindWithin({ file, path, headings }: HeadedFile, frontmatter: unknown): Kind {
  const { adr_id, obpi_id } = fieldsOf(frontmatter)
  const kind = kindOf(path, frontmatter)
  const isSure = kind.note || (kind.handoff && (isSaid(adr_id) || isSaid(obpi_id)))
  if (isSure || !hasNoteName(path)) return kind
  const markdown = readMarkdown(decode(readOwnFile(file, MOST_BYTES) ?? new Uint8Array()).text)
  return kindOf(path, frontmatter, markdown.sections, titlesIn(markdown, headings))
}

function kindOf(
  path: string,
  frontmatter: unknown,
  sections: unknown = [],
  titles: readonly string[] = [],
): Kind {
  if (isDraft(path) || !/\.(?:md|markdown)$/i.test(path)) return { handoff: false }
  const value = { frontmatter, sections }
  const known = recognise(value, path, contractsIn('markdown'), 'walk', titles)
  if (known?.contract.name === 'handoff-note') return { handoff: true, note: true }
  return { handoff: known?.contract.name === 'handoff-document' }
}

const TITLE = /(?:[ \t]*(?:\r\n|\n|\r))* {0,3}#[ \t]+([^\r\n]+)/y
const LONGEST_TITLE = 200

/** The level 1 heading at the start of a text. */
function titleIn(bytes: Buffer): string {
  TITLE.lastIndex = 0
  const found = TITLE.exec(bytes.toString('latin1'))?.[1]
  if (found === undefined) return ''
  let title = decode(Buffer.from(found, 'latin1')).text.trim().slice(0, LONGEST_TITLE)
  while (title.endsWith('#')) title = title.slice(0, -1)
  return title.trimEnd()
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** Empty keys count as absent. */
function isSaid(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
