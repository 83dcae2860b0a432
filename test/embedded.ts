import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { NOBODY } from '../src/store/embedded/run-as.ts'
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  type Step,
  startEmbedded,
  stopEmbedded,
} from '../src/store/index.ts'
import { holdLock, openStateFolder } from '../src/workspace/index.ts'
import { comesTrue, processesOf } from './processes.ts'

/** What may differ between the starts of a test. */
export interface Starting
  extends Pick<EmbeddedOptions, 'binaries' | 'way' | 'copies' | 'idle' | 'patience'> {
  /** Where to look for programs. */
  readonly path?: string
  /** Before which step the starter is killed. */
  readonly killedAt?: Step
}

/** The paths on which every system has its programs. */
const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

/** How the server of a repository is started, as the program does it. */
export function startingIn(root: string, starting: Starting = {}): EmbeddedOptions {
  const { killedAt, ...rest } = starting
  const database = join(openStateFolder(root), 'database')
  return {
    path: PATH,
    watchdog: new URL('../src/store/embedded/watchdog.ts', import.meta.url),
    ...rest,
    lock: { hold: () => holdLock(root, database) },
    ...(killedAt && {
      onStep: (step: Step) => {
        if (step === killedAt) process.kill(process.pid, 'SIGKILL')
      },
    }),
  }
}

/** A repository with a database of its own. */
export interface TestServer {
  readonly root: string
  /** `.waybill/database`. */
  readonly folder: string
  start(starting?: Starting): Promise<EmbeddedServer>
  /** Starts it in a process of its own. */
  startApart(starting?: Starting): Promise<EmbeddedServer | undefined>
  stop(): Promise<boolean>
  /** Stops it, takes all of it away and sees that no process is left. */
  remove(): Promise<void>
}

/** Makes an empty repository, in which no server was started yet; or one with the database of another, which is stopped. */
export function openTestServer(made?: TestServer): TestServer {
  const root = mkdtempSync(join(tmpdir(), 'waybill-server-'))
  const state = openStateFolder(root)
  if (made) execFileSync('cp', ['-a', made.folder, state])
  return {
    root,
    folder: join(state, 'database'),
    start: starting => startEmbedded(state, startingIn(root, starting)),
    startApart: starting => startApart([], join(import.meta.dirname, 'starter.ts'), root, starting),
    stop: () => stopEmbedded(state),
    async remove() {
      if (existsSync(join(state, 'database/data'))) await stopEmbedded(state)
      const isClean = await comesTrue(() => processesOf(root).length === 0)
      const left = isClean ? [] : processesOf(root)
      rmSync(root, { recursive: true, force: true })
      if (left.length > 0) throw new Error(`left behind: ${JSON.stringify(left)}`)
    },
  }
}

/** Starts a server by a program, before which others may stand; gives nothing where that was killed. */
export async function startApart(
  before: readonly string[],
  program: string,
  root: string,
  starting: Starting = {},
): Promise<EmbeddedServer | undefined> {
  const [command = '', ...args] = [...before, process.execPath, program, root]
  const child = spawn(command, [...args, JSON.stringify(starting)], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise(resolve => child.on('close', (_, signal) => resolve(signal)))
  const [output, said, signal] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (signal === 'SIGKILL') return undefined
  if (output === '') throw new Error(said)
  return JSON.parse(output)
}

/** As whom a process runs. */
export const userOf = (pid: number) => statSync(`/proc/${pid}`).uid

const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

/** Whether a plain user may read the sources and run the bundled programs. */
export const isOpenToAll = works(
  'setpriv',
  `--reuid=${NOBODY}`,
  '--clear-groups',
  ...['test', '-r', join(import.meta.dirname, '../package.json')],
)

/** Runs what follows as a plain user; where the sources are closed to him, he may still read. */
export const asNobody = [
  'setpriv',
  ...[`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'],
  ...(isOpenToAll
    ? ['--bounding-set=-all', '--inh-caps=-all']
    : ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search']),
]

/** Gives a folder with all that is in it to the user nobody. */
export function giveToNobody(folder: string): void {
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder])
}
