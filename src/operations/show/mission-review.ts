import type { Item } from './output.ts'
import {
  entriesSection,
  fieldsOf,
  item,
  lines,
  listOf,
  listSection,
  outline,
  said,
  tableSection,
  textSection,
} from './said.ts'
import type { Body } from './view.ts'

/** Describes the claims of several results and their contradictions. */
export function describeAggregation(value: unknown): Body {
  const packet = fieldsOf(value)
  const claims = listOf(packet.evidence_matrix).map(row => {
    const { claim, support_refs } = fieldsOf(row)
    return [claim ?? said(row), support_refs]
  })
  return {
    facts: lines(['Claims', claims.length]),
    sections: [
      ...textSection('Summary', packet.summary),
      ...listSection('Contradictions', listOf(packet.contradictions).flatMap(entry)),
      ...listSection('Gaps', listOf(packet.coverage_gaps).flatMap(entry)),
      ...tableSection(
        'Evidence',
        ['RESTS ON', 'CLAIM'],
        claims.map(([claim, refs]) => [refs ?? 'nothing', claim]),
      ),
      ...listSection('Recommended output', outline(packet.recommended_output)),
    ],
  }
}

/** Describes the outcome of a review and the required edits. */
export function describeReview(value: unknown): Body {
  const { review_status, issues, required_edits, approved_output } = fieldsOf(value)
  const found = listOf(issues).map(issue => {
    const { severity, message, ...rest } = fieldsOf(issue)
    return item({
      marks: [severity],
      text: message ?? plain(issue),
      details: lines(...Object.entries(rest)),
    })
  })
  return {
    facts: lines(['Outcome', review_status]),
    sections: [
      ...listSection('Issues', found),
      ...entriesSection('Required edits', required_edits),
      ...listSection('Approved output', outline(approved_output)),
    ],
  }
}

/** Describes a policy decision. */
export function describeDecision(value: unknown): Body {
  const { decision, decision_type, subject, reason } = fieldsOf(value)
  return {
    facts: lines(['Decision', decision], ['About', decision_type], ['Subject', subject]),
    sections: textSection('Reason', reason),
  }
}

/** Describes a proposed write-back and whether it needs approval. */
export function describeProposal(value: unknown): Body {
  const { action_type, target_entity_type, target_entity_id, requires_approval, payload } =
    fieldsOf(value)
  const approval =
    requires_approval === true
      ? 'required'
      : requires_approval === false
        ? 'not required'
        : requires_approval
  return {
    facts: lines(
      ['Action', action_type],
      ['Target', [target_entity_type, target_entity_id].map(said).filter(Boolean).join(' ')],
      ['Approval', approval],
    ),
    sections: listSection('Proposed change', outline(payload)),
  }
}

function entry(value: unknown): Item[] {
  return typeof value === 'object' ? outline(value) : [item({ text: value })]
}

function plain(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value
}
