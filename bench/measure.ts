import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** A timed contender: each call does the work once and returns the milliseconds it took. */
export interface Contender {
  readonly name: string
  run(): number | Promise<number>
}

/** The figures of one contender, in the order of the rounds. */
export interface Sample {
  readonly name: string
  readonly times: readonly number[]
}

/** A command with its arguments and folder. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Exit codes of a successful run; only 0 by default. */
  readonly exits?: readonly number[]
}

/** Only the search path, so that every `node` is the one that runs this. */
export const ENVIRONMENT = {
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  LANG: 'C.UTF-8',
}

/** The median. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (lower + upper) / 2
}

/**
 * Runs all contenders in every round, alternating the order, so that a temporary slowdown of the machine affects all
 * of them; a warm-up round is discarded.
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

/** The ratio of two samples: the median of the ratios of their rounds. */
export function ratioOf(ours: Sample, theirs: Sample): number {
  return median(ours.times.map((time, round) => time / (theirs.times[round] ?? Number.NaN)))
}

/** A command as a contender: the whole process from start to end. */
export function wholeProcess(name: string, command: Command): Contender {
  return { name, run: () => execute(command) }
}

/** Runs a command and returns the milliseconds; throws if the run failed. */
function execute({ program, args, cwd, exits = [0] }: Command): number {
  const start = performance.now()
  const { status, error } = spawnSync(program, args, { cwd, env: ENVIRONMENT, stdio: 'ignore' })
  const time = performance.now() - start
  if (error) throw error
  if (status === null || !exits.includes(status)) {
    const result = spawnSync(program, args, { cwd, env: ENVIRONMENT, encoding: 'utf8' })
    const words = `${result.stdout}${result.stderr}`.slice(0, 2000)
    throw new Error(`${[program, ...args].join(' ')} ended with ${status} in ${cwd}\n${words}`)
  }
  return time
}

/** The output of a command, such as a version; undefined if it cannot run. */
export function ask(program: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, { env: ENVIRONMENT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** The program that measures peak memory. */
export const MEMORY_METER = '/usr/bin/time'

/** The peak memory of a command in bytes. */
export function peakMemory({ program, args, cwd }: Command): number {
  const note = join(tmpdir(), `waybill-bench-${process.pid}.rss`)
  const isGnu = process.platform === 'linux'
  const timed = isGnu
    ? ['-f', '%M', '-o', note, program, ...args]
    : ['-l', '-o', note, program, ...args]
  const { status } = spawnSync(MEMORY_METER, timed, { cwd, env: ENVIRONMENT, stdio: 'ignore' })
  if (status !== 0)
    throw new Error(`${[program, ...args].join(' ')} ended with ${status} in ${cwd}`)
  const result = readFileSync(note, 'utf8')
  rmSync(note)
  return isGnu
    ? Number(result) * 1024
    : Number(/([0-9]+)\s+maximum resident set size/.exec(result)?.[1])
}
