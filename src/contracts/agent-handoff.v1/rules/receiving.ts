import { quote, type Rules, spelled } from '../../../contract/index.ts'
import { formatDuration, parseInstant } from '../../../document/index.ts'
import type { AgentHandoffFacts } from '../facts.ts'
import type { AgentHandoff } from '../schema.ts'
import { SIDES } from '../verification.ts'

const OLDEST = 300_000
const MOST_SKEW = 30_000
const TOLD_IN_SECONDS = 1000

const UNKNOWN_AGE = {
  message: 'the age of the handoff is unknown: the time of receipt is not a timestamp',
  hint: 'supply the time of receipt with its zone',
}

const AGAIN = 'have the sender hand over again, with a new id and the time of sending'

/** Short spans are shown in seconds, as the limits are. */
function spanOf(age: number): string {
  const seconds = Math.ceil(Math.abs(age) / 1000)
  return seconds < TOLD_IN_SECONDS ? `${seconds} seconds` : formatDuration(age)
}

/** How long after its time a handoff was received, in milliseconds; `undefined` if either time is invalid. */
function ageOf(
  { timestamp }: AgentHandoff,
  received: AgentHandoffFacts['received'] | undefined,
): number | undefined {
  const at = parseInstant(received?.at ?? '')
  const sent = parseInstant(timestamp)
  return at === undefined || sent === undefined ? undefined : at - sent
}

/** The rules that run only when a handoff is received. */
export const receivingRules = {
  'fresh-when-received': {
    severity: 'error',
    summary: 'A handoff is received at most 300 seconds after its timestamp.',
    why: 'A delayed handoff may be a copy, and its request may be outdated.',
    phase: 'receive',
    reads: ['/timestamp'],
    needs: ['received'],
    unconditional: true,
    *check(handoff, { facts: { received } }) {
      const age = ageOf(handoff, received)
      if (age === undefined) yield { path: ['timestamp'], ...UNKNOWN_AGE }
      if (age === undefined || age <= OLDEST) return
      yield {
        path: ['timestamp'],
        message: `the handoff was received ${spanOf(age)} after its timestamp; at most ${OLDEST / 1000} seconds are allowed`,
        hint: AGAIN,
      }
    },
  },
  'not-ahead-when-received': {
    severity: 'error',
    summary: 'A handoff is received at most 30 seconds before its timestamp.',
    why: 'A handoff dated ahead would stay fresh for too long; only small clock differences are tolerated.',
    phase: 'receive',
    reads: ['/timestamp'],
    needs: ['received'],
    unconditional: true,
    *check(handoff, { facts: { received } }) {
      const age = ageOf(handoff, received)
      if (age === undefined || age >= -MOST_SKEW) return
      yield {
        path: ['timestamp'],
        message: `the handoff was received ${spanOf(age)} before its timestamp; at most ${MOST_SKEW / 1000} seconds are allowed`,
        hint: `correct the clock of the sender or of the receiver; then ${AGAIN}`,
      }
    },
  },
  'not-replayed': {
    severity: 'error',
    summary: 'No handoff with this id has been recorded.',
    why: 'An id is used once for the life of the ledger; a second handoff with it repeats work.',
    phase: 'receive',
    reads: ['/handoff_id'],
    needs: ['replay'],
    unconditional: true,
    *check({ handoff_id }, { facts: { replay } }) {
      if (!replay || replay.seen === null) return
      yield {
        path: ['handoff_id'],
        // In full, so that it can be looked up.
        message: `the handoff ${quote(handoff_id)} is already recorded as '${spelled(replay.seen)}'`,
        hint: 'to repeat the work, have the sender hand over with a new id',
      }
    },
  },
  'not-quarantined': {
    severity: 'error',
    summary: 'Neither agent is in quarantine.',
    why: 'The prompt of an agent in quarantine did not match its lock, and a person has not reconciled it yet.',
    phase: 'receive',
    reads: SIDES.map(side => `/${side}/agent_id`),
    needs: ['quarantine'],
    unconditional: true,
    *check(handoff, { facts: { quarantine } }) {
      for (const side of SIDES) {
        const id = handoff[side].agent_id
        const entry = quarantine && Object.hasOwn(quarantine, id) ? quarantine[id] : undefined
        if (!entry) continue
        yield {
          path: [side, 'agent_id'],
          message: `${quote(id)} has been in quarantine since ${entry.since}: ${entry.reason}`,
          hint: 'have a named person reconcile its prompt first, with a new lock entry and a signed statement',
        }
      }
    },
  },
} satisfies Rules<AgentHandoff, AgentHandoffFacts>
