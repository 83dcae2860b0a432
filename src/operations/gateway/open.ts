import { counted } from '../../contract/index.ts'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type DecisionContext,
  type Gateway,
  openDecisionContext,
  openGateway,
} from '../../governance/index.ts'
import { type Config, loadConfig } from '../../workspace/index.ts'
import { severitiesIn } from '../check/severities.ts'
import { storageOf } from '../log/storage.ts'
import type { App } from '../operation.ts'
import { type LastRecorded, unpublished } from './unpublished.ts'

/** A time that is given may be this far ahead of the clock, in milliseconds. */
const MOST_APART = 2000

/** Opens the gateway of a repository for a piece of work, and closes it whatever comes of that. */
export async function withGateway<T>(
  app: App,
  config: Config,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  const { root, now, clock = () => now, stateHome, worker } = app
  refuseFuture(app)
  let last: LastRecorded | undefined
  const gateway = await openGateway(root, config, {
    storage: storageOf(app, config),
    now: clock,
    ...(isTimeGiven(app) && { wall: Date.now }),
    stateHome,
    recording: app.recording,
    recorded: (kind, { index }) => {
      // What waited was not recorded by this operation.
      if (kind !== 'record' && kind !== 'clock-jump') last = { kind, index }
    },
    ...(worker && { worker: () => worker('ledger'), policyWorker: () => worker('policy') }),
  })
  for (const file of gateway.absentGuards)
    app.tell?.(
      `ledger/guard-absent: ${file} was not there, so whether the log is an old copy could not be told; it is written now`,
    )
  const ahead = isTimeGiven(app) ? undefined : timeAhead(gateway.time(), clock())
  if (ahead) app.tell?.(`gateway/time-ahead: ${ahead}`)
  let result: T
  try {
    result = await work(gateway)
  } catch (error) {
    // What went wrong first is what is told.
    await gateway.close().catch(() => undefined)
    throw error
  }
  // Only now it stands under a published checkpoint.
  await gateway.close().catch(error => {
    throw unpublished(error, last)
  })
  return result
}

/** Opens everything that one handoff is judged by. */
export async function withDecisionContext<T>(
  app: App,
  work: (decisionContext: DecisionContext) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(app.root)
  // A configuration that a check refuses is none to judge by.
  await severitiesIn(config)
  return withGateway(app, config, async gateway =>
    work(await openDecisionContext(app.root, config, gateway)()),
  )
}

/** Whether the time of this call was given by hand. */
function isTimeGiven({ clock }: App): boolean {
  return clock === undefined
}

/** As far as other gateways let the time of a handoff be ahead of their own, in milliseconds. */
const MOST_SKEW = 30_000

/** What there is to say where gateway time is so far ahead of the clock that others refuse what bears it. */
export function timeAhead(time: number, now: number): string | undefined {
  if (time - now <= MOST_SKEW) return undefined
  return `gateway time stands at ${formatInstant(time)}, ${counted(Math.round((time - now) / 1000), 'second')} ahead of the clock; until then other gateways refuse what is handed over here as from the future`
}

/** Gateway time never goes back: a time that is yet to come would stay the time of the gateway until it has come. */
export function refuseFuture(app: App): void {
  if (!isTimeGiven(app) || app.now - Date.now() <= MOST_APART) return
  throw new WaybillError('usage', 'the time that is given is yet to come', {
    hint: 'leave --now out: what is recorded now happens now',
  })
}
