import type { Fact, Fields } from '../../contract/index.ts'
import { classifyStaleness } from '../../contracts/index.ts'
import { parseInstant } from '../../document/index.ts'
import { findCircle, linkOf, readDocumentHead, resolvePredecessor } from '../../session/index.ts'
import { type Commit, currentBranch, type History, historyOf } from '../../workspace/index.ts'
import { type FactSources, remember, type Subject } from './fact-sources.ts'

/** Where a document's lineage leads: its direct predecessor, and the circle that it stands in, if any. */
export async function findLineage({ source, value }: Subject, sources: FactSources): Promise<Fact> {
  const start = { path: source.path, ...detached(linkOf(value)) }
  // Whoever continues from this document need not read it again.
  void remember(sources, `link ${source.path}`, () => Promise.resolve(start))
  if (start.continuesFrom === undefined) return { value: {} }
  const found = resolvePredecessor(start.continuesFrom, source.path, sources.files)
  if (found.kind === 'outside') return { value: { outside: true } }
  if (found.kind === 'missing') return { value: { missing: start.continuesFrom } }
  const predecessor = await linkAt(found.path, sources)
  const known = remember(sources, 'circles of lineages', () => new Map())
  const cycle = await findCircle(start, link => nextLink(link, sources), known)
  return {
    value: {
      predecessor: {
        path: found.path,
        ...(predecessor.timestamp !== undefined && { timestamp: predecessor.timestamp }),
      },
      ...(cycle && { cycle }),
    },
  }
}

/** A copy of its own: a piece of a text holds on to all of it, and links are kept for as long as the run lasts. */
function detached<T extends Fields>(link: T): T {
  return JSON.parse(JSON.stringify(link))
}

type Link = ReturnType<typeof linkOf> & { readonly path: string }

async function nextLink(link: Link, sources: FactSources): Promise<Link | undefined> {
  if (link.continuesFrom === undefined) return undefined
  const found = resolvePredecessor(link.continuesFrom, link.path, sources.files)
  return found.kind === 'found' ? linkAt(found.path, sources) : undefined
}

function linkAt(path: string, sources: FactSources): Promise<Link> {
  return remember(sources, `link ${path}`, () => readDocumentHead(sources.root, path))
}

/** Enough drift to be very stale; counting further changes nothing. */
const ENOUGH_COMMITS = 20

/**
 * What happened on a document's branch after it was written, not counting commits that touch only handoffs.
 *
 * Git is not asked about a document whose age alone makes it very stale: nothing could make it staler.
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
  if (history === 'no repository') return { missing: 'this is no Git repository' }
  if (history === 'unreadable') return { value: { unknown: 'Git does not show its history' } }
  if (history === 'gone') return { value: { commits: 0, files: 0, branch: 'gone' } }
  return { value: countSince(history, source.path, since) }
}

/** The recent history of a branch, asked for once; one on which nothing was committed yet is there all the same. */
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
