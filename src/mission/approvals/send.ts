import { quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { callFunction, type Store, type StoredDecision, sqlstateOf } from '../../store/index.ts'
import type { Missions } from '../config.ts'
import type { Decidable, Which } from './proposal.ts'
import { valueDigest } from './proposal.ts'
import { failed, isTooShort, postSigned, retried, type Sent, TOO_SHORT } from './webhook.ts'

/** Where approved proposals are sent, and the secrets that sign them. */
export interface Destinations {
  readonly store: Store
  readonly writebacks: Missions['writebacks']
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How long a receiver may take, in milliseconds; default 30 seconds. */
  readonly patience?: number
}

/** An approved proposal of a tenant. */
export interface Approved {
  readonly which: Which
  readonly found: Decidable & { readonly decision: StoredDecision }
}

/** Sends an approved proposal to the destination of its action type. */
export async function sendProposal(
  approved: Approved,
  destinations: Destinations,
  signal: AbortSignal,
): Promise<Sent> {
  const { writebacks = {}, environment, patience } = destinations
  const action = String(approved.found.payload.action_type)
  const destination = Object.hasOwn(writebacks, action) ? writebacks[action] : writebacks['*']
  if (destination?.function !== undefined)
    return callWith(approved, destination.function, destinations.store)
  if (destination?.webhook === undefined)
    return retried(
      'writeback/not-configured',
      `no destination configured for ${quote(action)} in missions.writebacks`,
    )
  const variable = destination.secret ?? ''
  const secret = secretIn(environment, variable)
  if (!secret)
    return retried(
      'writeback/not-configured',
      `the environment variable ${variable} with its secret is not set`,
    )
  const body = JSON.stringify(messageOf(approved))
  const id = idempotencyKey(approved.which)
  return postSigned({ url: destination.webhook, secret, id, body, patience }, signal)
}

const secretIn = (environment: Destinations['environment'], variable: string) =>
  environment[variable]?.trim()

/** The environment variables of webhook secrets that cannot sign, each with the reason; never their values. */
export function unfitSecrets({
  writebacks = {},
  environment,
}: Pick<Destinations, 'writebacks' | 'environment'>): ReadonlyMap<string, string> {
  const unfit = new Map<string, string>()
  for (const { webhook, secret: variable } of Object.values(writebacks)) {
    if (webhook === undefined || variable === undefined) continue
    const secret = secretIn(environment, variable)
    if (!secret) unfit.set(variable, 'not set')
    else if (isTooShort(secret)) unfit.set(variable, TOO_SHORT)
  }
  return unfit
}

/** Every attempt sends the same message, so that a receiver can compare them. */
function messageOf({ which, found }: Approved) {
  const { payload, digest, decision } = found
  const { by, standing, why, decidedAt, expiresAt, entry } = decision
  const { tenant, mission } = which
  return {
    type: 'writeback.approved',
    timestamp: decidedAt.toISOString(),
    data: {
      ...{ tenant, mission, proposal: payload, digest },
      decision: {
        ...{ decision: decision.decision, by, standing, why },
        at: decidedAt,
        expires: expiresAt,
      },
      entry,
    },
  }
}

/** Longer keys are hashed. */
const LONGEST_KEY = 200

/**
 * The idempotency key by which a receiver recognizes a proposal: tenant, mission and proposal id, without full stops,
 * which separate the parts of a signature.
 */
export function idempotencyKey({ tenant, mission, proposal }: Which): string {
  const parts = [tenant, mission, proposal]
  const key = parts.map(part => encodeURIComponent(part).replaceAll('.', '%2E')).join('/')
  return key.length <= LONGEST_KEY ? key : `sha256:${valueDigest(parts)}`
}

/** SQLSTATE codes that may pass: temporary failures, and those that an administrator can fix. */
const PASSING = /^(?:08|40|53|55|57|58|25P|42501|42883|42P01|3F000)/

async function callWith({ which, found }: Approved, name: string, store: Store): Promise<Sent> {
  const call = { proposal: found.payload, key: idempotencyKey(which) }
  try {
    await store.tenant(which.tenant, tx => callFunction(tx, name, call))
    return { is: 'delivered', code: 'writeback/delivered', message: 'the function returned' }
  } catch (error) {
    if (error instanceof WaybillError && error.code === 'store-unavailable')
      return retried(
        'writeback/unreachable',
        'the connection to the database was lost during the call',
      )
    const state = sqlstateOf(error)
    if (state === '' && error instanceof WaybillError)
      return retried('writeback/not-configured', error.message)
    if (state === '') throw error
    // The database's message may repeat confidential values.
    const message = `the function raised ${state}`
    return PASSING.test(state)
      ? retried('writeback/unavailable', message)
      : failed('writeback/refused', message)
  }
}
