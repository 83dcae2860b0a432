import type * as Ai from 'ai'
import { WaybillError } from '../../error.ts'
import { loadAi } from '../packages.ts'
import type { Assignment, Outcome, RunContext, Runner } from '../runner.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { failed } from './failure.ts'
import { defineRunner } from './kind.ts'
import { concede } from './model/concessions.ts'
import { type Said, settle, spent, tooMuch } from './model/outcome.ts'
import { tell } from './model/prompt.ts'
import {
  type Chosen,
  chooseModel,
  type Model,
  openModel,
  PROVIDER_OPTIONS,
} from './model/provider.ts'
import { plainSchema } from './model/schema.ts'
import { follow, sumOf } from './model/stream.ts'
import { offerTools } from './model/tools.ts'
import { type Limits, openWire, type Wire } from './wire.ts'

/** The configuration of a model runner. */
interface ModelConfig {
  readonly route?: string
  readonly seconds?: number
  readonly bytes?: number
  readonly steps?: number
}

/** Default limits of a model. */
const DEFAULTS = { seconds: 600, bytes: 1024 * 1024, steps: 8 }

/** Event overhead: a stream wraps every few characters of an answer. */
const WRAPPING = 64

/** The largest output requested, in tokens: some providers refuse more than they support. */
const MOST_OUTPUT = 16_384

const LIMITS = { silence: 60_000, tries: 4, pause: 1000 }

/** Built-in prompts use the route `default`; if no model has it, the runner's own route applies. */
function routeFor(
  named: string | undefined,
  own: string | undefined,
  models: Readonly<Record<string, Model>>,
): string | undefined {
  const isNamed = named !== undefined && (named !== 'default' || Object.hasOwn(models, named))
  return isNamed ? named : (own ?? named)
}

export default defineRunner({
  what: 'a language model',
  needs: [],
  allows: ['route', 'seconds', 'steps'],
  create: (config, models) => modelRunner(config, models),
})

/** Runs a language model with the tools of the task. */
export function modelRunner(
  config: ModelConfig,
  models: Readonly<Record<string, Model>>,
  limits: Partial<Limits> = {},
): Runner {
  return {
    run: (assignment, runContext) => {
      const route = routeFor(assignment.prompt?.model_route, config.route, models)
      const chosen = chooseModel(route, models, runContext.environment)
      if (chosen.is === 'failed') return Promise.resolve(chosen)
      const bytes = config.bytes ?? DEFAULTS.bytes
      const { budget } = assignment
      const seconds = config.seconds ?? DEFAULTS.seconds
      const deadline = startDeadline(seconds, budget, runContext.signal)
      const wire = wireTo(chosen, deadline, { ...LIMITS, bytes: bytes * WRAPPING, ...limits })
      const steps = config.steps ?? DEFAULTS.steps
      return attempt({ assignment, runContext, chosen, deadline, wire, bytes, steps })
    },
  }
}

interface Work {
  readonly assignment: Assignment
  readonly runContext: RunContext
  readonly chosen: Chosen
  readonly deadline: Deadline
  readonly wire: Wire
  readonly bytes: number
  readonly steps: number
}

function wireTo(chosen: Chosen, deadline: Deadline, limits: Limits): Wire {
  const { who, url, key, model } = chosen
  return openWire({
    origin: url.origin,
    who,
    proof: model.key ? `the key in the variable ${model.key}` : 'a request without a key',
    deadline,
    limits,
    refused: concede(who, key),
  })
}

async function attempt(work: Work): Promise<Outcome> {
  const { deadline, wire, assignment } = work
  const over = deadline.ended() ?? spent(assignment.budget, undefined)
  if (over) return over
  try {
    const ai = await loadAi()
    const { tools } = work.runContext
    const offered = tools && (await offerTools(ai, tools, deadline.signal).catch(() => undefined))
    if (tools && !offered) {
      const why = failed(
        'mission/runner-unavailable',
        'the tools of the task cannot be served',
        true,
      )
      return deadline.ended() ?? why
    }
    return await converse(ai, work, offered)
  } catch (error) {
    if (error instanceof WaybillError && error.code === 'configuration')
      return failed('mission/runner-missing', `${error.message}: ${error.hint}`, false)
    const message = `the conversation with ${work.chosen.who} could not be started`
    return deadline.ended() ?? wire.failure() ?? failed('mission/runner-failed', message, true)
  }
}

async function converse(
  ai: typeof Ai,
  work: Work,
  tools: Ai.ToolSet | undefined,
): Promise<Outcome> {
  const { assignment, deadline, chosen, wire, steps: most } = work
  const { budget } = assignment
  const { system, user } = tell(assignment)
  const refused = tooMuch(budget, [system, user])
  if (refused) return refused
  const over = new AbortController()
  const { stream } = ai.streamText({
    model: await openModel(chosen, wire.fetch),
    instructions: system,
    prompt: user,
    output: answerOf(ai, assignment),
    ...(tools && { tools }),
    toolCallConcurrency: 1,
    // One extra round without tools, for the answer.
    stopWhen: [ai.isStepCount(most + 1), ({ steps }) => spent(budget, sumOf(steps)) !== undefined],
    prepareStep: ({ steps, stepNumber }) => ({
      ...limitOf(budget.tokens, steps),
      ...(stepNumber >= most && { toolChoice: 'none' }),
    }),
    providerOptions: PROVIDER_OPTIONS,
    maxRetries: 0,
    abortSignal: AbortSignal.any([deadline.signal, over.signal]),
    telemetry: { isEnabled: false },
    // Never download files named in an answer: only the configured URL is used.
    experimental_download: urls => Promise.all(urls.map(refuseDownload)),
    onError: () => undefined,
  })
  const result: Said = await follow(stream, work.bytes, over)
  const ended = deadline.ended() ?? wire.failure()
  const outcome = ended ?? (await settle(result, { who: chosen.who, budget, key: chosen.key }))
  return result.usage && outcome.is !== 'waiting' ? { ...outcome, usage: result.usage } : outcome
}

function refuseDownload(): Promise<never> {
  return Promise.reject(new Error('downloads are disabled'))
}

function limitOf(tokens: number | null, steps: Parameters<typeof sumOf>[0]) {
  if (tokens === null) return {}
  const { inputTokens = 0, outputTokens = 0 } = sumOf(steps) ?? {}
  return { maxOutputTokens: Math.min(MOST_OUTPUT, tokens - inputTokens - outputTokens) }
}

/** Parses the answer once at the end; the SDK would parse it again with every chunk. */
function answerOf(
  ai: typeof Ai,
  { returns }: Assignment,
): Ai.OutputInterface<string, number, never> {
  const schema = ai.jsonSchema(plainSchema(returns.schema))
  return {
    ...ai.Output.object({ schema, name: 'answer' }),
    parseCompleteOutput: async ({ text }) => text,
    // A chunk is emitted only if the partial value changes.
    parsePartialOutput: async ({ text }) => ({ partial: text.length }),
    createElementStreamTransform: () => undefined,
  }
}
