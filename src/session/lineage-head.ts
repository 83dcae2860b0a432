import { join } from 'node:path'
import { type Fields, recognise } from '../contract/index.ts'
import { findContract } from '../contracts/index.ts'
import { decode, MOST_BYTES, parseInstant } from '../document/index.ts'
import { readHead, readOwnFile, versionOf } from '../workspace/index.ts'
import { readFrontmatter } from './lineage-frontmatter.ts'

/** The fields of a document that matter to a lineage, as written. */
export interface Head {
  /** Relative to the root, forward slashes. */
  readonly path: string
  /** Whether it is a handoff document and not a draft. */
  readonly handoff: boolean
  readonly timestamp?: string
  /** Milliseconds since the epoch. */
  readonly time?: number
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
export async function readDocumentHead(root: string, path: string): Promise<Head> {
  const file = join(root, path)
  try {
    const known = heads.get(file)
    if (known && known.head.path === path && versionOf(file) === known.version) return known.head
    const { bytes, version } = readHead(file, scratch)
    const head = await headIn(file, path, bytes)
    if (heads.size >= MOST_KNOWN) heads.clear()
    heads.set(file, { version, head })
    return head
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    return { path, handoff: isHandoff(path, {}), fault: `it cannot be read (${reason})` }
  }
}

/** Caches heads by file version, because resuming walks a chain several times. */
const heads = new Map<string, { readonly version: string; readonly head: Head }>()
const MOST_KNOWN = 50_000

async function headIn(file: string, path: string, start: Buffer): Promise<Head> {
  const cut = cutHead(start)
  const isEnough = start.length < ENOUGH || !cut || cut.body + ROOM_FOR_TITLE < start.length
  if (isEnough) return headOf(path, start, cut)
  const whole = readOwnFile(file, MOST_BYTES) ?? start
  return headOf(path, whole, cutHead(whole))
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

async function headOf(path: string, bytes: Buffer, cut: Cut | undefined): Promise<Head> {
  if (!cut || cut.body > bytes.length) {
    const handoff = isHandoff(path, {})
    const fault = cut ? 'its frontmatter is never closed' : 'it has no frontmatter'
    return { path, handoff, ...(handoff && { fault }) }
  }
  // Copy out of the shared buffer before awaiting.
  const title = titleIn(bytes.subarray(cut.body))
  const { value, fault } = await readFrontmatter(decode(bytes.subarray(cut.start, cut.end)))
  const handoff = isHandoff(path, value)
  const fields = fieldsOf(value)
  const { mode, adr_id: adr, branch, agent, session_id: session } = fields
  const link = linkOf({ frontmatter: fields })
  const time = link.timestamp === undefined ? undefined : parseInstant(link.timestamp)
  return {
    path,
    handoff,
    ...link,
    ...(time !== undefined && { time }),
    ...(isSaid(mode) && { mode }),
    ...(isSaid(adr) && { adr }),
    ...(isSaid(branch) && { branch }),
    ...(isSaid(agent) && { agent }),
    ...(isSaid(session) && { session }),
    ...(title && { title }),
    ...(fault !== undefined && { fault: `its frontmatter cannot be read: ${fault}` }),
  }
}

function isHandoff(path: string, frontmatter: unknown): boolean {
  const contract = findContract('handoff-document')
  if (!contract || isDraft(path) || !/\.(?:md|markdown)$/i.test(path)) return false
  return recognise({ frontmatter }, path, [contract], 'walk') !== undefined
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
