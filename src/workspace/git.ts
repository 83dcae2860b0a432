import { WaybillError } from '../error.ts'

const NO_HOOKS = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'core.hooksPath=/dev/null',
]
const HISTORY = 400

/** Runs Git in a folder and gives what it prints; nothing that the repository configures is executed. */
function git(root: string, args: readonly string[], input?: string): Buffer {
  // Loaded on use: starting up costs less without it.
  return process
    .getBuiltinModule('node:child_process')
    .execFileSync('git', [...NO_HOOKS, ...args], {
      cwd: root,
      maxBuffer: 1024 ** 3,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(input === undefined ? {} : { input }),
    })
}

function askGit(root: string, args: readonly string[], input?: string): Buffer {
  try {
    return git(root, args, input)
  } catch (cause) {
    const said = String((cause as { stderr?: unknown }).stderr ?? '')
      .trim()
      .split('\n')[0]
    throw new WaybillError(
      'usage',
      `Git does not answer 'git ${args[0]}'${said ? `: ${said}` : ''}`,
      {
        hint: 'run this inside a Git repository, and name a commit or branch that exists',
        cause,
      },
    )
  }
}

/** Files that differ from a commit, and those that Git does not track yet; relative to the root, sorted. */
export function changedFiles(root: string, since: string): string[] {
  const changed = askGit(root, [
    'diff',
    '--name-only',
    '--relative',
    '--diff-filter=d',
    '-z',
    '--end-of-options',
    since,
    '--',
  ])
  const untracked = askGit(root, ['ls-files', '--others', '--exclude-standard', '-z'])
  return [...new Set([...names(changed), ...names(untracked)])].sort()
}

/** Files that the next commit would change; relative to the root, sorted. */
export function stagedFiles(root: string): string[] {
  return names(
    askGit(root, ['diff', '--cached', '--name-only', '--relative', '--diff-filter=d', '-z']),
  ).sort()
}

/** What the next commit would hold for a file, rather than what the work tree holds. */
export function stagedBytes(root: string, path: string): Uint8Array {
  return askGit(root, ['cat-file', 'blob', `:./${path}`])
}

function names(output: Buffer): string[] {
  return output.toString().split('\0').filter(Boolean)
}

/** What happened on a branch, newest first: each commit with the files it touched and those it added. */
export interface History {
  readonly commits: readonly {
    readonly time: number
    readonly files: readonly string[]
    readonly added: readonly string[]
  }[]
  /** Older commits exist that are not listed, or that this clone does not have. */
  readonly cut: boolean
}

/** The recent history of a branch; `undefined` where Git knows no such branch or there is no Git. */
export function historyOf(root: string, branch: string): History | undefined {
  try {
    const log = git(root, [
      'log',
      `--max-count=${HISTORY}`,
      '--format=%x01%ct',
      '--name-status',
      '--no-renames',
      '--relative',
      '-z',
      '--end-of-options',
      branch,
      '--',
    ]).toString()
    const commits = log.split('\x01').slice(1).map(readCommit)
    const shallow = git(root, ['rev-parse', '--is-shallow-repository']).toString().trim() === 'true'
    return { commits, cut: shallow || commits.length >= HISTORY }
  } catch {
    return undefined
  }
}

function readCommit(text: string): History['commits'][number] {
  const [time = '', ...fields] = text.split('\0')
  const files: string[] = []
  const added: string[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const status = fields[i]?.trim() ?? ''
    const path = fields[i + 1] ?? ''
    if (!status || !path) continue
    files.push(path)
    if (status === 'A') added.push(path)
  }
  return { time: Number(time.trim()) * 1000, files, added }
}

/** The branches that the current commit and a branch share their history with: whether it is there, gone or diverged. */
export function branchState(
  root: string,
  branch: string,
): 'present' | 'gone' | 'diverged' | 'unknown' {
  const run = (args: readonly string[]) => {
    try {
      return git(root, args).toString().trim()
    } catch {
      return undefined
    }
  }
  if (run(['rev-parse', '--git-dir']) === undefined) return 'unknown'
  if (
    run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${branch}^{commit}`]) ===
    undefined
  )
    return 'gone'
  const upstream = run([
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${branch}@{upstream}`,
  ])
  if (upstream === undefined) return 'present'
  const counts = run([
    'rev-list',
    '--left-right',
    '--count',
    '--end-of-options',
    `${branch}...${upstream}`,
  ])
  const [ahead = '0', behind = '0'] = counts?.split('\t') ?? []
  return ahead !== '0' && behind !== '0' ? 'diverged' : 'present'
}

/** What Git says of a folder; without a version there is no Git on this machine. */
export interface GitState {
  readonly version?: string
  readonly repository: boolean
  /** The clone lacks older commits. */
  readonly shallow: boolean
}

/** Asks Git for its version and whether a folder is in a repository. */
export function gitState(root: string): GitState {
  const version = tryGit(root, ['--version'])?.replace(/^git version /, '')
  const shallow = version === undefined ? undefined : tryGit(root, ['rev-parse', '--is-shallow-repository'])
  return { ...(version !== undefined && { version }), repository: shallow !== undefined, shallow: shallow === 'true' }
}

/** Whether Git passes over a path, which need not exist; `undefined` outside a repository. */
export function isIgnoredByGit(root: string, path: string): boolean | undefined {
  if (tryGit(root, ['rev-parse', '--git-dir']) === undefined) return undefined
  return tryGit(root, ['check-ignore', '--quiet', '--', path]) !== undefined
}

/** The folder that all worktrees of a repository share, absolute. */
export function commonGitFolder(root: string): string | undefined {
  return tryGit(root, ['rev-parse', '--path-format=absolute', '--git-common-dir'])
}

function tryGit(root: string, args: readonly string[]): string | undefined {
  try {
    return git(root, args).toString().trim()
  } catch {
    return undefined
  }
}
