import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import { gitEnvironment } from './git-environment.ts'

/** Settings by which a repository could have programs run, and what each is set to instead. */
const NO_PROGRAMS = [
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  // Nothing is fetched: not even what a partial clone lacks.
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
/** How many commits are looked at; drift beyond twenty counts alike. */
const HISTORY = 400

/** What Git is told beside its arguments. */
interface Telling {
  /** Read from standard input. */
  readonly input?: string
  /** Instead of the index of the repository. */
  readonly index?: string | undefined
  /** Is called where Git complains and answers all the same. */
  complained?(): void
}

/** Runs Git in a folder and gives what it prints; nothing that the repository configures is executed. */
export function git(root: string, args: readonly string[], telling: Telling = {}): Buffer {
  const { input, index, complained } = telling
  // Loaded on use: starting up costs less without it.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { error, status, stdout, stderr } = spawnSync('git', [...NO_PROGRAMS, ...args], {
    cwd: root,
    env: gitEnvironment(index),
    maxBuffer: 1024 ** 3,
    ...(input === undefined ? {} : { input }),
  })
  if (error) throw error
  if (status !== 0) throw Object.assign(new Error(`Git ended with ${status}`), { stderr })
  if (stderr.length > 0) complained?.()
  return stdout
}

/** The same for what a user asked for: a refusal is an error with what can be done about it. */
export function askGit(root: string, args: readonly string[], telling?: Telling): Buffer {
  try {
    return git(root, args, telling)
  } catch (cause) {
    const said = saidIn(cause).split('\n')[0]
    throw new WaybillError(
      'usage',
      `Git does not answer 'git ${args.find(arg => /^[a-z-]{3,}$/.test(arg))}'${said ? `: ${said}` : ''}`,
      { hint: whatGitNeeds(root), cause },
    )
  }
}

/** What Git complained of. */
function saidIn(cause: unknown): string {
  return String((cause as { stderr?: unknown }).stderr ?? '').trim()
}

function whatGitNeeds(root: string): string {
  const { version, repository, shallow, exception } = gitState(root)
  if (version === undefined) return 'install Git'
  if (exception) return `it belongs to another user; if you trust it, run ${exception}`
  if (!repository) return 'run this inside a Git repository'
  if (shallow)
    return 'this clone lacks older commits: fetch the one that is meant (in CI: fetch-depth: 0)'
  return 'name a commit or branch that exists'
}

function whyNoHistory(root: string): NoHistory {
  if (tryGit(root, ['rev-parse', '--git-dir']) !== undefined) return 'gone'
  return existsSync(join(root, '.git')) ? 'unreadable' : 'no repository'
}

/** What happened on a branch, newest first: each commit with the files it touched and those it added. */
export interface History {
  readonly branch: 'present' | 'diverged'
  readonly commits: readonly Commit[]
  /** Older commits exist that are not listed, or that this clone does not have. */
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

/** Why there is no history: no such branch or no commit yet, no repository, or one that Git does not read. */
type NoHistory = 'gone' | 'no repository' | 'unreadable'

/** The recent history of a branch, or why there is none. */
export function historyOf(root: string, branch: string): History | NoHistory {
  // Git also takes expressions, some of which search the whole history; no branch is called like one.
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
  // Asked for the branch and where it stands against the one it follows: `[ahead 1, behind 2]`.
  const track = tryGit(root, ['for-each-ref', '--format=%(upstream:track)', `refs/heads/${branch}`])
  const diverged = /ahead [0-9]+, behind [0-9]+/.test(track ?? '')
  const cut = commits.length >= HISTORY || shallow
  return { branch: diverged ? 'diverged' : 'present', commits, cut }
}

/** What Git prints in a folder, trimmed; `undefined` where it refuses, or where there is no Git. */
export function tryGit(root: string, args: readonly string[]): string | undefined {
  try {
    return git(root, args).toString().trim()
  } catch {
    return undefined
  }
}

function isShallow(root: string): boolean {
  return tryGit(root, ['rev-parse', '--is-shallow-repository']) === 'true'
}

function readCommit(text: string, shallow: boolean): Commit {
  const [head = '', ...fields] = text.split('\0')
  const [time = '', ...parents] = head.trim().split(' ')
  // Where a shallow clone is cut off, a commit seems to have added every file that there was.
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

/** What Git says of a folder; without a version there is no Git on this machine. */
export interface GitState {
  readonly version?: string
  readonly repository: boolean
  /** The clone lacks older commits. */
  readonly shallow: boolean
  /** The command by which Git would read a repository that belongs to another user, and that it refuses till then. */
  readonly exception?: string
}

/** Asks Git for its version and whether a folder is in a repository. */
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

/** Whether Git passes over a path, which need not exist; `undefined` outside a repository. */
export function isIgnoredByGit(root: string, path: string): boolean | undefined {
  if (tryGit(root, ['rev-parse', '--git-dir']) === undefined) return undefined
  return tryGit(root, ['check-ignore', '--quiet', '--', path]) !== undefined
}

/** Whether Git keeps anything at or below a path, which then came with the repository. */
export function isTracked(folder: string, path: string): boolean {
  return Boolean(tryGit(folder, ['ls-files', '-z', '--', path]))
}

/** The branch that is checked out; `undefined` for a detached head and outside a repository. */
export function currentBranch(root: string): string | undefined {
  return tryGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']) || undefined
}

/** The commit that is checked out; `undefined` before the first and outside a repository. */
export function headCommit(root: string): string | undefined {
  return tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD']) || undefined
}

/** The name that the person at this machine goes by: Git's, else that of the account. */
export function userName(root: string): string {
  const name = tryGit(root, ['config', 'user.name'])
  if (name) return name
  try {
    return process.getBuiltinModule('node:os').userInfo().username
  } catch {
    // A container may run as a user that has no account.
    return 'unknown'
  }
}

/** The folder that all worktrees of a repository share, absolute. */
export function commonGitFolder(root: string): string | undefined {
  return tryGit(root, ['rev-parse', '--path-format=absolute', '--git-common-dir'])
}
