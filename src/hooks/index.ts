/**
 * The hook protocols of coding agents, and what a tool call touches.
 *
 * Pure: adapters translate and say what installs them, and operations decide, read and write.
 */

import type { Adapter } from './adapter.ts'
import { claudeCode } from './claude-code/adapter.ts'
import { codex } from './codex/adapter.ts'
import { geminiCli } from './gemini-cli/adapter.ts'
import type { Install } from './install/files.ts'
import { opencode } from './opencode/adapter.ts'

export type { Adapter, HookEvent, HookKind, ToolCall, Verdict } from './adapter.ts'
export type { AgentFile, Install } from './install/files.ts'
export { holdsHooks, put, takeOut } from './install/merge.ts'
export { readShell } from './shell.ts'

/** Every adapter, by the name of its agent. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = Object.fromEntries(
  [claudeCode, opencode, codex, geminiCli].map(adapter => [adapter.agent, adapter]),
)

/** What installs the hooks of an agent, with the program of the repository or the one on the path. */
export async function installOf(adapter: Adapter, isLocal: boolean): Promise<Install> {
  const { install } = await adapter.loadInstaller()
  return install(adapter, isLocal)
}
