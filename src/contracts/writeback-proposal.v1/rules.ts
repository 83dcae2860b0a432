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

/** Keys that claim that the change was made. */
const EXECUTION =
  /^(?:(?:executed|applied|committed|completed|performed|carried_?out)(?:_?(?:at|on|by|id|time|result))?|(?:execution|writeback)_?(?:at|on|by|time|result)|execution_?id)$/i
const STATUS = /^(?:execution|outcome|(?:(?:execution|writeback|proposal)_?)?(?:status|state))$/i
const EXECUTED =
  /^(?:executed|applied|committed|completed?|performed|done|finished|succeeded|success(?:ful)?)$/i

export const rules = {
  'no-null-characters': noNullCharacters,
  'no-future-times': noFutureTimes('/created_at'),
  'owner-matches-mission': ownerMatchesMission,
  'proposal-not-executed': {
    severity: 'error',
    summary: 'The proposal does not claim that the change was made.',
    why: 'A proposal is never the record of an execution; a reader would take a plan for a fact.',
    reads: [],
    *check(proposal: unknown) {
      if (typeof proposal !== 'object' || proposal === null) return
      for (const [key, value] of Object.entries(proposal as Fields)) {
        if (!claimsExecution(key, value)) continue
        yield {
          path: [key],
          atKey: true,
          message: `${quote(key)} claims that the change was made, but this is only a proposal`,
          hint: 'remove the key: execution is recorded when the approved proposal is carried out',
        }
      }
    },
  },
  'no-worker-writeback': {
    severity: 'error',
    summary: "The proposal's producer is not one of the mission's workers.",
    why: 'A worker must not write back: its result is aggregated and reviewed before a change is proposed.',
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
        hint: 'have the reviewer or another non-worker propose the change',
      }
    },
  },
  'approval-waived-by-policy': {
    severity: 'error',
    summary:
      'If a proposal needs no approval, a policy decision of type writeback allows it and none denies it.',
    why: 'A change without approval must at least be allowed by a policy that its proposer did not write.',
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
      // Ignore the proposer's own decisions, unless they deny.
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
        message: `requires_approval is false, but ${whyNotWaived(proposal, denial, own)}`,
        hint: 'write requires_approval: true, or add a policy decision of type writeback that allows the action, the target or the proposal',
      }
    },
  },
} satisfies Rules<WritebackProposal, MissionFacts>

function claimsExecution(key: string, value: unknown): boolean {
  if (/^execution$/i.test(key) && typeof value === 'object' && value !== null)
    return Object.entries(value).some(entry => claimsExecution(...entry))
  if (STATUS.test(key)) return typeof value === 'string' && EXECUTED.test(value)
  return EXECUTION.test(key) && value !== null && value !== false
}

/** The policy decisions whose subject is the proposal, its action or its target. */
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
    ? `the policy decision ${quote(own.decision_id)}, which allows it, was written by the proposer ${quote(producer)}`
    : `no policy decision allows the write-back ${quote(action_type)}`
}
