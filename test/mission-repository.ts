import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { statusOf } from '../src/operations/mission/status.ts'
import submitMission from '../src/operations/mission-submit.ts'
import type { App } from '../src/operations/operation.ts'
import { type Database, openDatabase } from './database.ts'
import { type GovernedRepository, openGovernedRepository } from './governed-repository.ts'
import { comesTrue } from './processes.ts'
import { PROGRAM } from './program.ts'
import { waybill as runHere } from './waybill.ts'

const WORKER = join(import.meta.dirname, 'mission-worker.ts')

/**
 * An agent that does every part: it answers from what it was given. Its objective may say more: to answer after `PAUSE`
 * milliseconds, or when a file is there (`HOLD`); to fail unless a file is there (`UNLESS`); how many `TOKENS` it used.
 */
const AGENT = `import { appendFileSync, existsSync, readFileSync } from 'node:fs'
const a = JSON.parse(readFileSync(0, 'utf8'))
const results = a.inputs.filter(i => i.schema_name === 'worker_result')
const wordAfter = (word, other = '') => new RegExp(word + ' ([^ ]+)').exec(a.task.objective)?.[1] ?? other
const [held, unless, tokens] = [wordAfter('HOLD'), wordAfter('UNLESS'), Number(wordAfter('TOKENS', '0'))]
if (unless !== '') appendFileSync(unless + '.tried', Date.now() + ' ')
if (unless !== '' && !existsSync(unless)) process.exit(1)
const made = {
  researcher: () => ({ provider: 'local', query: a.task.objective, results: [{ title: 'One', url: 'https://example.com/1', snippet: 'found', source_type: 'web', retrieved_at: '2026-02-10T09:00:00Z', confidence: 0.5 }] }),
  worker: () => ({ output_text: a.task.task_id + ' by ' + a.agent, structured_output: { inputs: a.inputs.length, attempt: a.attempt }, citations: [{ kind: 'internal', ref: 'lead_123' }], confidence: 0.8, tool_trace_refs: [] }),
  aggregator: () => ({ summary: results.length + ' results', evidence_matrix: results.map(r => ({ claim: r.output_text, support_refs: [r.result_id] })), contradictions: [], coverage_gaps: [], recommended_output: { format: 'brief' } }),
  reviewer: () => ({ artifacts: [{ schema_name: 'review_packet', review_status: 'approved', issues: [], required_edits: [], approved_output: { summary: 'reviewed' } }, { schema_name: 'writeback_proposal', target_entity_type: 'lead', target_entity_id: 'lead_123', action_type: 'lead_update', payload: { stage: 'next' }, requires_approval: true }] }),
}
const answer = () => {
  if (held !== '' && !existsSync(held)) return setTimeout(answer, 20)
  const usage = tokens > 0 && { usage: { inputTokens: tokens, outputTokens: 0 } }
  process.stdout.write(JSON.stringify({ ...made[a.task.role_type](), ...usage }))
}
setTimeout(answer, Number(wordAfter('PAUSE', '0')))
`

const CONFIG = `people: claimed
missions:
  orchestrator: orchestrator-desk
  roles:
    researcher: domain-02-analysis
    worker: domain-05-product
    aggregator: domain-02-analysis
    reviewer: domain-06-technical
  runners:
    domain-02-analysis: { runner: command, command: [node, agents/agent.mjs] }
    domain-05-product: { runner: command, command: [node, agents/agent.mjs] }
    domain-06-technical: { runner: command, command: [node, agents/agent.mjs] }
    archetype-product-thinker: { runner: human }
`

/** A task of a template. */
export const task = (
  id: string,
  role: string,
  before: readonly string[],
  objective = `Do ${id}`,
): string =>
  `  - { task_id: ${id}, role_type: ${role}, objective: "${objective}", depends_on: [${before.join(', ')}], success_criteria: [it is done] }\n`

/** How a template begins. */
export const HEAD = `mission_type: advisory
title: A brief
defaults: { risk_level: low, sensitivity_class: internal_business }
retries: { limit: 1, first_ms: 10, longest_ms: 100 }
tasks:
`

/** Templates that tests run: a whole mission, one whose tasks take a while, one that fails, and one in which a person works. */
const TEMPLATES = {
  brief: `${HEAD}${task('search', 'researcher', [])}${task('count', 'worker', ['search'])}${task('weigh', 'worker', ['search'])}${task('join', 'aggregator', ['count', 'weigh'])}${task('review', 'reviewer', ['join'])}`,
  slow: `${HEAD}${task('one', 'worker', [], 'PAUSE 600000')}${task('two', 'worker', ['one'])}`,
  broken: `${HEAD.replace('tasks:', 'agents: { look: domain-02-analysis }\ntasks:')}${task('look', 'librarian', [])}`,
  wide: `${HEAD}${Array.from({ length: 8 }, (_, i) => task(`w${i}`, 'worker', [], 'PAUSE 50')).join('')}`,
  person: `${HEAD.replace('tasks:', 'agents: { decide: archetype-product-thinker }\ntasks:')}${task('search', 'researcher', [])}${task('decide', 'worker', ['search'])}${task('join', 'aggregator', ['decide'])}`,
}

/** A repository with agents that are programs, templates of missions, and a database of its own. */
export interface MissionRepository extends GovernedRepository {
  readonly database: Database
  /** The program around an operation of this process, which works in the repository as the others do. */
  missionApp(): App
  /** Begins a mission from this process, and answers its id. */
  begin(template: string, more?: Readonly<Record<string, unknown>>): Promise<string>
  /** Runs a verb of missions; in this process, which has one worker at a time. */
  mission(...args: readonly string[]): Promise<Ran>
  /** Runs any other verb in the same way. */
  waybill(...args: readonly string[]): Promise<Ran>
  /** Begins a mission, and answers its id. */
  submit(template: string, ...more: readonly string[]): Promise<string>
  /** Starts a worker in a process of its own; it is there when this resolves. */
  worker(options?: WorkerOptions): Promise<RunningWorker>
  /** Starts a verb of missions in a process of its own, which is not waited for. */
  start(...args: readonly string[]): RunningVerb
  /** The same with another database, or as another user. */
  startAt(url: string, ...args: readonly string[]): RunningVerb
  /** Starts any other verb with another database. */
  startOther(url: string, ...args: readonly string[]): RunningVerb
  /** The state of a mission, as its verb tells. */
  status(mission: string): Promise<Status>
  /** The same, as the database has it. */
  peek(mission: string, tenant?: string): Promise<Status>
  /** Waits until a mission is in a state; gives what it is then. */
  reaches(mission: string, ...states: readonly string[]): Promise<Status>
}

/** What came of a verb. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A verb that runs. */
export interface RunningVerb {
  readonly child: ChildProcessWithoutNullStreams
  readonly ran: Promise<Ran>
}

/** How far a mission is, as JSON tells. */
export interface Status {
  readonly state: string
  readonly reason: { readonly code: string; readonly message: string } | null
  readonly tokensUsed: number
  readonly tasks: readonly {
    readonly task: string
    readonly state: string
    readonly attempt: number
    readonly failures: number
    readonly handoff: string | null
    readonly waitingFor: string | null
    readonly answeredBy: {
      readonly by: string
      readonly standing: string
      readonly entry: string
    } | null
    readonly reason: { readonly code: string; readonly message: string } | null
  }[]
  readonly artifacts: readonly { readonly schemaName: string; readonly id: string }[]
  readonly proposals: readonly { readonly proposal: string }[]
}

/** How a worker is started. */
export interface WorkerOptions {
  readonly concurrency?: number
  /** Before which step of the first task that comes so far it kills itself. */
  readonly killedAt?: string
  /** By how many milliseconds its clock is wrong. */
  readonly clock?: number
  /** What Node loads before it. */
  readonly preload?: string
}

/** A worker in a process of its own. */
export interface RunningWorker {
  readonly pid: number
  readonly ended: Promise<unknown>
  /** What it has printed. */
  output(): string
  kill(signal: NodeJS.Signals): void
  /** Ends it as Ctrl-C would. */
  stop(): Promise<void>
}

/** Makes such a repository; `config` is added to its configuration. Where a database is given, it is removed with it. */
export async function openMissionRepository(
  config = '',
  given?: Database,
): Promise<MissionRepository> {
  const database = given ?? (await openDatabase())
  const repository = await openGovernedRepository(`${CONFIG}${config}`)
  repository.write('agents/agent.mjs', AGENT)
  for (const [name, text] of Object.entries(TEMPLATES))
    repository.write(`missions/templates/${name}.yaml`, text)
  repository.commit()
  const { root } = repository
  const workers = new Set<RunningWorker>()
  const variables = [`DATABASE_URL=${database.url}`, `XDG_STATE_HOME=${root}`]
  const start: Start = (args, more = []) =>
    spawn('env', [...variables, ...more, process.execPath, ...args], { cwd: root })
  const missionApp = () =>
    repository.app({
      databaseUrl: database.url,
      stateHome: join(root, 'waybill'),
      environment: {},
    })
  return {
    ...repository,
    ...verbsOf(start, runIn(root, database.url)),
    ...followingOf(database),
    database,
    missionApp,
    begin: async (template, more = {}) => {
      const given = { template, goal: 'Find out', ...more }
      const { mission, faults } = await submitMission.run(given, missionApp())
      if (mission === null) throw new Error(JSON.stringify(faults))
      return mission
    },
    async worker(options = {}) {
      const running = await startWorker(start, options)
      workers.add(running)
      return running
    },
    async remove() {
      for (const worker of workers) {
        worker.kill('SIGKILL')
        await worker.ended
      }
      await repository.remove()
      await database.remove()
    },
  }
}

type Start = (
  args: readonly string[],
  variables?: readonly string[],
) => ChildProcessWithoutNullStreams

type Run = (args: readonly string[]) => Promise<Ran>

function runIn(cwd: string, url: string): Run {
  const env = { DATABASE_URL: url, XDG_STATE_HOME: cwd }
  return async args => {
    const { status, stdout, stderr } = await runHere(args, { cwd, env })
    return { code: status, out: stdout, err: stderr }
  }
}

function verbsOf(
  start: Start,
  run: Run,
): Pick<
  MissionRepository,
  'mission' | 'waybill' | 'start' | 'startAt' | 'startOther' | 'status' | 'submit'
> {
  const begin = (args: readonly string[], variables?: readonly string[]): RunningVerb => {
    const child = start([PROGRAM, ...args], variables)
    const ended = once(child, 'exit')
    const ran = Promise.all([text(child.stdout), text(child.stderr), ended]).then(
      ([out, err]): Ran => ({ code: child.exitCode, out, err }),
    )
    return { child, ran }
  }
  const waybill = (...args: readonly string[]) => run(args)
  const mission = (...args: readonly string[]) => waybill('mission', ...args)
  const json = async (...args: readonly string[]) => {
    const { code, out, err } = await mission(...args, '--format', 'json')
    if (code !== 0) throw new Error(`mission ${args.join(' ')}: ${err || out}`)
    return JSON.parse(out)
  }
  return {
    mission,
    waybill,
    start: (...args) => begin(['mission', ...args]),
    startAt: (url, ...args) => begin(['mission', ...args], [`DATABASE_URL=${url}`]),
    startOther: (url, ...args) => begin(args, [`DATABASE_URL=${url}`]),
    status: id => json('status', id),
    submit: async (template, ...more) =>
      (await json('submit', template, '--goal', 'Find out', ...more)).mission,
  }
}

function followingOf({ store }: Database): Pick<MissionRepository, 'peek' | 'reaches'> {
  const peek = (id: string, tenant = 'default'): Promise<Status> =>
    store.tenant(tenant, tx => statusOf(tx, tenant, id))
  return {
    peek,
    async reaches(id, ...states) {
      let last: Status | undefined
      const isThere = await comesTrue(async () => {
        // The database may be away for a while.
        last = await peek(id).catch(() => last)
        return last !== undefined && states.includes(last.state)
      }, 180_000)
      if (!last || !isThere) throw new Error(`the mission stays: ${JSON.stringify(last, null, 2)}`)
      return last
    },
  }
}

/** Starts a worker, and waits until it takes tasks. */
async function startWorker(
  start: Start,
  { concurrency = 4, killedAt = '', clock = 0, preload }: WorkerOptions,
): Promise<RunningWorker> {
  const before = preload === undefined ? [] : ['--import', preload]
  const child = start([...before, WORKER, String(concurrency), killedAt, String(clock)])
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await comesTrue(() => output.includes('started') || hasEnded(), 60_000)
  if (!output.includes('started')) throw new Error(`the worker did not start: ${output}`)
  return {
    pid: child.pid ?? 0,
    ended,
    output: () => output,
    kill: signal => void child.kill(signal),
    stop: async () => {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await ended
    },
  }
}
