import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** They are too large for the dependencies of the project. */
const installed = join(import.meta.dirname, 'programs/node_modules')

/** The programs of real coding agents, for tests that run whole sessions. */
export const PROGRAMS = {
  'claude-code': join(installed, '@anthropic-ai/claude-code-linux-x64/claude'),
  opencode: join(installed, 'opencode-linux-x64/bin/opencode'),
} as const

/** Why a test with a coding agent is skipped; undefined where its program is installed. */
export function whyNot(agent: keyof typeof PROGRAMS): string | undefined {
  return existsSync(PROGRAMS[agent])
    ? undefined
    : `${agent} is not installed: run npm ci --prefix test/agents/programs`
}
