import sessionContext from '../../../schemas/session-context.v1.json' with { type: 'json' }
import { readTask, type Store } from '../../store/index.ts'
import type { Examination, Examined, WorkerContext } from '../run/worker-context.ts'
import type { Assignment, Kept, Outcome, Payload, PipelineSession, RunContext } from '../runner.ts'
import { type Before, type PipelineAttempt, type PipelineKeeper, pipelineOf } from './keeper.ts'

type Context = Omit<WorkerContext, 'worker'>

/** Extends a worker context: keeps the orchestration files of pipeline missions up to date. */
export function attendPipelines(context: Context, keeper: PipelineKeeper): Context {
  const { store } = context
  const known = new Map<string, Before>()
  return {
    ...context,
    async run(agent, assignment, runContext) {
      const isRepair = assignment.repair !== null
      const isContinued = runContext.continued !== undefined || isRepair
      const which = attemptOf(assignment, { isContinued, isRepair })
      if (!which) return context.run(agent, assignment, runContext)
      const begun = await keeper.begin(which, store)
      if ('refused' in begun) return { is: 'failed', ...begun.refused, mayRetry: false }
      const key = keyOf(which)
      const before = known.get(key) ?? waitedWith(runContext) ?? unlessContinued(begun, isContinued)
      known.set(key, before)
      const own = withSession(assignment, begun.session)
      const { output } = begun.session
      let outcome: Outcome | undefined
      try {
        outcome = await context.run(agent, own, { ...withOwnToken(runContext), root: begun.root })
        return whileWaiting(before, outcome)
      } finally {
        const answer = outcome?.is === 'returned' ? outcome.answer : undefined
        if (output !== null && outcome?.is !== 'waiting')
          keeper.note(which, { output, before, answer })
      }
    },
    examine: (answer, about) => examined(answer, about, { context, keeper, known }),
    async afterwards(attempt, envelope) {
      await context.afterwards?.(attempt, envelope)
      const which = envelope && pipelineOf(envelope)
      known.delete(keyOf({ ...attempt, address: attempt.task }))
      if (which) await keeper.follow(which, store)
    },
  }
}

function attemptOf(
  { mission, task, attempt }: Pick<Assignment, 'mission' | 'task' | 'attempt'>,
  which = { isContinued: false, isRepair: false },
): PipelineAttempt | undefined {
  const of = pipelineOf(mission as unknown as Payload)
  return of && { ...of, ...which, address: task.task_id, attempt }
}

/** Replaces the answer schema for an agent that writes a session context: a model returns it as its answer. */
function withSession(assignment: Assignment, session: PipelineSession): Assignment {
  const { returns } = assignment
  const schema = session.output === null ? returns.schema : sessionContext
  return { ...assignment, session, returns: { ...returns, schema } }
}

type Which = Pick<PipelineAttempt, 'tenant' | 'mission' | 'address' | 'attempt'>

function keyOf({ tenant, mission, address, attempt }: Which): string {
  return JSON.stringify([tenant, mission, address, attempt])
}

/** A runner's token with the state before the agent began: another attempt or process may continue. */
interface WaitingToken {
  readonly before: Before
  readonly own?: unknown
}

function whileWaiting(before: Before, outcome: Outcome): Outcome {
  if (outcome.is !== 'waiting') return outcome
  const token: WaitingToken = { before, own: outcome.token }
  return { ...outcome, token }
}

function waitedWith({ continued, before }: RunContext): Before | undefined {
  return tokenIn(continued ?? before).before
}

function withOwnToken({ continued, before, ...others }: RunContext): RunContext {
  return {
    ...others,
    ...(continued && { continued: { ...continued, token: tokenIn(continued).own } }),
    ...(before && { before: { ...before, token: tokenIn(before).own } }),
  }
}

/** A task that began waiting under an earlier version has no recorded state before it: keep only the nesting depth. */
function unlessContinued({ before }: { readonly before: Before }, isContinued: boolean): Before {
  const { deepest } = before
  return isContinued ? { ...(deepest !== undefined && { deepest }) } : before
}

/** Unwraps a token; earlier versions stored the runner's token alone. */
function tokenIn(kept: Kept | undefined): Partial<WaitingToken> {
  const token = kept?.token
  const isOurs = typeof token === 'object' && token !== null && Object.hasOwn(token, 'before')
  return isOurs ? (token as WaitingToken) : { own: token }
}

interface Examining {
  readonly context: Context
  readonly keeper: PipelineKeeper
  readonly known: ReadonlyMap<string, Before>
}

async function examined(
  answer: unknown,
  about: Examined,
  { context, keeper, known }: Examining,
): Promise<Examination> {
  const which = attemptOf(about.assignment)
  if (!which) return context.examine(answer, about)
  const judged = await keeper.judge(which, answer, known.get(keyOf(which)) ?? {})
  if ('faults' in judged) return { artifacts: [], plans: [], ...judged }
  const found = await context.examine(judged.answer, about)
  // A newer attempt must not be overwritten.
  if (found.faults.length > 0 || !(await isNewest(context.store, which))) return found
  const faults = await judged.keep()
  return faults.length === 0 ? found : { artifacts: [], plans: [], faults, isFinal: true }
}

function isNewest(
  store: Store,
  { tenant, mission, address, attempt }: PipelineAttempt,
): Promise<boolean> {
  return store.tenant(tenant, async tx => {
    const found = await readTask(tx, mission, address)
    return found?.state === 'running' && found.attempt === attempt
  })
}
