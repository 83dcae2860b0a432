import { type Random, seeded, timeOf } from './random.ts'

const SIZE = 9_000
const LEVELS = ['low', 'medium', 'high', 'critical']
const CATEGORIES = ['insight', 'risk', 'requirement', 'decision', 'gap', 'recommendation']

const id = (prefix: string, number: number) => `${prefix}-${String(number + 1).padStart(3, '0')}`

/** A session context of about 9 KB: findings with evidence and traceability, questions, blockers, artifacts. */
export function sessionContext(number: number): string {
  const random = seeded(number)
  const context = {
    schema_version: '1.0.0',
    session_id: `sess-2026-01-${random.hex(8)}`,
    source_agent: {
      id: 'ps-analyst',
      family: 'ps',
      cognitive_mode: 'divergent',
      model: 'opus',
    },
    target_agent: { id: 'nse-requirements', family: 'nse', cognitive_mode: 'convergent' },
    timestamp: timeOf(number),
    payload: payload(random),
    workflow_id: `wf-${random.hex(12)}`,
    trace: { trace_id: random.hex(32), span_id: random.hex(16), parent_span_id: null, depth: 1 },
  }
  const findings = context.payload.key_findings
  while (JSON.stringify(context, null, 2).length < SIZE)
    findings.push(finding(random, findings.length))
  return `${JSON.stringify(context, null, 2)}\n`
}

function payload(random: Random) {
  return {
    key_findings: [finding(random, 0)],
    open_questions: Array.from({ length: 4 }, (_, i) => ({
      id: id('Q', i),
      question: random.sentence(),
      priority: random.pick(LEVELS),
      suggested_approach: random.sentence(),
    })),
    blockers: Array.from({ length: 2 }, (_, i) => ({
      id: id('BLK', i),
      description: random.sentence(),
      severity: random.pick(LEVELS),
      workaround: random.sentence(),
      blocked_actions: [random.sentence()],
    })),
    confidence: {
      overall: random.below(101) / 100,
      reasoning: random.sentence(),
      breakdown: { sources: random.below(101) / 100, method: random.below(101) / 100 },
    },
    artifacts: Array.from({ length: 5 }, (_, i) => ({
      path: `docs/analysis/${random.hex(6)}-${i}.md`,
      type: 'analysis',
      format: 'markdown',
      size_bytes: random.below(60_000),
    })),
    context: {
      domain: random.sentence(),
      constraints: Array.from({ length: 3 }, () => random.sentence()),
      limits: { retries: random.below(9), window_ms: random.below(90_000) },
    },
    recommendations: Array.from({ length: 4 }, () => random.sentence()),
  }
}

function finding(random: Random, number: number) {
  return {
    id: id('F', number),
    summary: random.sentences(2),
    category: random.pick(CATEGORIES),
    severity: random.pick(LEVELS),
    evidence: [
      `src/${random.hex(4)}/reader.ts:${random.below(400) + 1}`,
      `commit ${random.hex(10)}`,
    ],
    traceability: [
      `REQ-SYS-${String(random.below(900) + 100)}`,
      `RISK-${String(random.below(90) + 10)}`,
    ],
  }
}
