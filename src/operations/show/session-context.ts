import { confidenceBand } from '../../contracts/index.ts'
import type { Line } from './output.ts'
import {
  entriesSection,
  fieldsOf,
  item,
  lines,
  listOf,
  listSection,
  outline,
  said,
} from './said.ts'
import type { Body } from './view.ts'

/** Describes what one agent hands to the next, blockers first. */
export function describeSessionContext(value: unknown): Body {
  const context = fieldsOf(value)
  const payload = fieldsOf(context.payload)
  const trace = fieldsOf(context.trace)
  return {
    facts: [
      ...lines(['From', agentOf(context.source_agent)], ['To', agentOf(context.target_agent)]),
      ...confidenceOf(payload.confidence),
      ...lines(
        ['Session', context.session_id],
        ['Workflow', context.workflow_id],
        ['Trace', trace.trace_id],
        ['Depth', trace.depth],
        ['Format', context.schema_version],
      ),
    ],
    sections: [
      ...listSection('Blockers', listOf(payload.blockers).map(blocker)),
      ...listSection('Findings', listOf(payload.key_findings).map(finding)),
      ...listSection('Open questions', listOf(payload.open_questions).map(question)),
      ...entriesSection('Recommendations', payload.recommendations),
      ...listSection('Artifacts', listOf(payload.artifacts).map(artifact)),
      ...listSection('Context', outline(payload.context)),
    ],
  }
}

function agentOf(value: unknown): string | undefined {
  const { id, cognitive_mode, model } = fieldsOf(value)
  const name = said(id) ?? said(value)
  const manner = [said(cognitive_mode), said(model)].filter(word => word !== undefined).join(', ')
  return name && manner ? `${name} (${manner})` : name
}

/** Returns a score with its band, reason and parts. */
function confidenceOf(value: unknown): Line[] {
  const { overall, reasoning, breakdown } = fieldsOf(value)
  const parts = Object.entries(fieldsOf(breakdown)).map(
    ([name, score]) => `${name.replaceAll('_', ' ')} ${band(score)}`,
  )
  return lines(['Confidence', band(overall ?? value)], ['Because', reasoning], ['In parts', parts])
}

/** Returns a score from 0 to 1 with the name of its band. */
export function band(score: unknown): string | undefined {
  return typeof score === 'number' && score >= 0 && score <= 1
    ? `${score} ${confidenceBand(score)}`
    : said(score)
}

function blocker(value: unknown) {
  const { id, severity, description, workaround, blocked_actions } = fieldsOf(value)
  return item({
    id,
    marks: [severity],
    text: description ?? plain(value),
    details: lines(['way around', workaround], ['blocks', blocked_actions]),
  })
}

function finding(value: unknown) {
  const { id, severity, category, summary, evidence, traceability } = fieldsOf(value)
  return item({
    id,
    marks: [severity, category],
    text: summary ?? plain(value),
    details: [
      ...listOf(evidence).flatMap(e => lines(['evidence', e])),
      ...lines(['traces to', traceability]),
    ],
  })
}

function question(value: unknown) {
  const { id, priority, question: asked, suggested_approach } = fieldsOf(value)
  return item({
    id,
    marks: [priority],
    text: asked ?? plain(value),
    details: lines(['approach', suggested_approach]),
  })
}

function artifact(value: unknown) {
  const { path, type, format, size_bytes } = fieldsOf(value)
  const size = typeof size_bytes === 'number' ? `${size_bytes} bytes` : undefined
  return item({ marks: [type, format, size], text: path ?? plain(value) })
}

/** Returns an entry that is not an object, as an invalid document may have. */
function plain(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value
}
