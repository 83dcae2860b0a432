import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { App } from '../src/operations/operation.ts'
import { type Database, openDatabase } from './database.ts'
import { type GovernedRepository, openGovernedRepository } from './governed-repository.ts'
import { PROGRAM } from './program.ts'

/** A clone of an installation on a machine of its own: its own state and its own memory of checkpoints. */
export interface Machine {
  readonly root: string
  readonly stateHome: string
  app(more?: Partial<App>): App
  write(path: string, text: string): void
  read(path: string): string
  /** Runs the command line there, in a process of its own. */
  waybill(...args: readonly string[]): Running
}

/** A process that runs the command line. */
export interface Running {
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>
  kill(): void
}

/** An installation whose keys are on several machines that share one database. */
export interface Installation {
  readonly database: Database
  readonly first: Machine
  /** Clones the repository to another machine, with the keys. */
  clone(): Machine
  remove(): Promise<void>
}

/** Makes an installation; its log is in the database unless the configuration says otherwise. */
export async function openInstallation(config = 'ledger: postgres\n'): Promise<Installation> {
  const database = await openDatabase()
  const repository = await openGovernedRepository()
  const file = join(repository.root, 'waybill.yaml')
  writeFileSync(file, `${config}${readFileSync(file, 'utf8')}`)
  repository.commit()
  const folders: string[] = [repository.root]
  const machineIn = (root: string) => {
    const machine = machineAt(root, repository, database.url)
    folders.push(dirname(machine.stateHome))
    return machine
  }
  return {
    database,
    first: machineIn(repository.root),
    clone: () => {
      const root = mkdtempSync(join(tmpdir(), 'waybill-machine-'))
      folders.push(root)
      repository.git('clone', '-q', repository.root, root)
      const keys = join(root, '.waybill/keys')
      cpSync(join(repository.root, '.waybill/keys'), keys, {
        recursive: true,
        // What this machine remembers of the log is not given to another.
        filter: source => !source.endsWith('checkpoint'),
      })
      // A folder is copied without its mode, and keys that others may look at are not used.
      for (const folder of [join(root, '.waybill'), keys]) chmodSync(folder, 0o700)
      return machineIn(root)
    },
    remove: async () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
      await database.remove()
    },
  }
}

function machineAt(root: string, repository: GovernedRepository, databaseUrl: string): Machine {
  const memory = mkdtempSync(join(tmpdir(), 'waybill-memory-'))
  const stateHome = join(memory, 'waybill')
  return {
    root,
    stateHome,
    app: more => repository.app({ root, cwd: root, databaseUrl, stateHome, ...more }),
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    read: path => readFileSync(join(root, path), 'utf8'),
    waybill: (...args) => run(root, args, { DATABASE_URL: databaseUrl, XDG_STATE_HOME: memory }),
  }
}

function run(root: string, args: readonly string[], env: Record<string, string>): Running {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const child = spawn('env', [...variables, process.execPath, PROGRAM, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>(resolve =>
    child.on('close', status => resolve({ status, stdout, stderr })),
  )
  return { ended, kill: () => void child.kill('SIGKILL') }
}

/** Copies files of one machine to the same places of another. */
export function carry(from: Machine, to: Machine, ...paths: readonly string[]): void {
  for (const path of paths) to.write(path, from.read(path))
}
