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
  textSection,
  when,
} from './said.ts'
import { band } from './session-context.ts'
import type { Body, ViewContext } from './view.ts'

/** Describes a mission: its goal, risk and budgets. */
export function describeEnvelope(value: unknown): Body {
  const mission = fieldsOf(value)
  return {
    facts: lines(
      ['Type', mission.mission_type],
      ['Risk', mission.risk_level],
      ['Sensitivity', mission.sensitivity_class],
      ['Time budget', duration(mission.time_budget_ms)],
      ['Tokens', mission.token_budget],
      [
        'Requested by',
        [mission.actor_id, mission.actor_role && `(${said(mission.actor_role)})`]
          .filter(Boolean)
          .join(' '),
      ],
      ['Tenant', mission.tenant_id],
      ['Origin', mission.origin_surface],
    ),
    sections: [
      ...textSection('Goal', mission.normalized_goal),
      ...textSection('Original request', mission.user_goal),
      ...entriesSection('Requested outputs', mission.requested_outputs),
      ...listSection('Context', outline(mission.context_refs)),
    ],
  }
}

function duration(ms: unknown): string | undefined {
  return typeof ms === 'number' ? `${ms / 1000} s` : said(ms)
}

/** Describes the prompt of a worker and the tools it may use. */
export function describePromptPackage(value: unknown): Body {
  const { task_id, role_type, template_id, template_version, model_route, ...parts } =
    fieldsOf(value)
  return {
    facts: lines(
      ['Task', task_id],
      ['Role', role_type],
      ['Template', [template_id, template_version].filter(Boolean).join(' ')],
      ['Model', model_route],
      ['Tools', parts.tool_scope],
      ['Examples', parts.examples_used],
    ),
    sections: [
      ...textSection('Task prompt', parts.task_prompt),
      ...textSection('System prompt', parts.system_prompt),
      ...listSection('Constraints', outline(parts.constraints)),
    ],
  }
}

/** Describes research results and their confidence. */
export function describeResearch(value: unknown, { now }: ViewContext): Body {
  const { task_id, provider, query, results } = fieldsOf(value)
  const found = listOf(results).map(result => {
    const { title, url, snippet, source_type, retrieved_at, confidence } = fieldsOf(result)
    return item({
      marks: [source_type, band(confidence)],
      text: title ?? url,
      details: lines(['says', snippet], ['at', url], ['retrieved', when(retrieved_at, now)]),
    })
  })
  return {
    facts: lines(['Task', task_id], ['Provider', provider], ['Query', query]),
    sections: listSection('Results', found),
  }
}

/** Describes the resources a worker may read, and until when. */
export function describePass(value: unknown, { now }: ViewContext): Body {
  const { task_id, expires_at, allowed_resource_families, recommended_queries, cached_previews } =
    fieldsOf(value)
  const queries = listOf(recommended_queries).map(query => {
    const { tool, query: words } = fieldsOf(query)
    return item({ id: tool, text: words ?? plain(query) })
  })
  const previews = listOf(cached_previews).map(shown => {
    const { label, entity_type, entity_id, preview } = fieldsOf(shown)
    return item({ id: entity_id, marks: [entity_type, label], text: preview ?? plain(shown) })
  })
  return {
    facts: lines(['Task', task_id], ['Expires', when(expires_at, now)]),
    sections: [
      ...entriesSection('Allowed resources', allowed_resource_families),
      ...listSection('Recommended queries', queries),
      ...listSection('Previews', previews),
    ],
  }
}

/** Describes the result of a worker and its citations. */
export function describeResult(value: unknown): Body {
  const { task_id, confidence, output_text, structured_output, citations, tool_trace_refs } =
    fieldsOf(value)
  const cited = listOf(citations).map(citation => {
    const { kind, ref, ...rest } = fieldsOf(citation)
    return item({ marks: [kind], text: ref ?? plain(citation), details: rows(rest) })
  })
  return {
    facts: lines(
      ['Task', task_id],
      ['Confidence', band(confidence)],
      ['Tool calls', tool_trace_refs],
    ),
    sections: [
      ...textSection('Result', output_text),
      ...listSection('Structured', outline(structured_output)),
      ...listSection('Citations', cited),
    ],
  }
}

function rows(fields: object): Line[] {
  return lines(...Object.entries(fields))
}

function plain(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value
}
