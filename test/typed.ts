import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'

const root = join(import.meta.dirname, '..')

/** The packages are installed before a test runs, and test/examples.test.ts takes the tour. */
const ELSEWHERE = new Set(['npm ci', 'npm start'])

/** Where the blocks of a page are run. */
export interface Place {
  readonly folder: string
  /** Where the command `waybill` is put, and repositories are made. */
  readonly scratch: string
  readonly variables: Readonly<Record<string, string>>
}

/** Runs a block as a shell would, without the lines that are run elsewhere. */
export function typed(text: string, { folder: cwd, scratch, variables }: Place) {
  const commands = text
    .split('\n')
    .filter(line => !ELSEWHERE.has(line))
    .join('\n')
  const { FORCE_COLOR: _, ...environment } = env
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', commands], {
    cwd,
    encoding: 'utf8',
    // What a page waits for in the background may never come.
    timeout: 120_000,
    env: {
      ...environment,
      ...variables,
      NO_COLOR: '1',
      // The clone, for readers who have one next to their own repository.
      WAYBILL: root,
      PATH: [join(scratch, 'bin'), join(root, 'node_modules/.bin'), environment.PATH].join(
        delimiter,
      ),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.org',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.org',
    },
  })
  return { status, stdout, stderr }
}

/** A new repository in which the command `waybill` is on the path. */
export function openRepository(scratch: string, name: string): string {
  const folder = join(scratch, name)
  mkdirSync(join(scratch, 'bin'), { recursive: true })
  if (!existsSync(join(scratch, 'bin/waybill'))) {
    symlinkSync(join(root, 'bin/waybill'), join(scratch, 'bin/waybill'))
  }
  mkdirSync(folder)
  spawnSync('git', ['init', '--quiet', folder])
  return folder
}
