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
      description: 'An entry, by index or digest, or the id of a handoff or proposal.',
    },
    artifact: {
      type: 'boolean',
      description: 'Print the decision as a policy_decision artifact.',
    },
  },
} as const

/** Explains a recorded policy decision. */
export default defineOperation({
  name: 'policy explain',
  summary: 'Explain a policy decision about a handoff and what would change it',
  description:
    'Each decision is recorded with the policies that determined it. Shows them with the recorded facts, the policy texts ' +
    'when unchanged, and what would lead to another outcome. Explains the newest decision about a handoff; name an entry by ' +
    'index or digest for an earlier one. A handoff that breaks rules is denied without evaluating policies; then the codes ' +
    'are the reason. Pass the id of a proposal for the decision about a write-back that was approved or sent. Other ' +
    'decisions inside missions, on tools, data and refused write-backs, are artifacts: waybill mission show <mission> ' +
    'policy_decision. Exits with 1 when no decision is recorded or an entry was changed.',
  examples: [
    {
      command: 'waybill policy explain 550e8400-e29b-41d4-a716-446655440000',
      does: 'explain why this handoff was accepted or not',
    },
    {
      command: 'waybill policy explain 17 --artifact > decision.json',
      does: 'write the decision as an artifact',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: explain,
  failed: ({ decision, byRules, entry }) =>
    entry && !isAsRecorded(entry) ? 'ledger-tampered' : decision === null && !byRules,
})

/** An entry with a decision. */
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
  // A changed entry may have been the newest decision; an erased one still counts.
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

/** Returns the proposal of an entry; `undefined` for a handoff. */
function proposalIn(entry: ReadEntry): string | undefined {
  const { proposal } = entry.is === 'entry' ? entry.statement.predicate : {}
  return typeof proposal === 'string' ? proposal : undefined
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The contract requires a UUID for the mission; a handoff may name it freely. */
function missionOf(mission: string | undefined, handoff: string | undefined) {
  if (mission !== undefined && UUID.test(mission)) return { id: mission }
  return handoff !== undefined && UUID.test(handoff) ? { handoff } : undefined
}

/** Requires that the artifact satisfies its contract. */
async function mustBeSound(artifact: DecisionArtifact, now: number): Promise<void> {
  const contract = findContract('policy-decision')
  const { documents } = await readDocuments(JSON.stringify(artifact), 'json', [])
  const [document] = documents
  if (!contract || !document)
    throw new WaybillError('internal', 'policy-decision cannot be checked')
  const facts = { envelope: { missing: 'no envelope is given' } }
  const value = as(contract, document.value)
  const result = checkDocument(document, value, await loadContract(contract), { now, facts })
  if (result.accepted) return
  const [first] = result.diagnostics
  throw new WaybillError(
    'ledger-tampered',
    `the decision is not a valid policy_decision: ${first?.message}`,
    {
      hint: 'a gateway does not write such an entry; run waybill log verify',
    },
  )
}
