import { relative, sep } from 'node:path'
import type { Files } from '../contract/index.ts'
import { type HouseHeadings, instantOfHandoffName } from '../contracts/index.ts'
import { formatInstant } from '../document/index.ts'
import { openFiles, walk } from '../workspace/index.ts'
import { type Head, isDraft, readDocumentHead } from './lineage-head.ts'
import { realPathOf, resolvePredecessor } from './lineage-links.ts'

/** A document of a lineage, with its resolved link. */
export interface Member extends Head {
  /** The document that it continues. */
  readonly predecessor?: Member
  /** Why the named predecessor was not found. */
  readonly lost?: 'missing' | 'outside'
  /** The path used to refer to the predecessor, if it is a symbolic link. */
  readonly alias?: string
}

/** All handoff documents of a repository and their links. */
export interface Lineage {
  /** Sorted by time, then along their links, then by path; those without a time last. */
  readonly members: readonly Member[]
  readonly byPath: ReadonlyMap<string, Member>
  /** The documents that continue each one, oldest first. */
  readonly successors: ReadonlyMap<Member, readonly Member[]>
  /** Folders that could not be read. */
  readonly unreadable: readonly string[]
  /** The repository's own headings. */
  readonly headings?: HouseHeadings
}

/** Which files the search for handoff documents covers. */
interface LineageOptions {
  /** Patterns to skip. */
  readonly ignore?: readonly string[] | undefined
  /** The repository's own headings in notes. */
  readonly headings?: HouseHeadings | undefined
  /** Documents to include even if the search does not find them. */
  readonly also?: readonly string[]
}

type Draft = { -readonly [Key in keyof Member]: Key extends 'predecessor' ? Draft : Member[Key] }

/** Reads the lineage of a repository from the frontmatters of its documents. */
export async function readLineage(root: string, options: LineageOptions = {}): Promise<Lineage> {
  const { headings } = options
  const found = walk(root, root, { ignore: options.ignore })
  const within = (file: string) => relative(root, file).split(sep).join('/')
  const byPath = new Map<string, Draft>()
  const files = openFiles(root)
  for (const file of found.files) {
    const path = within(file)
    if (!/\.(?:md|markdown)$/i.test(path) || isDraft(path)) continue
    const head = await readDocumentHead(root, path, headings)
    if (head.handoff) byPath.set(path, { ...head })
  }
  for (const path of options.also ?? [])
    if (!byPath.has(path)) byPath.set(path, { ...(await readDocumentHead(root, path, headings)) })
  await linkAll(root, byPath, files, headings)
  const members = inOrder([...byPath.values()])
  return {
    members,
    byPath,
    successors: successorsOf(members),
    unreadable: found.unreadable.map(within),
    ...(headings && { headings }),
  }
}

/** Links every document to its predecessor; also reads linked files that the search did not find. */
async function linkAll(
  root: string,
  byPath: Map<string, Draft>,
  files: Files,
  headings: HouseHeadings | undefined,
): Promise<void> {
  const known: Files = {
    ...files,
    kindOf: path => (byPath.has(path) ? 'file' : files.kindOf(path)),
  }
  // The map grows during iteration, and new members are visited too.
  for (const member of byPath.values()) {
    if (member.continuesFrom === undefined) continue
    const found = resolvePredecessor(member.continuesFrom, member.path, known)
    if (found.kind !== 'found') {
      member.lost = found.kind
      continue
    }
    const path = byPath.has(found.path) ? found.path : realPathOf(root, found.path)
    if (path !== found.path) member.alias = found.path
    const predecessor = byPath.get(path) ?? { ...(await readDocumentHead(root, path, headings)) }
    byPath.set(path, predecessor)
    member.predecessor = predecessor
  }
}

/** Orders documents by time; of one second, what continues another follows it; those of unknown time come last. */
function inOrder(members: readonly Draft[]): Draft[] {
  const ages = agesOf(members)
  const depths = new Map<Draft, number>()
  for (const member of members) noteDepth(member, depths)
  const compare = (a: number | undefined, b: number | undefined) =>
    a === b ? 0 : (a ?? 0) < (b ?? 0) ? -1 : 1
  return members.toSorted(
    (a, b) =>
      compare(ages.get(a), ages.get(b)) ||
      compare(depths.get(a), depths.get(b)) ||
      (a.path < b.path ? -1 : 1),
  )
}

/** Counts the ancestors of a document and of each of them; a circle has no first one. */
function noteDepth(member: Draft, depths: Map<Draft, number>): void {
  const line = new Set<Draft>()
  let next: Draft | undefined = member
  for (; next && !depths.has(next) && !line.has(next); next = next.predecessor) line.add(next)
  const isCircle = next !== undefined && line.has(next)
  let depth = (next && depths.get(next)) ?? -1
  for (const one of [...line].reverse()) depths.set(one, isCircle ? 0 : ++depth)
}

/** The time of each document; a clone or an edit makes no file newer than what continues it. */
function agesOf(members: readonly Draft[]): ReadonlyMap<Draft, number> {
  const ages = new Map(members.map(member => [member, ageOf(member)]))
  for (const member of members) {
    const age = ages.get(member) ?? Infinity
    let next = member.predecessor
    for (; next && isUndated(next) && (ages.get(next) ?? 0) > age; next = next.predecessor)
      ages.set(next, age)
  }
  return ages
}

function isUndated({ time, path }: Head): boolean {
  return time === undefined && instantOfHandoffName(path) === undefined
}

/** The timestamp of a document, else the one in its file name; for a note, else that of the file, in whole seconds. */
function ageOf({ time, path, modified }: Head): number {
  const changed = modified === undefined ? Infinity : Math.floor(modified / 1000) * 1000
  return time ?? instantOfHandoffName(path) ?? changed
}

function successorsOf(members: readonly Member[]): Map<Member, Member[]> {
  const successors = new Map<Member, Member[]>()
  for (const member of members) {
    if (!member.predecessor) continue
    const others = successors.get(member.predecessor)
    if (others) others.push(member)
    else successors.set(member.predecessor, [member])
  }
  return successors
}

/** The ancestors of a document, first of the chain first. */
export function ancestorsOf(member: Member): readonly Member[] {
  const seen = new Set<Member>([member])
  for (let next = member.predecessor; next && !seen.has(next); next = next.predecessor)
    seen.add(next)
  return [...seen].slice(1).reverse()
}

/** A document with its ancestors and descendants. */
export function lineOf(member: Member, { successors }: Lineage): ReadonlySet<Member> {
  const line = new Set<Member>([member])
  for (const next of line) for (const later of successors.get(next) ?? []) line.add(later)
  for (const earlier of ancestorsOf(member)) line.add(earlier)
  return line
}

/** The lineage facts that the rules of handoff documents need. */
export function lineageFactOf(member: Member): Readonly<Record<string, unknown>> {
  const { predecessor, lost, alias, continuesFrom } = member
  if (lost === 'outside') return { outside: true }
  if (lost === 'missing') return { missing: continuesFrom }
  if (!predecessor) return {}
  const { path } = predecessor
  const timestamp = statedTimeOf(predecessor)
  const cycle = circleOf(member)
  return {
    predecessor: { path: alias ?? path, ...(timestamp !== undefined && { timestamp }) },
    ...(cycle && { cycle }),
  }
}

/** The time that a document states; for a note, perhaps in its file name. */
export function statedTimeOf({
  timestamp,
  time,
  note,
}: Pick<Head, 'timestamp' | 'time' | 'note'>): string | undefined {
  return timestamp ?? (note && time !== undefined ? formatInstant(time) : undefined)
}

/** The paths of the cycle that a document's chain runs into, in chain order. */
function circleOf(member: Member): readonly string[] | undefined {
  const seen = new Map<Member, number>()
  for (let next: Member | undefined = member; next; next = next.predecessor) {
    const at = seen.get(next)
    if (at !== undefined) return [...seen.keys()].slice(at).map(({ path }) => path)
    seen.set(next, seen.size)
  }
  return undefined
}
