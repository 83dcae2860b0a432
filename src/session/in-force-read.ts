import { join, posix } from 'node:path'
import { type HouseHeadings, statementsOf } from '../contracts/index.ts'
import { decode, MOST_BYTES } from '../document/index.ts'
import { readOwnFile, readRecords, sha256, versionOf } from '../workspace/index.ts'
import { type InForce, inForce, type StatedDocument } from './in-force.ts'
import { ancestorsOf, type Lineage, type Member } from './lineage.ts'
import { areRecordsTracked, VERIFICATION } from './verification.ts'

/** What is in force after a document, and the documents that it was computed from. */
export interface LineageInForce extends InForce {
  readonly documents: readonly ReadDocument[]
  /** Documents of the lineage that cannot be read. */
  readonly unreadable: readonly string[]
  /** Documents on other lines of a fork, whose decisions and facts do not hold. */
  readonly elsewhere: readonly string[]
}

interface ReadDocument extends StatedDocument {
  readonly contract: 'handoff-document' | 'handoff-note'
  readonly sha256: string
  /** The claimed name of the person who verified these bytes. */
  readonly verifiedBy: string | null
}

/** Which documents count. */
export interface InForceScope {
  /** Only the document itself. */
  readonly only?: boolean
}

/**
 * Reads what is in force after a document: the statements of its ancestors and of itself, and the rules of the other
 * lines of its forks. Lines that its session continues in another document count as its own.
 */
export function readInForce(
  root: string,
  head: Member,
  lineage: Lineage,
  { only = false }: InForceScope = {},
): LineageInForce {
  const own = only ? new Set([head]) : ownLine(head, lineage)
  const family = only ? own : familyOf(head, own, lineage)
  const members = lineage.members.filter(member => family.has(member))
  const inFamily = new Set(members.map(({ path }) => path))
  // A named file that is no handoff document may not be among the members.
  const ordered = members.includes(head) ? members : [...members, head]
  const verifiers = verifiersIn(root)
  const documents: ReadDocument[] = only ? [] : [...rulesBefore(root, head, lineage)]
  const unreadable: string[] = []
  for (const member of inReadingOrder(ordered, own)) {
    const read = readStatements(root, member, lineage.headings)
    if (!read) {
      unreadable.push(member.path)
      continue
    }
    const verifiedBy = verifiers.get(read.sha256) ?? null
    const isElsewhere = !own.has(member)
    const { path, timestamp, agent, note } = member
    const contract = note ? 'handoff-note' : 'handoff-document'
    documents.push({
      ...{ path, contract, ...read, verifiedBy, verified: verifiedBy !== null, isElsewhere },
      ...(timestamp !== undefined && { timestamp }),
      ...(agent !== undefined && { agent }),
    })
  }
  const forks = documents.filter(({ path, isElsewhere }) => isElsewhere && inFamily.has(path))
  const elsewhere = forks.map(({ path }) => path)
  return { ...inForce(documents), documents, unreadable, elsewhere }
}

/** Reads what is in force after the newest document of a family, and what holds on the other lines of its forks. */
export function readAllInForce(
  root: string,
  members: readonly Member[],
  lineage: Lineage,
): InForce {
  const newest = members.at(-1)
  const family = new Set(members)
  // A session may go on in another family.
  const own = new Set(newest ? [...ownLine(newest, lineage)].filter(one => family.has(one)) : [])
  const documents = inReadingOrder(members, own).flatMap(member => {
    const { path, timestamp, agent } = member
    const read = readStatements(root, member, lineage.headings)
    if (!read) return []
    const known = {
      ...(timestamp !== undefined && { timestamp }),
      ...(agent !== undefined && { agent }),
    }
    return [{ path, ...read, ...known, verified: false, isElsewhere: !own.has(member) }]
  })
  return inForce(documents, true)
}

/** By age, but documents of its own line along the chain. */
function inReadingOrder(members: readonly Member[], own: ReadonlySet<Member>): Member[] {
  const chain = [...own]
  let at = 0
  const ordered = members.map(member => (own.has(member) ? (chain[at++] ?? member) : member))
  return [...ordered, ...chain.slice(at)]
}

/** The ancestors of a document and itself, after those of the other documents of its session. */
function ownLine(head: Member, lineage: Lineage): ReadonlySet<Member> {
  const { members } = lineage
  const chain = [...ancestorsOf(head), head]
  const { session, time = 0 } = head
  const same = members.filter(
    member => session !== undefined && member.session === session && (member.time ?? 0) <= time,
  )
  const others = new Set<Member>()
  const known = new Set(chain)
  for (const member of same)
    for (let at: Member | undefined = member; at && !known.has(at); at = at.predecessor) {
      known.add(at)
      others.add(at)
    }
  return new Set([...members.filter(member => others.has(member)), ...chain])
}

/**
 * The rules that hold before a note without a link, as documents of another line. Such a note cannot say what it
 * continues, and leaving a rule out ends nothing.
 */
function rulesBefore(root: string, note: Member, lineage: Lineage): readonly ReadDocument[] {
  const before = impliedPredecessor(note, lineage)
  if (!before) return []
  const { items, documents } = readInForce(root, before, lineage)
  const rules = items.filter(({ kind }) => kind === 'rule')
  const standing = new Set(rules.map(({ since: { path, line } }) => `${path}:${line}`))
  return documents.map(document => ({
    ...document,
    isElsewhere: true,
    statements: document.statements.filter(({ line }) => standing.has(`${document.path}:${line}`)),
  }))
}

/** The newest handoff before an unlinked note, in its folder or in `handoffs/` below it. */
function impliedPredecessor(note: Member, { members }: Lineage): Member | undefined {
  if (!note.note || note.mode !== undefined || note.continuesFrom !== undefined) return undefined
  const folder = posix.dirname(note.path)
  const places = [folder, posix.join(folder, 'handoffs')]
  const earlier = members.slice(0, Math.max(0, members.indexOf(note)))
  return earlier.findLast(
    ({ path, handoff, fault }) =>
      handoff && fault === undefined && places.includes(posix.dirname(path)),
  )
}

/** All documents connected to a document, without its descendants. */
function familyOf(head: Member, own: ReadonlySet<Member>, lineage: Lineage): ReadonlySet<Member> {
  const later = new Set<Member>([head])
  for (const next of later) for (const one of lineage.successors.get(next) ?? []) later.add(one)
  const family = new Set<Member>(own)
  for (const next of family) for (const one of lineage.successors.get(next) ?? []) family.add(one)
  for (const one of later) if (!own.has(one)) family.delete(one)
  return family
}

function verifiersIn(root: string): ReadonlyMap<string, string> {
  const { records } = readRecords(root, VERIFICATION)
  // Tracked records may be written by the author of the documents, so they prove nothing.
  if (records.length === 0 || areRecordsTracked(root)) return new Map()
  return new Map(records.flatMap(({ subject, by }) => (subject ? [[subject.sha256, by]] : [])))
}

interface ReadStatements extends Pick<StatedDocument, 'statements'> {
  readonly sha256: string
}

function readStatements(
  root: string,
  { path, handoff, note }: Member,
  headings: HouseHeadings | undefined,
): ReadStatements | undefined {
  const file = join(root, path)
  const bytesVersion = versionOf(file)
  const version = bytesVersion && `${bytesVersion} ${JSON.stringify(headings ?? null)}`
  const known = cache.get(file)
  if (known && version !== undefined && known.version === version) return known.read
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(file, MOST_BYTES)
  } catch {
    return undefined
  }
  if (!bytes) return undefined
  const place = { path, headings, ...(handoff && { note: note === true }) }
  const read = {
    statements: statementsOf(decode(bytes).text, place),
    sha256: sha256(bytes),
  }
  if (cache.size >= MOST_KNOWN) cache.clear()
  if (version !== undefined) cache.set(file, { version, read })
  return read
}

/** Resuming and serving agents read a lineage several times. */
const cache = new Map<string, { readonly version: string; readonly read: ReadStatements }>()
const MOST_KNOWN = 10_000
