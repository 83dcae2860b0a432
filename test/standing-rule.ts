/** A rule as a handoff document states it. */
export const RULE = 'R-003: Never force-push. `scope: git push*`'

/** Where a handoff document with the rule is written. */
export const RULE_PATH = 'handoffs/2026-02-10T09-00-00Z-start.md'

/** A handoff document with standing rules, at nine o'clock of the tenth of February 2026 unless at another time. */
export function handoffWithRules(rules: readonly string[] = [RULE], more = ''): string {
  const list = rules.map(rule => `- ${rule}`).join('\n')
  return `---
mode: CREATE
adr_id: ADR-0.0.25
branch: main
timestamp: '2026-02-10T09:00:00Z'
agent: claude-code
${more}---

# Start

## Important Context

### Standing Rules

${list}

## Decisions Made

None.
`
}
