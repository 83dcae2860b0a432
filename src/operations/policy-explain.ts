import { as, checkDocument } from '../contract/index.ts'
import { findContract, loadContract } from '../contracts/index.ts'
import { maskSecrets, parseInstant, readDocuments } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import {
  type DecisionArtifact,
  decisionArtifact,
  type EntrySummary,
  entryAt,
  indicesOf,
  isAsRecorded,
  type PolicyOutcome,
  type ReadEntry,
  type RuleRefusal,
  recordedOutcome,
  recordedRefusal,
  summaryOf,
} from '../governance/index.ts'
import type { LogReader } from '../ledger/index.ts'
import { nearIds } from './log/near.ts'
import { isAnswer } from './log/one-entry.ts'
import { openLedger } from './log/open.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { explained, policiesOfToday } from './policy-explain/decision.ts'
import type { PolicyExplainOutput } from './policy-explain/output.ts'

const input = {
  type: 'object',
  required: ['decision'],
  properties: {
    decision: {
      type: 'string',
      positional: true,
      description:
        'The entry it stands in, by index or digest, or the id of the handoff or proposal.',
    },
    artifact: {
      type: 'boolean',
      description: 'Give the decision as a policy_decision artifact, as missions have it.',
    },
  },
} as const

/** Tells why policies decided so, by what was recorded then. */
export default defineOperation({
  name: 'policy explain',
  summary: 'Tell why policies decided so on a handoff, and what would change that',
  description:
    'Each decision is recorded with the policies that determined it, in the words that they had. This shows them with ' +
    'the facts that were known, the text of each policy where the policies are still the same, and what would lead to ' +
    'another outcome. A handoff that was decided on several times is explained by its newest decision; name an entry ' +
    'by index or digest for another one. What the rules have refused is denied without asking the policies: the codes ' +
    'are named, and are the reason of the artifact. What policies said to a write-back that somebody approved, or that was ' +
    'sent, is told by the id of its proposal. What else is decided inside of a mission, on tools, data and write-backs that ' +
    'were refused, is an artifact of it: waybill mission show <mission> policy_decision. Exits with 1 where no ' +
    'decision is recorded, or an entry is not what was recorded.',
  examples: [
    {
      command: 'waybill policy explain 550e8400-e29b-41d4-a716-446655440000',
      does: 'why this handoff was let through, or not',
    },
    {
      command: 'waybill policy explain 17 --artifact > decision.json',
      does: 'the decision as an artifact of its own',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: explain,
  failed: ({ decision, byRules, entry }) =>
    entry && !isAsRecorded(entry) ? 'ledger-tampered' : decision === null && !byRules,
})

/** An entry that a decision stands in. */
interface Decided {
  readonly summary: EntrySummary
  readonly entry: ReadEntry
  readonly outcome: PolicyOutcome | undefined
  readonly refusal: RuleRefusal | undefined
}

async function explain(
  { decision: asked, artifact = false }: TypeOf<typeof input>,
  app: App,
): Promise<PolicyExplainOutput> {
  const { log, origin, config } = await openLedger(app)
  const found = log ? await decidedIn(log, asked) : []
  const decided = found.filter(({ outcome, refusal }) => outcome ?? refusal)
  // What was changed may have been the newest decision; one that was erased still is.
  const one =
    found.findLast(({ summary }) => !isAsRecorded(summary)) ??
    found.findLast(({ summary }) => isAnswer(summary)) ??
    found.at(-1)
  const outcome = one?.outcome
  const decision = outcome ?? one?.refusal
  return {
    origin,
    asked: maskSecrets(asked),
    entry: one?.summary ?? null,
    decision:
      one && outcome ? explained(outcome, one.entry, policiesOfToday(app.root, config)) : null,
    others: decided.flatMap(other => (other === one ? [] : [other.summary.index])),
    byRules: one?.refusal !== undefined,
    artifact: one && decision && artifact ? await artifactOf(decision, one, app) : null,
    near: log && !one ? await nearIds(log, asked) : [],
  }
}

async function decidedIn(log: LogReader, asked: string): Promise<Decided[]> {
  const found: Decided[] = []
  for (const index of await indicesOf(log, asked)) {
    const entry = await entryAt(log, index)
    const decision = { outcome: recordedOutcome(entry), refusal: recordedRefusal(entry) }
    found.push({ entry, summary: summaryOf(index, entry), ...decision })
  }
  return found
}

async function artifactOf(
  outcome: PolicyOutcome | RuleRefusal,
  { entry, summary: { digest, from, to, ids, at } }: Decided,
  { now }: App,
): Promise<DecisionArtifact> {
  const { mission, handoff } = ids
  const artifact = decisionArtifact(outcome, {
    decisionId: digest ?? '',
    subject: proposalIn(entry) ?? `${from ?? 'unknown'} -> ${to ?? 'unknown'}`,
    mission: missionOf(mission, handoff) ?? { entry: digest ?? '' },
    at: parseInstant(at ?? '') ?? now,
  })
  await mustBeSound(artifact, now)
  return artifact
}

/** The proposal that was decided on; nothing of a handoff. */
function proposalIn(entry: ReadEntry): string | undefined {
  const { proposal } = entry.is === 'entry' ? entry.statement.predicate : {}
  return typeof proposal === 'string' ? proposal : undefined
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A handoff may call its mission as it likes; the contract knows them by UUIDs. */
function missionOf(mission: string | undefined, handoff: string | undefined) {
  if (mission !== undefined && UUID.test(mission)) return { id: mission }
  return handoff !== undefined && UUID.test(handoff) ? { handoff } : undefined
}

/** Nothing is handed out in the name of a contract that the contract refuses. */
async function mustBeSound(artifact: DecisionArtifact, now: number): Promise<void> {
  const contract = findContract('policy-decision')
  const { documents } = await readDocuments(JSON.stringify(artifact), 'json', [])
  const [document] = documents
  if (!contract || !document)
    throw new WaybillError('internal', 'policy-decision cannot be checked')
  const facts = { envelope: { missing: 'the decision stands alone' } }
  const value = as(contract, document.value)
  const result = checkDocument(document, value, await loadContract(contract), { now, facts })
  if (result.accepted) return
  const [first] = result.diagnostics
  throw new WaybillError(
    'ledger-tampered',
    `the decision is no policy_decision: ${first?.message}`,
    {
      hint: 'the entry does not say what a gateway writes; waybill log verify looks into that',
    },
  )
}
