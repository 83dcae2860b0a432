import type { Asked, Reply } from './model-server.ts'

/** What a model of few words answers to each task of the mission. */
const ANSWERS: Readonly<Record<string, (ref: string | undefined) => object>> = {
  research: () => ({ provider: 'repository_search', query: 'night', results: [] }),
  passes: () => ({
    artifacts: ['causes', 'rule', 'promises'].map(task_id => ({
      task_id,
      allowed_resource_families: ['repository.documents'],
      recommended_queries: [],
      cached_previews: [],
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    })),
  }),
  causes: result,
  rule: result,
  promises: result,
  evidence: () => ({
    summary: 'Documents name 214 reminders at night.',
    evidence_matrix: [{ claim: 'reminders at night: 214', support_refs: ['docs#L1'] }],
    contradictions: [],
    coverage_gaps: [],
    recommended_output: { format: 'ticket_comment' },
  }),
  review: () => ({
    schema_name: 'review_packet',
    review_status: 'approved',
    issues: [],
    required_edits: [],
    approved_output: { summary: 'Documents name 214 reminders at night.' },
  }),
}

function result(ref: string | undefined): object {
  return {
    output_text: 'It is in a document.',
    structured_output: { facts: [], questions: [] },
    citations: [{ kind: 'internal', ref: 'docs#L1' }],
    confidence: 0.5,
    tool_trace_refs: ref === undefined ? [] : [ref],
  }
}

/** A model that does the tasks of the example: it calls a tool where there is one, and answers when it has seen what comes of that. */
export function nudgeModel({ text, body }: Asked): Reply {
  const [, given = ''] = text.replaceAll('\\"', '"').split('<data name="task">')
  const [, task = ''] = /"task_id":"([a-z]+)"/.exec(given) ?? []
  const [ref] = /toolcall_[0-9a-f-]{36}/.exec(text) ?? []
  const isOffered = JSON.stringify(body.tools ?? []).includes('repository_search')
  if (isOffered && ref === undefined)
    return { tools: [{ name: 'repository_search', args: { words: ['night'], under: 'docs' } }] }
  return { text: JSON.stringify(ANSWERS[task]?.(ref) ?? {}) }
}
