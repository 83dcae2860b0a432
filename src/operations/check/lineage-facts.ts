import { join } from 'node:path'
import type { Fact, Fields, Files } from '../../contract/index.ts'
import { classifyStaleness, predecessorPlaces } from '../../contracts/index.ts'
import { formatOf, parseInstant, readDocuments } from '../../document/index.ts'
import { type Commit, type History, historyOf } from '../../workspace/index.ts'
import { type FactSources, remember, type Subject } from './fact-sources.ts'
import { readSource } from './source.ts'

/** What a document says of itself that matters to a lineage. */
interface Link {
  readonly path: string
  readonly timestamp?: string
  /** As written. */
  readonly continuesFrom?: string
}

/** Where a document's lineage leads: its direct predecessor, and the circle that it stands in, if any. */
export async function findLineage({ source, value }: Subject, sources: FactSources): Promise<Fact> {
  const reference = continuesFrom(value)
  // Whoever continues from this document need not read it again.
  void remember(sources, `link ${source.path}`, () => Promise.resolve(linkOf(source.path, value)))
  if (reference === undefined) return { value: {} }
  const found = resolveReference(reference, source.path, sources.files)
  if (found.kind !== 'found')
    return { value: found.kind === 'outside' ? { outside: true } : { missing: reference } }
  const predecessor = await linkAt(found.path, sources)
  const cycle = await circleOf(linkOf(source.path, value), sources)
  return {
    value: {
      predecessor: {
        path: found.path,
        ...(predecessor?.timestamp && { timestamp: predecessor.timestamp }),
      },
      ...(cycle && { cycle }),
    },
  }
}

type Resolved = { kind: 'found'; path: string } | { kind: 'missing' } | { kind: 'outside' }

function resolveReference(reference: string, path: string, files: Files): Resolved {
  const places = predecessorPlaces(path, reference)
  let outside = places.length === 0
  for (const place of places) {
    const kind = files.kindOf(place)
    if (kind === 'file') return { kind: 'found', path: place }
    if (kind === 'outside') outside = true
  }
  return { kind: outside ? 'outside' : 'missing' }
}

type Circle = readonly string[] | undefined

/** The circle that a document's lineage runs into, if any; each document is read once, however many ask. */
async function circleOf(start: Link, sources: FactSources): Promise<Circle> {
  const known = remember(sources, 'circles of lineages', () => new Map<string, Circle>())
  const walked: string[] = []
  const seen = new Set<string>()
  let circle: Circle
  for (let link: Link | undefined = start; link; link = await nextLink(link, sources)) {
    if (known.has(link.path)) {
      circle = known.get(link.path)
      break
    }
    if (seen.has(link.path)) {
      circle = walked.slice(walked.indexOf(link.path))
      break
    }
    seen.add(link.path)
    walked.push(link.path)
  }
  for (const path of walked) known.set(path, circle)
  return circle
}

async function nextLink(link: Link, sources: FactSources): Promise<Link | undefined> {
  if (link.continuesFrom === undefined) return undefined
  const found = resolveReference(link.continuesFrom, link.path, sources.files)
  return found.kind === 'found' ? linkAt(found.path, sources) : undefined
}

function linkAt(path: string, sources: FactSources): Promise<Link | undefined> {
  return remember(sources, `link ${path}`, async () => {
    const read = readSource({ file: join(sources.root, path), path, named: false })
    if (typeof read === 'string') return undefined
    // Only the frontmatter is wanted: a lineage may be thousands of documents long.
    const end = read.text.indexOf('\n---', 3)
    const head = end < 0 ? read.text : read.text.slice(0, end + 5)
    const { documents } = await readDocuments(head, formatOf(path, head), read.faults)
    return linkOf(path, documents[0]?.value)
  })
}

function linkOf(path: string, value: unknown): Link {
  const timestamp = frontmatterOf(value)?.timestamp
  const reference = continuesFrom(value)
  return {
    path,
    ...(typeof timestamp === 'string' && { timestamp }),
    ...(reference !== undefined && { continuesFrom: reference }),
  }
}

function frontmatterOf(value: unknown): Fields | undefined {
  const frontmatter = (value as Fields | undefined)?.frontmatter
  return typeof frontmatter === 'object' && frontmatter !== null
    ? (frontmatter as Fields)
    : undefined
}

function continuesFrom(value: unknown): string | undefined {
  const reference = frontmatterOf(value)?.continues_from
  return typeof reference === 'string' && reference !== '' ? reference : undefined
}

/** Enough drift to be very stale; counting further changes nothing. */
const ENOUGH_COMMITS = 20

/**
 * What happened on a document's branch after it was written, not counting commits that touch only handoffs.
 *
 * Git is not asked about a document whose age alone makes it very stale: nothing could make it staler.
 */
export function measureDrift({ source, value }: Subject, sources: FactSources): Fact {
  const { branch, timestamp } = frontmatterOf(value) ?? {}
  if (typeof branch !== 'string' || typeof timestamp !== 'string') {
    return { missing: 'no branch or time is stated' }
  }
  const since = parseInstant(timestamp)
  if (since !== undefined && classifyStaleness(sources.now - since).staleness === 'very stale') {
    return { missing: 'its age decides' }
  }
  const history = remember(sources, `history ${branch}`, () => historyOf(sources.root, branch))
  if (history === 'no repository') return { missing: 'this is no Git repository' }
  if (history === 'unreadable') return { value: { unknown: 'Git does not show its history' } }
  if (history === 'gone') return { value: { commits: 0, files: 0, branch: 'gone' } }
  return { value: countSince(history, source.path, since) }
}

function countSince(history: History, path: string, since: number | undefined): unknown {
  const { branch, cut } = history
  const committed = history.commits.some(commit => commit.added.includes(path))
  const isReached = (commit: Commit) =>
    committed ? commit.added.includes(path) : since !== undefined && commit.time <= since
  let commits = 0
  const files = new Set<string>()
  for (const commit of history.commits) {
    if (isReached(commit)) return { commits, files: files.size, branch }
    const others = commit.files.filter(file => !`/${file}`.includes('/handoffs/'))
    if (others.length > 0) commits++
    for (const file of others) files.add(file)
  }
  const decided = commits >= ENOUGH_COMMITS || !cut
  return decided
    ? { commits, files: files.size, branch }
    : { unknown: 'the history does not reach back to the document' }
}
