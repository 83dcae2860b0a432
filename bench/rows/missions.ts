import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { readRun, readTask, type Store, type Tx } from '../../src/store/index.ts'
import { type GovernedRepository, openGovernedRepository } from '../../test/governed-repository.ts'
import type { Figure } from '../figure.ts'
import { type Contender, race, type Sample } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { begin, TENANT, withDatabase } from '../workloads/store.ts'

const PROGRAM = join(import.meta.dirname, '../mission-process.ts')
const CONFIG = `missions:
  orchestrator: orchestrator-desk
  roles: { worker: domain-05-product }
  runners:
    domain-05-product: { runner: human }
`
/** Where the log is stored, and the words for it in the rows. */
const LOGS = {
  file: { config: CONFIG, words: '' },
  postgres: { config: `ledger: postgres\n${CONFIG}`, words: ', log in PostgreSQL' },
} as const
type LogKind = keyof typeof LOGS
const MISSIONS = 20
const CONCURRENCY = 16

/**
 * Missions of ten trivial tasks with one worker, sequential and twenty at once, against the same graph on the bare
 * engine with the same polling and connections, without and with the minimal parts of a governed start.
 */
export function tenTasks(stage: Stage, log: LogKind = 'file'): Promise<Figure[]> {
  return withMissions(stage, { name: `ten-tasks-${log}`, log }, async ({ start }) => {
    const ours = await start('worker', CONCURRENCY, 0)
    const theirs = await start('engine', CONCURRENCY)
    const least = await start('parts', CONCURRENCY)
    const figures = async (count: number, rounds: number, what: string): Promise<Figure[]> => {
      const [waybill, engine, parts] = await race(stage.quick ? 3 : rounds, [
        asking('waybill', ours, count),
        asking('bare engine', theirs, count),
        asking('bare engine, signatures, entries, inserts', least, count),
      ])
      if (!waybill || !engine || !parts) return []
      const target = { kind: 'times-faster', limit: 0.7 } as const
      return [
        { what, unit: 'ms', ours: waybill, theirs: engine, target },
        { what: `${what}, against its parts`, unit: 'ms', ours: waybill, theirs: parts },
      ]
    }
    const { words } = LOGS[log]
    return [
      // One mission is too short to measure, so run many.
      ...(await figures(1, 41, `a mission of ten trivial tasks, one worker${words}`)),
      ...(await figures(MISSIONS, 11, `${MISSIONS} such missions at once, one worker${words}`)),
    ]
  })
}

const DISPATCHES = 200

/** The delay from the commit that makes a task ready until its agent runs when idle, and the cost of waiting. */
export function dispatch(stage: Stage): Promise<Figure[]> {
  return withMissions(stage, { name: 'dispatch', log: 'file' }, async ({ start }) => {
    const worker = await start('worker', CONCURRENCY, 0)
    const times: number[] = []
    for (let i = 0; i < (stage.quick ? 20 : DISPATCHES); i++)
      times.push((await worker.ask('dispatch')).ms ?? Number.NaN)
    const { percent = Number.NaN } = await worker.ask(`idle ${stage.quick ? 3000 : 15_000}`)
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
    const single = (time: number): Sample => ({ name: 'waybill', times: [time] })
    return [
      figure('dispatch of a task, p50', single(at(0.5)), 30),
      figure('dispatch of a task, p99', single(at(0.99)), 150),
      { ...figure('a worker that waits, of one core', single(percent), 8), unit: '%' },
    ]
  })
}

function figure(what: string, ours: Sample, limit: number): Figure {
  return { what, unit: 'ms', ours, target: { kind: 'at-most', limit } }
}

/** The same missions with two workers and with one, where each task waits 50 ms. */
export function twoWorkers(stage: Stage, log: LogKind = 'file'): Promise<Figure[]> {
  return withMissions(stage, { name: `two-workers-${log}`, log }, async ({ start }) => {
    const times = { one: [] as number[], joined: [] as number[], two: [] as number[] }
    // Few at once, so that waiting dominates.
    const first = await start('worker', 4, 50)
    const done = async () => (await first.ask(`missions ${MISSIONS / 2}`)).ms ?? Number.NaN
    await done()
    for (let round = 0; round < (stage.quick ? 2 : 5); round++) {
      times.one.push(await done())
      const second = await start('worker', 4, 50)
      times.joined.push(await done())
      times.two.push(await done())
      await second.end()
    }
    const target = { kind: 'times-faster', limit: 1.3 } as const
    const what = `tasks that wait 50 ms, two workers${LOGS[log].words}`
    const theirs = { name: 'one worker', times: times.one }
    const ours = { name: 'two workers', times: times.two }
    const joined = { name: 'two workers', times: times.joined }
    return [
      { what, unit: 'ms', ours, theirs, target },
      { what: `${what}, one of them just started`, unit: 'ms', ours: joined, theirs },
    ]
  })
}

/** The time from the death of a worker during a task until another worker has done the task. */
export function takeover(stage: Stage): Promise<Figure[]> {
  return withMissions(stage, { name: 'takeover', log: 'file' }, async ({ start, store }) => {
    const times: number[] = []
    for (let round = 0; round < (stage.quick ? 1 : 7); round++) {
      const doomed = await start('worker', 1, 3_600_000)
      const { mission } = await begin(store, { a: [] })
      await until(
        store,
        tx => readTask(tx, mission, 'a'),
        task => task.state === 'running',
      )
      const other = await start('worker', 1, 0)
      const killed = performance.now()
      doomed.kill()
      await until(
        store,
        tx => readRun(tx, mission),
        run => run.state === 'finished',
      )
      times.push(performance.now() - killed)
      await other.end()
    }
    return [
      figure(
        'the task of a worker that is killed, done by another',
        { name: 'waybill', times },
        5000,
      ),
    ]
  })
}

async function until<T>(
  store: Store,
  ask: (tx: Tx) => Promise<T | undefined>,
  isSo: (answer: T) => boolean,
): Promise<void> {
  for (;;) {
    const answer = await store.tenant(TENANT, ask)
    if (answer !== undefined && isSo(answer)) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

interface Asked {
  readonly ms?: number
  readonly percent?: number
}

interface Running {
  ask(line: string): Promise<Asked>
  end(): Promise<void>
  kill(): void
}

interface Missions {
  readonly store: Store
  start(mode: 'worker' | 'engine' | 'parts', ...more: readonly number[]): Promise<Running>
}

async function withMissions<T>(
  stage: Stage,
  { name, log }: { readonly name: string; readonly log: LogKind },
  work: (missions: Missions) => Promise<T>,
): Promise<T> {
  const repository = await openGovernedRepository(LOGS[log].config)
  try {
    return await withDatabase(stage.folder(name), async ({ store }) => {
      const running: Running[] = []
      try {
        return await work({
          store,
          start: async (mode, ...more) => {
            const started = await startProcess(repository, [mode, store.url, ...more])
            running.push(started)
            return started
          },
        })
      } finally {
        for (const one of running) await one.end()
      }
    })
  } finally {
    await repository.remove()
  }
}

async function startProcess(
  { root: folder }: GovernedRepository,
  [mode, url, ...more]: readonly (string | number)[],
): Promise<Running> {
  const args = [PROGRAM, String(mode), String(url), folder, ...more.map(String)]
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Asked> => {
    const { value, done } = await answers.next()
    if (done) throw new Error('the process has ended')
    const answer = JSON.parse(value)
    if (answer.problem) throw new Error(answer.problem)
    return answer
  }
  await next()
  const ended = once(child, 'exit')
  return {
    ask: async line => {
      child.stdin.write(`${line}\n`)
      return next()
    },
    end: async () => {
      if (child.exitCode === null && child.stdin.writable) child.stdin.end('end\n')
      await ended
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function asking(name: string, running: Running, missions: number): Contender {
  return {
    name,
    run: async () => (await running.ask(`missions ${missions}`)).ms ?? Number.NaN,
  }
}
