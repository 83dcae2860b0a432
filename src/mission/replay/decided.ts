import { listed, quote } from '../../contract/index.ts'
import { formatPointer } from '../../document/index.ts'
import { keysIn } from '../../governance/index.ts'
import type { MissionDecision, MissionSnapshot } from '../../store/index.ts'
import { decisionId } from '../approvals/record.ts'
import type { Difference } from './codes.ts'
import { differencesFrom, entryOf, isSame, partAt, predicateOf } from './decision.ts'
import type { Evidence, FoundEntry } from './evidence.ts'

type Outcome = NonNullable<MissionDecision['outcome']>

/** Compares the decisions and outcomes of a mission's write-backs with the log; also reports those only in the log. */
export async function* inDecided(
  { mission, decisions }: MissionSnapshot,
  tenant: string,
  evidence: Evidence,
): AsyncIterable<Difference> {
  for (const decision of decisions) yield* inDecision(mission, decision, evidence)
  const { known = Number.POSITIVE_INFINITY } = evidence
  const shown = new Map(decisions.map(one => [one.proposal, one]))
  for (const found of await evidence.find(`id:${mission}`)) {
    if (found.index >= known) continue
    yield* tampered(found)
    const mention = mentionIn(found, { tenant, mission })
    if (!mention) continue
    const { proposal, what } = mention
    const one = shown.get(proposal)
    if (what === 'decision' ? one : one?.outcome) continue
    yield {
      code: 'replay/decision-missing',
      path: formatPointer(['decisions', proposal]),
      message: `${missingIn(found, mention)}, but the mission does not contain it`,
    }
  }
}

/** A proposal that an entry is about, and how. */
interface Mention {
  readonly proposal: string
  readonly what: 'decision' | 'outcome'
}

const MENTIONS = { 'decided:': 'decision', 'written-back:': 'outcome' } as const

/** The proposal that an entry is about, even if erased; undefined for other entries. */
function mentionIn(
  { entry }: FoundEntry,
  { tenant, mission }: { readonly tenant: string; readonly mission: string },
): Mention | undefined {
  if (entry.is !== 'entry' && entry.is !== 'erased') return undefined
  const { unique, also } = keysIn(entry)
  const named = also.flatMap(key => (key.startsWith('id:') ? [key.slice('id:'.length)] : []))
  const stated = entry.is === 'entry' ? [String(entry.statement.predicate.proposal)] : []
  for (const [prefix, what] of Object.entries(MENTIONS))
    for (const proposal of [...stated, ...named])
      if (unique.includes(prefix + decisionId({ tenant, mission, proposal })))
        return { proposal, what }
  return undefined
}

function missingIn(found: FoundEntry, { proposal, what }: Mention): string {
  const says = predicateOf(found)
  if (!says) return `the erased entry ${found.index} was the ${what} on ${quote(proposal)}`
  const came = what === 'decision' ? `${says.decision} by ${says.by}` : says.outcome
  return `entry ${found.index} says that ${quote(proposal)} was ${came}`
}

async function* inDecision(
  mission: string,
  decided: MissionDecision,
  evidence: Evidence,
): AsyncIterable<Difference> {
  const { proposal, decision, outcome } = decided
  const path = formatPointer(['decisions', proposal])
  const found = await entryOf(decided, evidence)
  if (!found) {
    const message = `the log does not record that it was ${decision}`
    yield { code: 'replay/decision-unrecorded', path, message }
    return
  }
  yield* tampered(found)
  const says = predicateOf(found)
  if (!says) return
  const members = differencesFrom(found, { mission, ...decided })
  yield* differing(path, `entry ${found.index} records another decision`, members)
  const { decision: id } = partAt(says, 'ids')
  if (outcome) yield* inOutcome(path, outcome, await evidence.find(`written-back:${String(id)}`))
}

function* inOutcome(
  path: string,
  { state, attempts, outcome }: Outcome,
  [written]: readonly FoundEntry[],
): Iterable<Difference> {
  if (!written) {
    // The outcome is stored before it is recorded.
    if (state === 'pending') return
    const message = `the log does not record that it was ${state}`
    yield { code: 'replay/decision-unrecorded', path, message }
    return
  }
  yield* tampered(written)
  const says = predicateOf(written)
  if (!says) return
  const { is, code, message } = partAt(outcome)
  const members = Object.entries({ outcome: state === 'pending' ? is : state, code, message })
  const others = members.filter(([member, value]) => !isSame(value, says[member]))
  const names = others.map(([member]) => member)
  // A worker that dies while recording adds an attempt.
  if (!(attempts >= Number(says.attempts))) names.push('attempts')
  yield* differing(path, `entry ${written.index} records another outcome`, names)
}

function* differing(path: string, what: string, members: readonly string[]): Iterable<Difference> {
  if (members.length === 0) return
  const message = `${what}: it differs in ${listed(members)}`
  yield { code: 'replay/decision-differs', path, message }
}

/** Reports an entry that was changed. */
export function* tampered({ index, entry }: FoundEntry): Iterable<Difference> {
  if (entry.is === 'differs' || entry.is === 'unreadable')
    yield {
      code: 'replay/entry-tampered',
      path: `/entries/${index}`,
      message: `entry ${index} of the log was changed`,
    }
}
