import type { RunnerConfig } from '../config.ts'
import type { Assignment, Outcome, RunContext, Runner } from '../runner.ts'
import { readAnswer } from './answer.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { failed } from './failure.ts'
import { defineRunner } from './kind.ts'
import { type ProgramResult, runProgram } from './program.ts'
import { showing } from './showing.ts'

/** Default limits of a program. */
const DEFAULTS = { seconds: 600, bytes: 1024 * 1024 }

/** The most characters of standard error in a message. */
const SHOWN = 4096

/** Environment variables passed to every program. */
const PASSED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

export default defineRunner({
  what: 'a local program',
  needs: ['command'],
  allows: ['environment', 'seconds', 'bytes'],
  create: config => commandRunner(config),
})

/** Runs a local program: the assignment on standard input, the answer on standard output. */
export function commandRunner(config: RunnerConfig): Runner {
  return {
    run: async (assignment, runContext) => {
      const { seconds = DEFAULTS.seconds } = config
      const deadline = startDeadline(seconds, assignment.budget, runContext.signal)
      const over = deadline.ended()
      if (over) return over
      let endpoint: Endpoint | undefined
      try {
        endpoint = await runContext.tools?.endpoint()
      } catch {
        return failed('mission/runner-unavailable', 'the tools of the task cannot be served', true)
      }
      return run(config, assignment, { ...runContext, deadline, endpoint })
    },
  }
}

interface Endpoint {
  readonly url: string
  readonly token: string
}

interface Means extends RunContext {
  readonly deadline: Deadline
  readonly endpoint: Endpoint | undefined
}

async function run(config: RunnerConfig, assignment: Assignment, means: Means): Promise<Outcome> {
  const { command = [], environment = [], bytes = DEFAULTS.bytes } = config
  const { deadline, endpoint, root } = means
  const [program = '', ...args] = command
  const show = showing([...environment.map(name => means.environment[name]), endpoint?.token])
  const result = await runProgram({
    command: [program, ...args],
    folder: root,
    environment: environmentOf(environment, assignment, means),
    input: `${JSON.stringify(assignment)}\n`,
    bytes,
    signal: deadline.signal,
  })
  return outcomeOf(result, { program: `'${show(program)}'`, bytes, deadline, show })
}

function environmentOf(
  names: readonly string[],
  { mission, task, attempt }: Assignment,
  { environment, endpoint }: Means,
): Record<string, string> {
  const passed = [...PASSED, ...names].flatMap(name => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    TERM: 'dumb',
    ...Object.fromEntries(passed),
    WAYBILL_MISSION: mission.mission_id,
    WAYBILL_TASK: task.task_id,
    WAYBILL_ATTEMPT: String(attempt),
    ...(endpoint && { WAYBILL_MCP_URL: endpoint.url, WAYBILL_MCP_TOKEN: endpoint.token }),
  }
}

interface ResultContext {
  readonly program: string
  readonly bytes: number
  readonly deadline: Deadline
  readonly show: (text: string) => string
}

async function outcomeOf(result: ProgramResult, how: ResultContext): Promise<Outcome> {
  switch (result.how) {
    case 'not-started':
      return notStarted(result.code, how.program)
    case 'stopped':
      return how.deadline.ended() ?? faulty(result, how)
    case 'overflow': {
      const message = `${how.program} wrote more than ${how.bytes} bytes to standard output`
      return failed('mission/runner-overflow', message, true)
    }
    case 'exited':
      return result.exitCode === 0 ? readAnswer(result.output, how.show) : faulty(result, how)
  }
}

type Ended = Exclude<ProgramResult, { readonly how: 'not-started' }>

function faulty({ exitCode, signal, errors }: Ended, { program, show }: ResultContext) {
  const how = signal ? `was killed by ${signal}` : `exited with code ${exitCode}`
  const message = `${program} ${how}${endOf(show(errors).trim())}`
  return failed('mission/runner-failed', message, true)
}

/** Truncated after masking, since a partial secret is not recognized. */
function endOf(errors: string): string {
  if (errors === '') return ' and wrote nothing to standard error'
  return `; standard error: ${errors.length > SHOWN ? `…${errors.slice(-SHOWN)}` : errors}`
}

/** Temporary shortages of the system. */
const SHORTAGES = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY']

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the program does not exist',
  EACCES: 'it is not executable',
}

function notStarted(code: string, program: string) {
  if (SHORTAGES.includes(code))
    return failed('mission/runner-unavailable', `${program} cannot be started now: ${code}`, true)
  const why = REASONS[code] ?? code
  return failed('mission/runner-missing', `${program} cannot be started: ${why}`, false)
}
