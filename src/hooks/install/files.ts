import type { Adapter } from '../adapter.ts'

/** A value of JSON. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/** JSON settings of an agent that get our hooks and members, next to what others wrote. */
export interface JsonFile {
  readonly kind: 'json'
  readonly path: string
  /** Added to the lists below `hooks`, by event. */
  readonly hooks?: Readonly<Record<string, HookGroup>>
  readonly members?: readonly JsonMember[]
}

/** One member of an object; the first form is written, and each form counts as ours. */
export interface JsonMember {
  readonly at: readonly string[]
  readonly forms: readonly Json[]
}

/** The form that Claude Code, Codex and Gemini CLI share. */
export type HookGroup = {
  readonly matcher?: string
  readonly hooks: readonly {
    readonly type: 'command'
    readonly command: string
    readonly timeout: number
  }[]
}

/** A part of a text, between two lines that mark it. */
export interface BlockFile {
  readonly kind: 'block'
  readonly path: string
  readonly comment: 'html' | 'hash'
  readonly text: string
  /** Only where the file exists. */
  readonly ifPresent?: true
  /** Not where the rest of the file says this already. */
  readonly unless?: RegExp
}

/** A file that is ours alone; it contains OWN_FILE. */
export interface OwnFile {
  readonly kind: 'file'
  readonly path: string
  readonly text: string
}

/** A file that an agent needs in a repository. */
export type AgentFile = JsonFile | BlockFile | OwnFile

/** What installs the hooks of an agent. */
export interface Install {
  /** The shell command that the hooks start with. */
  readonly command: string
  /** The first one shows whether the hooks are installed. */
  readonly files: readonly AgentFile[]
  /** What the user does next. */
  readonly next: string
}

/** A folder that the plugin manager of an agent installs: texts, and values of JSON files, by path. */
export type PluginFolder = Readonly<Record<string, string | Json>>

/** How the package describes itself. */
export interface About {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

/** What installs our hooks in one agent. */
export interface Installer {
  /** In a repository, with its own program or the one on the path. */
  install(adapter: Adapter, isLocal: boolean): Install
  /** As a plugin, with the program on the path. */
  plugin(adapter: Adapter, about: About): PluginFolder
}

/** Files that contain this line are ours, and may be replaced and removed. */
export const OWN_FILE = 'Written by waybill init; changes are lost.'

type Unit = 'seconds' | 'milliseconds'

/** Seconds that an agent waits for a hook, which takes a tenth of one. */
const TIMEOUT = 30

/** The program in the repository, or on the path. */
export function launcher(isLocal: boolean, root: string): string {
  return isLocal ? `"${root}"/node_modules/.bin/waybill` : 'waybill'
}

/** The hooks of every event of an agent that runs commands. */
export function hookGroups(
  { agent, events }: Adapter,
  command: string,
  unit: Unit = 'seconds',
): Record<string, HookGroup> {
  const timeout = unit === 'seconds' ? TIMEOUT : TIMEOUT * 1000
  return Object.fromEntries(
    Object.entries(events).map(([event, { matcher }]) => [
      event,
      {
        ...(matcher !== undefined && { matcher }),
        hooks: [{ type: 'command', command: `${command} hook ${agent} ${event}`, timeout }],
      },
    ]),
  )
}

/** The command of the MCP server; npx finds the one of the repository from any of its folders. */
export function serverCommand(isLocal: boolean): readonly string[] {
  return isLocal ? ['npx', '--no-install', 'waybill', 'mcp'] : ['waybill', 'mcp']
}

/** The hooks and the MCP server of a plugin, in the form that Claude Code and Codex share. */
export function pluginParts(adapter: Adapter): PluginFolder {
  return {
    'hooks/hooks.json': pluginHooks(adapter),
    '.mcp.json': { mcpServers: pluginServers() },
  }
}

/** The hooks of a plugin: a list of groups for each event. */
export function pluginHooks(adapter: Adapter, unit?: Unit): Json {
  const groups = Object.entries(hookGroups(adapter, 'waybill', unit))
  return { hooks: Object.fromEntries(groups.map(([event, group]) => [event, [group]])) }
}

/** The MCP server of a plugin. */
export function pluginServers(): { readonly waybill: Json } {
  const [server = null] = mcpServer(false).forms
  return { waybill: server }
}

/** The MCP server as most agents name it, in both forms. */
export function mcpServer(isLocal: boolean): JsonMember {
  const forms = [isLocal, !isLocal].map(local => {
    const [command = '', ...args] = serverCommand(local)
    return { command, args }
  })
  return { at: ['mcpServers', 'waybill'], forms }
}
