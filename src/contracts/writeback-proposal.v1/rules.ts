import { type Fields, quote, type Rules } from '../../contract/index.ts'
import {
  decisionsOfType,
  type MissionFacts,
  nameOf,
  siblingsNamed,
  undecidedBy,
} from '../mission-facts.ts'
import { noNullCharacters, ownerMatchesMission } from '../mission-rules.ts'
import type { PolicyDecision } from '../policy-decision.v1/schema.ts'
import { noFutureTimes } from '../times.ts'
import type { WritebackProposal } from './schema.ts'

/** Keys by which an artifact would say that the change was made. */
const EXECUTION =
  /^(?:(?:executed|applied|committed|completed|performed|carried_?out)(?:_?(?:at|on|by|id|time|result))?|(?:execution|writeback)_?(?:at|on|by|time|result)|execution_?id)$/i
const STATUS = /^(?:execution|outcome|(?:(?:execution|writeback|proposal)_?)?(?:status|state))$/i
const EXECUTED =
  /^(?:executed|applied|committed|completed?|performed|done|finished|succeeded|success(?:ful)?)$/i

/** What the structure of a write-back proposal cannot say. */
export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'proposal-not-executed': {
    severity: 'error',
    summary: 'The artifact does not say that the change was made.',
    why: 'A proposal is never the record of an execution; who reads it so would take a wish for a fact.',
    reads: [],
    *check(proposal: unknown) {
      if (typeof proposal !== 'object' || proposal === null) return
      for (const [key, value] of Object.entries(proposal as Fields)) {
        if (!saysExecuted(key, value)) continue
        yield {
          path: [key],
          atKey: true,
          message: `${quote(key)} says that the change was made, and this is only a proposal`,
          hint: 'remove the key: what was done is recorded when the approved proposal is carried out',
        }
      }
    },
  },
  'no-worker-writeback': {
    severity: 'error',
    summary: "The proposal does not come from one of the mission's workers.",
    why: 'A worker never writes back: its result is aggregated and reviewed before anything is proposed.',
    reads: ['/producer'],
    uses: ['artifacts'],
    *check({ producer }, { facts: { artifacts } }) {
      const results = siblingsNamed(artifacts, 'worker_result')
      const own = results.find(({ value }) => value.producer === producer)
      if (!own) {
        yield* results.filter(({ value }) => typeof value.producer !== 'string').map(undecidedBy)
        return
      }
      yield {
        path: ['producer'],
        message: `${quote(producer)} is a worker of the mission: it wrote the result ${nameOf(own)}`,
        hint: 'let the reviewer propose the change, or whoever is not a worker',
      }
    },
  },
  'approval-waived-by-policy': {
    severity: 'error',
    summary:
      'A proposal that needs no approval is backed by a policy decision of type writeback that allows it, and none denies it.',
    why: 'A change that nobody has to approve must at least be allowed by somebody other than who proposes it.',
    reads: [
      '/requires_approval',
      '/producer',
      '/proposal_id',
      '/action_type',
      '/target_entity_type',
      '/target_entity_id',
    ],
    needs: ['policies'],
    applies: ({ requires_approval }) => !requires_approval,
    *check(proposal, { facts: { policies = [] } }) {
      const { producer } = proposal
      // What the proposer decides itself is no decision on the proposal, unless it is a refusal.
      const isOwn = (p: PolicyDecision) => p.decision === 'allow' && p.producer === producer
      const relevant = decisionsOn(
        proposal,
        policies.filter(p => !isOwn(p)),
      )
      const denial = relevant.find(({ decision }) => decision === 'deny')
      if (!denial && relevant.length > 0) return
      const [own] = decisionsOn(proposal, policies.filter(isOwn))
      yield {
        path: ['requires_approval'],
        message: `approval is not required, and ${whyNotWaived(proposal, denial, own)}`,
        hint: 'write requires_approval: true, or ask the guard plane for a decision of type writeback on the action, the target or the proposal',
      }
    },
  },
} satisfies Rules<WritebackProposal, MissionFacts>

function saysExecuted(key: string, value: unknown): boolean {
  if (/^execution$/i.test(key) && typeof value === 'object' && value !== null)
    return Object.entries(value).some(entry => saysExecuted(...entry))
  if (STATUS.test(key)) return typeof value === 'string' && EXECUTED.test(value)
  return EXECUTION.test(key) && value !== null && value !== false
}

/** The policy decisions on the proposal: those that name it, its action or its target as their subject. */
function decisionsOn(
  proposal: WritebackProposal,
  policies: readonly PolicyDecision[],
): PolicyDecision[] {
  const decisions = decisionsOfType('writeback', policies)
  const { proposal_id, action_type, target_entity_id, target_entity_type } = proposal
  return [proposal_id, action_type, target_entity_id, target_entity_type].flatMap(
    subject => decisions.get(subject) ?? [],
  )
}

function whyNotWaived(
  { action_type, producer }: WritebackProposal,
  denial: PolicyDecision | undefined,
  own: PolicyDecision | undefined,
): string {
  if (denial) {
    return `the policy decision ${quote(denial.decision_id)} denies the write-back of ${quote(denial.subject)}`
  }
  return own
    ? `the policy decision ${quote(own.decision_id)}, which allows it, comes from the proposer ${quote(producer)} itself`
    : `no policy decision allows the write-back ${quote(action_type)}`
}
