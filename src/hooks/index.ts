/**
 * The hook protocols of coding agents, and what a tool call touches.
 *
 * Pure: adapters translate, and operations decide.
 */

import type { Adapter } from './adapter.ts'
import { claudeCode } from './claude-code/adapter.ts'
import { codex } from './codex/adapter.ts'
import { geminiCli } from './gemini-cli/adapter.ts'
import { opencode } from './opencode/adapter.ts'

export type { Adapter, HookEvent, HookKind, ToolCall, Verdict } from './adapter.ts'
export { matchesCommand, pathScope } from './scope.ts'
export { readShell } from './shell.ts'

/** Every adapter, by the name of its agent. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = Object.fromEntries(
  [claudeCode, opencode, codex, geminiCli].map(adapter => [adapter.agent, adapter]),
)
