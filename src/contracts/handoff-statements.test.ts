import { expect, test } from 'vitest'
import { statementsOf } from './handoff-statements.ts'

const TEXT = `---
mode: CREATE
---

# Title

## Important Context

- The build takes 9 minutes.

### Standing Rules

These hold until they are superseded:

- R-001: Never force-push to release/. \`scope: git push*\`
- Ask before adding a dependency.

#### In this module

- No network in tests.

### Places

The configuration is in \`app.yaml\`.

\`\`\`md
- R-009: Not a rule.
\`\`\`

## Decisions Made

- D-001: Use SQLite.
  - rejected: Postgres, one more server
- None

### Use HTTP/2

Because of the proxy.

- rejected: HTTP/1.1

## Immediate Next Steps

1. Go on.
`

test('rules, decisions and facts are read with their lines', () => {
  const found = statementsOf(TEXT).map(({ kind, text, line, heading }) => [
    line,
    kind,
    text.split('\n')[0],
    heading,
  ])
  expect(found).toEqual([
    [9, 'fact', 'The build takes 9 minutes.', undefined],
    [15, 'rule', 'Never force-push to release/.', undefined],
    [16, 'rule', 'Ask before adding a dependency.', undefined],
    [20, 'rule', 'No network in tests.', undefined],
    [24, 'fact', 'The configuration is in `app.yaml`.', 'Places'],
    [26, 'fact', '```md', 'Places'],
    [32, 'decision', 'Use SQLite.', undefined],
    [36, 'decision', 'Use HTTP/2', 'Use HTTP/2'],
  ])
})

test('line ends of any kind give the same statements', () => {
  expect(statementsOf(TEXT.replaceAll('\n', '\r\n')).map(({ line }) => line)).toEqual(
    statementsOf(TEXT).map(({ line }) => line),
  )
})
