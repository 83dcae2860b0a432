import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import type { Stage } from '../stage.ts'
import { writeRepository } from '../workloads/folder.ts'
import { handoffDocument } from '../workloads/handoff-document.ts'
import { cold } from './cold.ts'

const NOTE = `# Handoff

## Status

The importer works.

## Next Steps

1. Speed it up

## Standing Rules

- R-001: Never push without a review. \`scope: git push*\`
- R-002: Vendored code stays as it is. \`scope: vendor/**\`
`

/** The hooks that a coding agent waits for, cold: before each tool call, and when a session starts. */
export async function hooks(stage: Stage): Promise<Figure[]> {
  const cwd = stage.folder('hooks')
  writeRepository(cwd, 100, handoffDocument)
  writeFileSync(join(cwd, 'HANDOFF.md'), NOTE)
  const call = ['--tool', 'Bash', '--tool-input', '{"command":"cd src && npm test > test.log"}']
  const before = { args: ['hook', 'claude-code', 'PreToolUse', ...call], cwd }
  const start = { args: ['hook', 'claude-code', 'SessionStart'], cwd }
  return [
    ...(await cold(stage, 'hook before a tool call', 3, before)),
    ...(await cold(stage, 'hook at the start of a session, 101 handoffs', undefined, start)),
  ]
}
