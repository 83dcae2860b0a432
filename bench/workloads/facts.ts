import type { Facts } from '../../src/index.ts'

/** What the documents ask for where no repository is at hand: every file exists, and missions may search. */
export const FACTS: Facts = {
  files: { value: { kindOf: () => 'file', matches: () => true, sha256: () => undefined } },
  lineage: { value: { predecessor: { path: 'before.md', timestamp: '2026-01-01T00:00:00Z' } } },
  policies: { value: [{ decision_type: 'tool_scope', subject: 'search', decision: 'allow' }] },
  artifacts: { value: [] },
}
