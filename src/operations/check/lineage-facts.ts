import type { Fact, Fields } from '../../contract/index.ts'
import { classifyStaleness } from '../../contracts/index.ts'
import { parseInstant } from '../../document/index.ts'
import {
  findCircle,
  linkOf,
  readDocumentHead,
  resolvePredecessor,
  statedTimeOf,
} from '../../session/index.ts'
import { type Commit, currentBranch, type History, historyOf } from '../../workspace/index.ts'
import { type FactSources, remember, type Subject } from './fact-sources.ts'

/** Finds the predecessor of a document, and the circle that it is part of, if any. */
export async function findLineage({ source, value }: Subject, sources: FactSources): Promise<Fact> {
  const start = { path: source.path, ...detached(linkOf(value)) }
  // A successor need not read this document again.
  void remember(sources, `link ${source.path}`, () => Promise.resolve(start))
  if (start.continuesFrom === undefined) return { value: {} }
  const found = resolvePredecessor(start.continuesFrom, source.path, sources.files)
  if (found.kind === 'outside') return { value: { outside: true } }
  if (found.kind === 'missing') return { value: { missing: start.continuesFrom } }
  const predecessor = await linkAt(found.path, sources)
  const timestamp = statedTimeOf(predecessor)
  const known = remember(sources, 'circles of lineages', () => new Map())
  const cycle = await findCircle(start, link => nextLink(link, sources), known)
  return {
    value: {
      predecessor: {
        path: found.path,
        ...(timestamp !== undefined && { timestamp }),
      },
      ...(cycle && { cycle }),
    },
  }
}

/** Returns a copy that does not keep the whole source text in memory. */
function detached<T extends Fields>(link: T): T {
  return JSON.parse(JSON.stringify(link))
}

type Link = ReturnType<typeof linkOf> & {
  readonly path: string
  readonly time?: number
  readonly note?: true
}

async function nextLink(link: Link, sources: FactSources): Promise<Link | undefined> {
  if (link.continuesFrom === undefined) return undefined
  const found = resolvePredecessor(link.continuesFrom, link.path, sources.files)
  return found.kind === 'found' ? linkAt(found.path, sources) : undefined
}

function linkAt(path: string, sources: FactSources): Promise<Link> {
  return remember(sources, `link ${path}`, () => readDocumentHead(sources.root, path))
}

/** Very stale from here on; counting further changes nothing. */
const ENOUGH_COMMITS = 20

/**
 * Measures the commits on a document's branch since it was written, except those that touch only handoffs.
 *
 * Skips Git for a document whose age alone makes it very stale.
 */
export function measureDrift({ source, value }: Subject, sources: FactSources): Fact {
  const { branch, timestamp } = frontmatterOf(value)
  if (typeof branch !== 'string' || typeof timestamp !== 'string') {
    return { missing: 'no branch or time is stated' }
  }
  const since = parseInstant(timestamp)
  if (since !== undefined && classifyStaleness(sources.now - since).staleness === 'very stale') {
    return { missing: 'its age decides' }
  }
  const history = branchHistory(branch, sources)
  if (history === 'no repository') return { missing: 'this is not a Git repository' }
  if (history === 'unreadable') return { value: { unknown: 'Git cannot show its history' } }
  if (history === 'gone') return { value: { commits: 0, files: 0, branch: 'gone' } }
  return { value: countSince(history, source.path, since) }
}

/** Returns the recent history of a branch, cached; a branch without commits counts as present. */
export function branchHistory(branch: string, sources: FactSources): ReturnType<typeof historyOf> {
  return remember(sources, `history ${branch}`, () => {
    const history = historyOf(sources.root, branch)
    const isUnborn = history === 'gone' && currentBranch(sources.root) === branch
    return isUnborn ? { branch: 'present', commits: [], cut: false } : history
  })
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

function frontmatterOf(value: unknown): Fields {
  const frontmatter = (value as Fields | undefined)?.frontmatter
  return typeof frontmatter === 'object' && frontmatter !== null ? (frontmatter as Fields) : {}
}
