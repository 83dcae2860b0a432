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

/** Tolerance in milliseconds for a given time ahead of the clock. */
const MOST_APART = 2000

/** Opens the gateway of a repository for some work, and closes it afterwards. */
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
      // These entries are not made by this operation itself.
      if (kind !== 'record' && kind !== 'clock-jump') last = { kind, index }
    },
    ...(worker && { worker: () => worker('ledger'), policyWorker: () => worker('policy') }),
  })
  for (const file of gateway.absentGuards)
    app.tell?.(
      `ledger/guard-absent: ${file} was missing, so an old copy of the log could not be detected; it is written now`,
    )
  const ahead = isTimeGiven(app) ? undefined : timeAhead(gateway.time(), clock())
  if (ahead) app.tell?.(`gateway/time-ahead: ${ahead}`)
  let result: T
  try {
    result = await work(gateway)
  } catch (error) {
    // Report the first error.
    await gateway.close().catch(() => undefined)
    throw error
  }
  // The checkpoint is published on close.
  await gateway.close().catch(error => {
    throw unpublished(error, last)
  })
  return result
}

/** Opens the gateway and the context for the decision on one handoff. */
export async function withDecisionContext<T>(
  app: App,
  work: (decisionContext: DecisionContext) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(app.root)
  // Refuse an invalid configuration, as check does.
  await severitiesIn(config)
  return withGateway(app, config, async gateway =>
    work(await openDecisionContext(app.root, config, gateway)()),
  )
}

/** Tells whether the time was given with --now. */
function isTimeGiven({ clock }: App): boolean {
  return clock === undefined
}

/** Maximum time in milliseconds that other gateways accept a handoff from the future. */
const MOST_SKEW = 30_000

/** Returns a warning if gateway time is so far ahead of the clock that other gateways refuse handoffs. */
export function timeAhead(time: number, now: number): string | undefined {
  if (time - now <= MOST_SKEW) return undefined
  return `gateway time is ${formatInstant(time)}, ${counted(Math.round((time - now) / 1000), 'second')} ahead of the clock; until then other gateways refuse handoffs from here as from the future`
}

/** Refuses a time in the future: gateway time never goes back, so it would stay there. */
export function refuseFuture(app: App): void {
  if (!isTimeGiven(app) || app.now - Date.now() <= MOST_APART) return
  throw new WaybillError('usage', 'the given time is in the future', {
    hint: 'omit --now: records carry the current time',
  })
}
