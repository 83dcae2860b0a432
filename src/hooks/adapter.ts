import type { Fields } from '../contract/index.ts'
import type { Installer } from './install/files.ts'

/** What happens in a coding agent that Waybill has an answer to. */
export type HookKind = 'start' | 'turn' | 'tool' | 'compact' | 'stop' | 'sub-agent' | 'end'

/** An event of a coding agent, in the same words for every agent. */
export interface HookEvent {
  /** The agent's id of the session. */
  readonly session?: string
  /** The folder that the agent works in; paths and commands are relative to it. */
  readonly cwd?: string
  /** The tool call that the agent is about to make. */
  readonly call?: ToolCall
  /** The agent continues only because a hook asked it to. */
  readonly isContinued?: boolean
  /** The conversation was just compacted. */
  readonly isCompacted?: boolean
  /** The last message of an agent that ends. */
  readonly message?: string
}

/** A tool call, as far as rules and gates judge it. */
export interface ToolCall {
  readonly tool: string
  /** The files that it writes. */
  readonly writes: readonly string[]
  /** The shell command that it runs. */
  readonly command?: string
  /** Where the command starts, from the folder that the agent works in. */
  readonly folder?: string
}

/** What Waybill answers to an event; an empty answer lets the agent go on. */
export interface Verdict {
  /** Text for the model. */
  readonly context?: string
  /** The tool call is denied, or the user is asked first. */
  readonly decision?: 'deny' | 'ask'
  /** Why it is denied; or, when the agent stops, what it still has to do. */
  readonly reason?: string
  /** A line for the user. */
  readonly notice?: string
}

/** One event of an agent's hook protocol. */
export interface AdapterEvent {
  readonly kind: HookKind
  /** Regular expression of the tools to ask about. */
  readonly matcher?: string
}

/** The hook protocol of one coding agent. */
export interface Adapter {
  /** The name on the command line. */
  readonly agent: string
  /** The name for people. */
  readonly title: string
  /** By the agent's own names, in the order in which they happen. */
  readonly events: Readonly<Record<string, AdapterEvent>>
  /** Whether the agent can ask its user about a tool call; otherwise the call is denied. */
  readonly canAsk: boolean
  /** Loads what installs the hooks; an answer does not need it. */
  loadInstaller(): Promise<Installer>
  /** Reads what the agent says about an event. */
  read(event: string, payload: Fields): HookEvent
  /** What the agent understands: JSON, or text where it takes only that. */
  answer(event: string, verdict: Verdict): Fields | string
}

/** Returns a value if it is a string that is not empty. */
function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a value if it is an object. */
function fieldsAt(fields: Fields, name: string): Fields {
  const value = fields[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

/** Reads the fields that Claude Code, Codex and Gemini CLI name alike. */
function readCommon(payload: Fields): HookEvent {
  const session = textAt(payload, 'session_id')
  const cwd = textAt(payload, 'cwd')
  const message = textAt(payload, 'last_assistant_message') ?? textAt(payload, 'prompt_response')
  return {
    ...(session !== undefined && { session }),
    ...(cwd !== undefined && { cwd }),
    ...(message !== undefined && { message }),
    ...(payload.stop_hook_active === true && { isContinued: true }),
    ...(payload.source === 'compact' && { isCompacted: true }),
  }
}

/** Makes the reader of an agent whose tools name what they touch by these keys. */
export function readWith(keys: CallKeys): Adapter['read'] {
  return (_event, payload) => {
    const tool = textAt(payload, 'tool_name')
    const call = tool !== undefined && readCall(tool, fieldsAt(payload, 'tool_input'), keys)
    return { ...readCommon(payload), ...(call && { call }) }
  }
}

/** Reads a tool call whose input names the files and the command by some of these keys. */
function readCall(tool: string, input: Fields, keys: CallKeys): ToolCall {
  const command = keys.command.flatMap(key => commandAt(input, key))[0]
  const files = keys.writers.test(tool) ? keys.files.flatMap(key => textAt(input, key) ?? []) : []
  const patches = keys.patches?.flatMap(key => commandAt(input, key)) ?? []
  const isPatch = keys.patchers?.test(tool) ?? false
  const writes = isPatch ? patches.flatMap(filesOfPatch) : files
  if (command === undefined || isPatch) return { tool, writes }
  const [folder] = keys.folder?.flatMap(key => textAt(input, key) ?? []) ?? []
  return { tool, writes, command, ...(folder !== undefined && { folder }) }
}

/** Where the tools of an agent name what they touch. */
export interface CallKeys {
  /** The tools that write the files that they name. */
  readonly writers: RegExp
  readonly files: readonly string[]
  readonly command: readonly string[]
  readonly folder?: readonly string[]
  /** The tools that take a patch in the form of `apply_patch`, and where. */
  readonly patchers?: RegExp
  readonly patches?: readonly string[]
}

/** A command as a line, or as a list of words of which the last may be the script of a shell. */
function commandAt(input: Fields, key: string): string[] {
  const value = input[key]
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value) || !value.every(word => typeof word === 'string')) return []
  return [value.map(word => (/^[\w./:=@%+-]+$/.test(word) ? word : quoted(word))).join(' ')]
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** The files that a patch in the form of `apply_patch` adds, changes, moves or deletes. */
export function filesOfPatch(patch: string): string[] {
  const line = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm
  return [...patch.matchAll(line)].map(([, file = '']) => file.trim())
}
