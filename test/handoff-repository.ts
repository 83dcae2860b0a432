import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fixturesOf } from './fixture.ts'
import { openTestFolder, type TestFolder } from './test-folder.ts'

/** A Git repository with handoff documents, for the time of a test; now is noon of the first of June 2026. */
export interface HandoffRepository extends TestFolder {
  /** Writes a sound handoff document of so many hours ago, and gives its path. */
  handoff(slug: string, hoursAgo: number, more?: HandoffOptions): string
  git(...args: readonly string[]): string
  /** Commits everything, so many hours ago. */
  commit(hoursAgo?: number): void
}

/** How a document differs from the contract's example. */
export interface HandoffOptions {
  readonly before?: string
  readonly branch?: string
  readonly checklist?: string
  readonly evidence?: string
  readonly extra?: string
  readonly path?: string
}

/** Noon of the first of June 2026. */
export const NOON = Date.UTC(2026, 5, 1, 12)
const HOUR = 3_600_000

/** Makes a repository whose branch is main; without Git it is only a folder. */
export function openHandoffRepository({ git: hasGit = true } = {}): HandoffRepository {
  const folder = openTestFolder()
  const git = (...args: readonly string[]) => run([...IDENTITY], args)
  // The program env adds variables to those that there are.
  const run = (variables: readonly string[], args: readonly string[]) =>
    execFileSync('env', [...variables, 'git', ...args], {
      cwd: folder.root,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  if (hasGit) git('init', '-q', '-b', 'main')
  return {
    ...folder,
    app: more => folder.app({ now: NOON, ...more }),
    git,
    commit: (hoursAgo = 0) => {
      const date = new Date(NOON - hoursAgo * HOUR).toISOString()
      git('add', '-A')
      const dates = [`GIT_AUTHOR_DATE=${date}`, `GIT_COMMITTER_DATE=${date}`]
      run([...IDENTITY, ...dates], ['commit', '-q', '--allow-empty', '-m', 'x'])
    },
    handoff: (slug, hoursAgo, more = {}) => {
      const time = new Date(NOON - hoursAgo * HOUR).toISOString().replace('.000', '')
      const path = more.path ?? `handoffs/${time.replaceAll(':', '-')}-${slug}.md`
      folder.write(path, handoffText(time, more))
      return path
    },
  }
}

const IDENTITY = [
  'GIT_AUTHOR_NAME=Ada',
  'GIT_AUTHOR_EMAIL=ada@example.org',
  'GIT_COMMITTER_NAME=Ada',
  'GIT_COMMITTER_EMAIL=ada@example.org',
  'GIT_CONFIG_GLOBAL=/dev/null',
]

function handoffText(time: string, more: HandoffOptions): string {
  const { before = '', branch = 'main', extra = '' } = more
  const { checklist = '- [ ] the page looks right', evidence = 'None but this text.' } = more
  return example()
    .replace(/^branch:.*$/m, `branch: ${JSON.stringify(branch)}`)
    .replace(/^timestamp:.*$/m, `timestamp: ${JSON.stringify(time)}`)
    .replace(/^continues_from:.*$/m, `continues_from: ${before && JSON.stringify(before)}`)
    .replace(/(?<=## Verification Checklist\n\n)[\s\S]*?(?=\n## )/, () => `${checklist}\n`)
    .replace(/(?<=## Evidence \/ Artifacts\n\n)[\s\S]*?(?=\n## )/, () => `${evidence}\n`)
    .concat(extra)
}

function example(): string {
  const fixture = fixturesOf('handoff-document.v1').find(
    ({ kind, name }) => kind === 'valid' && name === 'example',
  )
  return readFileSync(fixture?.file ?? '', 'utf8')
}
