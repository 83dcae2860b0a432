import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type TestServer, userOf } from './embedded.ts'
import { comesTrue, serversOf } from './processes.ts'
import { connectRaw } from './raw-sql.ts'

/** The time of day of the processes that were started with it, which a test sets for all of them at the same moment. */
export interface Clock {
  readonly file: string
  /** What Node loads before all else, so as to take it for the time of day. */
  readonly preload: string
  /** Puts it so many milliseconds before or behind the true time. */
  set(wrong: number): void
}

/** Makes a clock that is right. */
export function openClock(): Clock & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-clock-'))
  // The server of a database runs as another user.
  chmodSync(folder, 0o755)
  const file = join(folder, 'clock')
  const preload = pathToFileURL(join(import.meta.dirname, 'jumping-clock.ts'))
  preload.search = encodeURIComponent(file)
  const set = (wrong: number) => {
    writeFileSync(`${file}.new`, String(wrong), { mode: 0o644 })
    renameSync(`${file}.new`, file)
  }
  set(0)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { file, preload: preload.href, set, remove }
}

/** Whether the clock of a server can be set: programs that are none of ours need a compiler for it. */
export const canSetServers =
  process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** Restarts a running server, at the same address and in the same way, by another clock. */
export async function restartByClock(
  server: TestServer,
  url: string,
  { file }: Clock,
): Promise<void> {
  const [{ pid } = { pid: 0 }] = serversOf(server.root)
  const program = readlinkSync(`/proc/${pid}/exe`)
  const [, , , ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  const uid = userOf(pid)
  await server.stop()
  const library = `${file}.so`
  const source = join(import.meta.dirname, 'jumping-clock.c')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source])
  // The folder is handed over as a descriptor, as by us: those above it are closed to the other user.
  const folder = openSync(join(server.folder, 'data'), 'r')
  const log = openSync(join(server.folder, 'clock.log'), 'w')
  const child = spawn(program, ['-D', '/proc/self/fd/3', ...args], {
    cwd: '/',
    detached: true,
    uid,
    gid: uid,
    env: { LC_ALL: 'C', TZ: 'UTC', LD_PRELOAD: library, JUMPING_CLOCK: file },
    stdio: ['ignore', log, log, folder],
  })
  child.unref()
  for (const descriptor of [folder, log]) closeSync(descriptor)
  const answers = async () => {
    const raw = await connectRaw(url).catch(() => undefined)
    await raw?.end()
    return raw !== undefined
  }
  if (!(await comesTrue(answers, 60_000))) throw new Error('the server does not answer')
}
