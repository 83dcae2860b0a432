import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import { gitEnvironment } from './git-environment.ts'
import { readGitFolder } from './git-folder.ts'

/** Overrides for settings that let a repository run programs. */
const NO_PROGRAMS = [
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  // Never fetch, not even missing objects of a partial clone.
  ...[
    'allow',
    'ext.allow',
    'file.allow',
    'git.allow',
    'ssh.allow',
    'http.allow',
    'https.allow',
  ].map(key => `protocol.${key}=never`),
].flatMap(setting => ['-c', setting])
/** How many commits to read; drift beyond twenty counts the same. */
const HISTORY = 400

/** Options of a Git call. */
interface Telling {
  /** Standard input. */
  readonly input?: string
  /** Replaces the index of the repository. */
  readonly index?: string | undefined
  /** Milliseconds after which Git is stopped. */
  readonly timeout?: number
  /** Called when Git succeeds with warnings. */
  complained?(): void
}

/** Runs Git in a folder and returns its output; executes nothing that the repository configures. */
export function git(root: string, args: readonly string[], telling: Telling = {}): Buffer {
  const { input, index, timeout, complained } = telling
  // Loaded on use: keeps startup fast.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { error, status, stdout, stderr } = spawnSync('git', [...NO_PROGRAMS, ...args], {
    cwd: root,
    env: gitEnvironment(index),
    maxBuffer: 1024 ** 3,
    ...(timeout !== undefined && { timeout }),
    ...(input === undefined ? {} : { input }),
  })
  if (error) throw error
  if (status !== 0) throw Object.assign(new Error(`Git ended with ${status}`), { stderr })
  if (stderr.length > 0) complained?.()
  return stdout
}

/** Runs Git for a user request. @throws {WaybillError} 'usage' with a hint when Git fails. */
export function askGit(root: string, args: readonly string[], telling?: Telling): Buffer {
  try {
    return git(root, args, telling)
  } catch (cause) {
    const complaint = saidIn(cause).split('\n')[0]
    throw new WaybillError(
      'usage',
      `Git failed to run 'git ${args.find(arg => /^[a-z-]{3,}$/.test(arg))}'${complaint ? `: ${complaint}` : ''}`,
      { hint: whatGitNeeds(root), cause },
    )
  }
}

/** The error output of Git. */
function saidIn(cause: unknown): string {
  return String((cause as { stderr?: unknown }).stderr ?? '').trim()
}

function whatGitNeeds(root: string): string {
  const { version, repository, shallow, exception } = gitState(root)
  if (version === undefined) return 'install Git'
  if (exception) return `it belongs to another user; if you trust it, run ${exception}`
  if (!repository) return 'run this inside a Git repository'
  if (shallow)
    return 'this clone lacks older commits: fetch the one you need (in CI: fetch-depth: 0)'
  return 'name a commit or branch that exists'
}

function whyNoHistory(root: string): NoHistory {
  if (tryGit(root, ['rev-parse', '--git-dir']) !== undefined) return 'gone'
  return existsSync(join(root, '.git')) ? 'unreadable' : 'no repository'
}

/** The history of a branch, newest first: each commit with its changed and added files. */
export interface History {
  readonly branch: 'present' | 'diverged'
  readonly commits: readonly Commit[]
  /** Whether older commits exist that are not listed or missing in this clone. */
  readonly cut: boolean
}

/** One commit of a history. */
export interface Commit {
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly files: readonly string[]
  readonly added: readonly string[]
}

const BRANCH = /^(?!-)(?!.*(?:\.\.|@\{))[^\p{Cc} ~^:?*[\\]+$/u

/** Why there is no history: no such branch or commit, no repository, or one that Git cannot read. */
type NoHistory = 'gone' | 'no repository' | 'unreadable'

/** The recent history of a branch, or why there is none. */
export function historyOf(root: string, branch: string): History | NoHistory {
  // Reject revision expressions, some of which search the whole history.
  if (!BRANCH.test(branch)) return 'gone'
  const log = tryGit(root, [
    'log',
    `--max-count=${HISTORY}`,
    '--format=%x01%ct %p',
    '--name-status',
    '--no-renames',
    '--relative',
    '-z',
    '--end-of-options',
    branch,
    '--',
  ])
  if (log === undefined) return whyNoHistory(root)
  const shallow = isShallow(root)
  const commits = log
    .split('\x01')
    .slice(1)
    .map(text => readCommit(text, shallow))
  // The branch compared with its upstream: `[ahead 1, behind 2]`.
  const track = tryGit(root, ['for-each-ref', '--format=%(upstream:track)', `refs/heads/${branch}`])
  const diverged = /ahead [0-9]+, behind [0-9]+/.test(track ?? '')
  const cut = commits.length >= HISTORY || shallow
  return { branch: diverged ? 'diverged' : 'present', commits, cut }
}

/** Runs Git in a folder and returns its output, trimmed; undefined if it fails or is not installed. */
export function tryGit(root: string, args: readonly string[]): string | undefined {
  try {
    return git(root, args).toString().trim()
  } catch {
    return undefined
  }
}

function isShallow(root: string): boolean {
  const known = readGitFolder(root)
  return known?.shallow ?? tryGit(root, ['rev-parse', '--is-shallow-repository']) === 'true'
}

function readCommit(text: string, shallow: boolean): Commit {
  const [head = '', ...fields] = text.split('\0')
  const [time = '', ...parents] = head.trim().split(' ')
  // At the boundary of a shallow clone, a commit seems to add every file.
  if (shallow && parents.length === 0) return { time: Number(time) * 1000, files: [], added: [] }
  const files: string[] = []
  const added: string[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const status = fields[i]?.trim() ?? ''
    const path = fields[i + 1] ?? ''
    if (!status || !path) continue
    files.push(path)
    if (status === 'A') added.push(path)
  }
  return { time: Number(time) * 1000, files, added }
}

/** Git's view of a folder; without a version Git is not installed. */
export interface GitState {
  readonly version?: string
  readonly repository: boolean
  /** Whether the clone lacks older commits. */
  readonly shallow: boolean
  /** The command that makes Git accept a repository owned by another user. */
  readonly exception?: string
}

/** Returns the version of Git and whether a folder is in a repository. */
export function gitState(root: string): GitState {
  const version = tryGit(root, ['--version'])?.replace(/^git version /, '')
  if (version === undefined) return { repository: false, shallow: false }
  try {
    const shallow = git(root, ['rev-parse', '--is-shallow-repository']).toString().trim()
    return { version, repository: true, shallow: shallow === 'true' }
  } catch (cause) {
    const [exception] = /git config .*safe\.directory .*/.exec(saidIn(cause)) ?? []
    return { version, repository: false, shallow: false, ...(exception && { exception }) }
  }
}

/** Whether Git ignores a path, which need not exist; undefined outside a repository. */
export function isIgnoredByGit(root: string, path: string): boolean | undefined {
  if (tryGit(root, ['rev-parse', '--git-dir']) === undefined) return undefined
  return tryGit(root, ['check-ignore', '--quiet', '--', path]) !== undefined
}

/** Whether Git tracks anything at or below a path. */
export function isTracked(folder: string, path: string): boolean {
  return Boolean(tryGit(folder, ['ls-files', '-z', '--', path]))
}

/** The checked-out branch; undefined for a detached head and outside a repository. */
export function currentBranch(root: string): string | undefined {
  const known = readGitFolder(root)
  if (known) return known.branch
  return tryGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']) || undefined
}

/** The checked-out commit; undefined before the first one and outside a repository. */
export function headCommit(root: string): string | undefined {
  return tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD']) || undefined
}

/** Whether a branch came into the checked-out one by a merge commit, not as its beginning. */
export function isMergedByCommit(root: string, branch: string): boolean {
  const tip = tryGit(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', branch])
  if (!tip || tryGit(root, ['merge-base', '--is-ancestor', tip, 'HEAD']) === undefined) return false
  const own = tryGit(root, ['rev-list', '--first-parent', 'HEAD'])
  return own !== undefined && !own.includes(tip)
}

/** Whether the message of a recent merge commit of the checked-out branch names a branch. */
export function isNamedByMerge(root: string, branch: string): boolean {
  const log = ['log', '--merges', `--max-count=${HISTORY}`, '--format=%s', 'HEAD', '--']
  const words = (tryGit(root, log) ?? '').split(/[\s']+/)
  return words.some(word => word === branch || word.endsWith(`/${branch}`))
}

/** Whether the checked-out commit has a file. */
export function isInHead(root: string, path: string): boolean {
  return tryGit(root, ['cat-file', '-e', `HEAD:./${path}`]) !== undefined
}

/** The user's name: from Git, else that of the account. */
export function userName(root: string): string {
  const name = tryGit(root, ['config', 'user.name'])
  if (name) return name
  try {
    return process.getBuiltinModule('node:os').userInfo().username
  } catch {
    // A container may run as a user without an account.
    return 'unknown'
  }
}

/** The absolute folder that all worktrees of a repository share. */
export function commonGitFolder(root: string): string | undefined {
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir']
  return readGitFolder(root)?.common ?? tryGit(root, asked)
}
