import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** One thing that is timed against others: each call does the work once and gives the milliseconds it took. */
export interface Contender {
  readonly name: string
  run(): number | Promise<number>
}

/** The figures of one contender, in the order of the rounds. */
export interface Sample {
  readonly name: string
  readonly times: readonly number[]
}

/** A command with everything that its run depends on. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Exit codes that a sound run may end with; 0 alone when absent. */
  readonly exits?: readonly number[]
}

/** Nothing of the governanceFiles but where programs are; every `node` is the one that runs this. */
export const ENVIRONMENT = {
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  LANG: 'C.UTF-8',
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (lower + upper) / 2
}

/**
 * Runs all contenders in every round, in turn forwards and backwards, so that whatever slows the machine for a while
 * slows all of them; one round before the first is thrown away.
 */
export async function race(rounds: number, contenders: readonly Contender[]): Promise<Sample[]> {
  const times = contenders.map((): number[] => [])
  const entrants = contenders.map((contender, lane) => ({ contender, lane }))
  for (let round = -1; round < rounds; round++) {
    for (const { contender, lane } of round % 2 === 0 ? entrants : entrants.toReversed()) {
      const time = await contender.run()
      if (round >= 0) times[lane]?.push(time)
    }
  }
  return contenders.map(({ name }, lane) => ({ name, times: times[lane] ?? [] }))
}

/** The ratio of two samples: the middle of the ratios of their rounds. */
export function ratioOf(ours: Sample, theirs: Sample): number {
  return median(ours.times.map((time, round) => time / (theirs.times[round] ?? Number.NaN)))
}

/** A command as a contender: the whole process, from its start until it has ended. */
export function wholeProcess(name: string, command: Command): Contender {
  return { name, run: () => execute(command) }
}

/** Runs a command to its end and gives the milliseconds; a run that did not do its work is an error, not a figure. */
function execute({ program, args, cwd, exits = [0] }: Command): number {
  const start = performance.now()
  const { status, error } = spawnSync(program, args, { cwd, env: ENVIRONMENT, stdio: 'ignore' })
  const time = performance.now() - start
  if (error) throw error
  if (status === null || !exits.includes(status)) {
    const said = spawnSync(program, args, { cwd, env: ENVIRONMENT, encoding: 'utf8' })
    const words = `${said.stdout}${said.stderr}`.slice(0, 2000)
    throw new Error(`${[program, ...args].join(' ')} ended with ${status} in ${cwd}\n${words}`)
  }
  return time
}

/** What a command prints, for asking programs about themselves; `undefined` if it cannot be run. */
export function ask(program: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, { env: ENVIRONMENT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** The program that tells how much memory another one took. */
export const MEMORY_METER = '/usr/bin/time'

/** The most memory that a command held at once, in bytes. */
export function peakMemory({ program, args, cwd }: Command): number {
  const note = join(tmpdir(), `waybill-bench-${process.pid}.rss`)
  const isGnu = process.platform === 'linux'
  const timed = isGnu
    ? ['-f', '%M', '-o', note, program, ...args]
    : ['-l', '-o', note, program, ...args]
  const { status } = spawnSync(MEMORY_METER, timed, { cwd, env: ENVIRONMENT, stdio: 'ignore' })
  if (status !== 0)
    throw new Error(`${[program, ...args].join(' ')} ended with ${status} in ${cwd}`)
  const said = readFileSync(note, 'utf8')
  rmSync(note)
  return isGnu
    ? Number(said) * 1024
    : Number(/([0-9]+)\s+maximum resident set size/.exec(said)?.[1])
}
