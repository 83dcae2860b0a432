import type { RunnerConfig } from '../config.ts'
import type { Assignment, Outcome, RunContext, Runner } from '../runner.ts'
import { readAnswer } from './answer.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { failed } from './failure.ts'
import { type ProgramResult, runProgram } from './program.ts'
import { showing } from './showing.ts'

/** What a program may take and write where the configuration says nothing. */
const DEFAULTS = { seconds: 600, bytes: 1024 * 1024 }

/** How many characters of standard error are shown. */
const SHOWN = 4096

/** What every program is told of the environment. */
const PASSED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

/** Gives work to a program of this machine: the assignment on its standard input, the answer on its standard output. */
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
        return failed('mission/runner-unavailable', 'its tools cannot be offered', true)
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

interface Said {
  readonly program: string
  readonly bytes: number
  readonly deadline: Deadline
  readonly show: (text: string) => string
}

async function outcomeOf(result: ProgramResult, said: Said): Promise<Outcome> {
  switch (result.how) {
    case 'not-started':
      return notStarted(result.code, said.program)
    case 'stopped':
      return said.deadline.ended() ?? faulty(result, said)
    case 'overflow': {
      const message = `${said.program} wrote more than ${said.bytes} bytes to standard output`
      return failed('mission/runner-overflow', message, true)
    }
    case 'exited':
      return result.exitCode === 0 ? readAnswer(result.output, said.show) : faulty(result, said)
  }
}

type Ended = Exclude<ProgramResult, { readonly how: 'not-started' }>

function faulty({ exitCode, signal, errors }: Ended, { program, show }: Said) {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`
  const message = `${program} ${how}${endOf(show(errors).trim())}`
  return failed('mission/runner-failed', message, true)
}

/** Masked before it is cut, since half of a secret does not look like one. */
function endOf(errors: string): string {
  if (errors === '') return ' and wrote nothing to standard error'
  return `; standard error: ${errors.length > SHOWN ? `…${errors.slice(-SHOWN)}` : errors}`
}

/** What passes: the system is short of something. */
const SHORTAGES = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY']

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'it may not be executed',
}

function notStarted(code: string, program: string) {
  if (SHORTAGES.includes(code))
    return failed('mission/runner-unavailable', `${program} cannot be started now: ${code}`, true)
  const why = REASONS[code] ?? code
  return failed('mission/runner-missing', `${program} cannot be started: ${why}`, false)
}
