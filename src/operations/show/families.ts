import { describeAgentHandoff } from './agent-handoff.ts'
import { describeLock, describeManifest } from './agents.ts'
import { describeHandoffDocument } from './handoff-document.ts'
import {
  describeEnvelope,
  describePass,
  describePromptPackage,
  describeResearch,
  describeResult,
} from './mission.ts'
import { describeTaskGraph } from './mission-graph.ts'
import {
  describeAggregation,
  describeDecision,
  describeProposal,
  describeReview,
} from './mission-review.ts'
import { describeOrchestration } from './orchestration.ts'
import { listSection, outline } from './said.ts'
import { describeSessionContext } from './session-context.ts'
import { describeSessionState } from './session-state.ts'
import type { Body, Describe } from './view.ts'

const FAMILIES: Readonly<Record<string, Describe>> = {
  'agent-handoff': describeAgentHandoff,
  'aggregation-packet': describeAggregation,
  'handoff-document': describeHandoffDocument,
  'handoff-note': describeHandoffDocument,
  'librarian-pass': describePass,
  'mission-envelope': describeEnvelope,
  'mission-task-graph': describeTaskGraph,
  orchestration: describeOrchestration,
  'policy-decision': describeDecision,
  'prompt-lock': describeLock,
  'prompt-manifest': describeManifest,
  'prompt-package': describePromptPackage,
  'research-artifact': describeResearch,
  'review-packet': describeReview,
  'session-context': describeSessionContext,
  'session-state': describeSessionState,
  'worker-result': describeResult,
  'writeback-proposal': describeProposal,
}

/** Returns the description function of a contract; an outline for an unknown one. */
export function describeFor(contract: string | null): Describe {
  const known =
    contract !== null && Object.hasOwn(FAMILIES, contract) ? FAMILIES[contract] : undefined
  return known ?? plainly
}

function plainly(value: unknown): Body {
  return { facts: [], sections: listSection('Content', outline(value)) }
}
