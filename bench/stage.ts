import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Command } from './measure.ts'

/** The measured repository. */
export const root = join(import.meta.dirname, '..')

/** A way to start Waybill. */
export interface Entrance {
  readonly name: 'clone' | 'package'
  readonly program: string
}

/** Shared by all rows: the built program, the installed package, and folders for documents. */
export interface Stage {
  readonly quick: boolean
  readonly clone: Entrance
  /** The packed tarball, installed in an empty folder. */
  readonly installed: Entrance
  /** A shell script that runs an empty Node program: the minimal start cost. */
  readonly floor: Command
  /** Creates a folder of that name. */
  folder(name: string): string
  note(words: string): void
}

/** Builds, packs and installs in a temporary folder, which is removed at the end. */
export async function withStage(
  quick: boolean,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  mustBePinned()
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'waybill-bench-'))
  const note = (words: string) => console.error(`bench: ${words}`)
  try {
    note('building')
    run(process.execPath, ['scripts/build.ts'], root)
    note('packing, and installing the package without a network')
    await work({
      quick,
      note,
      clone: { name: 'clone', program: join(root, 'bin/waybill') },
      installed: { name: 'package', program: install(home) },
      floor: floorIn(home),
      folder: name => {
        const folder = join(home, name)
        mkdirSync(folder, { recursive: true })
        return folder
      },
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Requires the pinned Node that the launcher uses; otherwise comparisons are meaningless. */
function mustBePinned(): void {
  const modules = join(root, 'node_modules')
  const pinned = readdirSync(modules)
    .filter(name => name.startsWith('node-linux-'))
    .map(name => realpathSync(join(modules, name, 'bin/node')))
  if (pinned.length === 0 || pinned.includes(realpathSync(process.execPath))) return
  throw new Error('this is not the Node that bin/waybill uses; run: npm run bench')
}

function install(home: string): string {
  const packages = join(home, 'packed')
  const consumer = join(home, 'consumer')
  mkdirSync(packages)
  mkdirSync(consumer)
  run(process.execPath, ['scripts/pack.ts', packages], root)
  const tarball = readdirSync(packages).find(name => name.endsWith('.tgz')) ?? ''
  writeFileSync(join(consumer, 'package.json'), '{ "private": true }\n')
  const quiet = ['--silent', '--no-audit', '--no-fund', '--offline', '--omit=optional']
  run('npm', ['install', ...quiet, join(packages, tarball)], consumer)
  return join(consumer, 'node_modules/.bin/waybill')
}

function floorIn(home: string): Command {
  const program = join(home, 'floor')
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} -e 0\n`)
  chmodSync(program, 0o755)
  return { program, args: [], cwd: home }
}

/** Installs the peer tools from their lockfile; returns their bin folder. */
export function peerPrograms({ note }: Pick<Stage, 'note'>): string {
  const folder = join(import.meta.dirname, 'peers')
  const programs = join(folder, 'node_modules/.bin')
  if (!existsSync(programs)) {
    note('installing the tools to compare with (some 130 MB, once)')
    run('npm', ['ci', '--silent', '--no-audit', '--no-fund'], folder)
  }
  return programs
}

function run(program: string, args: readonly string[], cwd: string): void {
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  }
  execFileSync(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
}
