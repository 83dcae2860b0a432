import type { Fact, Fields } from '../../contract/index.ts'
import type { Drift } from '../../contracts/index.ts'
import { parseInstant } from '../../document/index.ts'
import {
  findCircle,
  linkOf,
  readDocumentHead,
  resolvePredecessor,
  statedTimeOf,
} from '../../session/index.ts'
import {
  type Commit,
  currentBranch,
  type History,
  historyOf,
  isInHead,
  isMergedByCommit,
  isNamedByMerge,
} from '../../workspace/index.ts'
import { ageLimitsIn } from './age-limits.ts'
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

/** So many commits are counted even if the history does not reach back to the document. */
const ENOUGH_COMMITS = 20

/** Measures the drift of a document, except for one whose age makes it very stale: checks stay fast. */
export function measureDrift(subject: Subject, sources: FactSources): Fact {
  const since = parseInstant(String(frontmatterOf(subject.value).timestamp))
  const [, , very] = ageLimitsIn(sources.config)
  if (since !== undefined && sources.now - since >= very) return { missing: 'its age decides' }
  return driftSince(subject, sources)
}

/**
 * Measures the commits on a document's branch since it was written, except those that touch only handoffs; those on the
 * checked-out branch if the other one was merged into it.
 */
export function driftSince({ source, value }: Subject, sources: FactSources): Fact {
  const { branch, timestamp } = frontmatterOf(value)
  if (typeof branch !== 'string' || typeof timestamp !== 'string') {
    return { missing: 'no branch or time is stated' }
  }
  const merged = isMerged(branch, source.path, sources)
  const history = branchHistory(merged ? 'HEAD' : branch, sources)
  if (history === 'no repository') return { missing: 'this is not a Git repository' }
  if (history === 'unreadable') return { value: { unknown: 'Git cannot show its history' } }
  if (history === 'gone') return { value: { commits: 0, files: 0, branch: 'gone' } }
  const counted = countSince(history, source.path, parseInstant(timestamp))
  return { value: merged && 'branch' in counted ? { ...counted, branch: 'merged' } : counted }
}

/**
 * Whether a branch was merged into the checked-out one.
 *
 * A deleted branch counts as merged if a merge commit names it, or if the document is part of the checked-out commit.
 */
export function isMerged(branch: string, path: string, sources: FactSources): boolean {
  const { root } = sources
  if (branch === '' || branch === checkedOut(sources)) return false
  const history = branchHistory(branch, sources)
  if (history !== 'gone' && typeof history === 'string') return false
  const isByCommit = () =>
    history === 'gone' ? isNamedByMerge(root, branch) : isMergedByCommit(root, branch)
  if (remember(sources, `merge ${branch}`, isByCommit)) return true
  return history === 'gone' && isInHead(root, path)
}

function checkedOut(sources: FactSources): string | undefined {
  return remember(sources, 'checked-out branch', () => currentBranch(sources.root))
}

/** Returns the recent history of a branch, cached; a branch without commits counts as present. */
export function branchHistory(branch: string, sources: FactSources): ReturnType<typeof historyOf> {
  return remember(sources, `history ${branch}`, () => {
    const history = historyOf(sources.root, branch)
    const isUnborn = history === 'gone' && checkedOut(sources) === branch
    return isUnborn ? { branch: 'present', commits: [], cut: false } : history
  })
}

function countSince(history: History, path: string, since: number | undefined): Drift {
  const { branch, cut } = history
  const committed = history.commits.some(commit => commit.added.includes(path))
  const isReached = (commit: Commit) =>
    committed ? commit.added.includes(path) : since !== undefined && commit.time <= since
  let commits = 0
  const files = new Set<string>()
  for (const commit of history.commits) {
    if (isReached(commit)) return { commits, files: files.size, branch, paths: [...files] }
    const others = commit.files.filter(file => !`/${file}`.includes('/handoffs/'))
    if (others.length > 0) commits++
    for (const file of others) files.add(file)
  }
  const decided = commits >= ENOUGH_COMMITS || !cut
  return decided
    ? { commits, files: files.size, branch, paths: [...files] }
    : { unknown: 'the history does not reach back to the document' }
}

function frontmatterOf(value: unknown): Fields {
  const frontmatter = (value as Fields | undefined)?.frontmatter
  return typeof frontmatter === 'object' && frontmatter !== null ? (frontmatter as Fields) : {}
}
