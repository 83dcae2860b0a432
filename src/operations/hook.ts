import { resolve } from 'node:path'
import { type Fields, listed } from '../contract/index.ts'
import { formatInstant, maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { ADAPTERS, type Adapter, type HookEvent, type HookKind } from '../hooks/index.ts'
import { record } from '../workspace/index.ts'
import { settled } from './gateway/settle.ts'
import { type Judgement, judgeCall, judgeFailure, usesWaybill } from './hook/gate.ts'
import type { HookOutput } from './hook/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['agent', 'event'],
  properties: {
    agent: {
      type: 'string',
      enum: Object.keys(ADAPTERS),
      positional: true,
      description: 'The coding agent that asks.',
    },
    event: {
      type: 'string',
      positional: true,
      description: "The event, by the agent's own name, such as PreToolUse.",
    },
    tool: {
      type: 'string',
      placeholder: 'name',
      description: 'The tool that is about to be called; then standard input is not read.',
    },
    toolInput: {
      type: 'string',
      placeholder: 'json',
      description: 'The input of that tool, as a JSON object.',
    },
    session: { type: 'string', placeholder: 'id', description: 'The session of that agent.' },
    folder: {
      type: 'string',
      path: true,
      placeholder: 'path',
      description: 'The folder that the agent works in (default: this folder).',
    },
  },
} as const

/** Answers an event of a coding agent in its own hook protocol. */
export default defineOperation({
  name: 'hook',
  summary: 'Answer a hook of a coding agent',
  description:
    "Reads the event as JSON from standard input and prints the answer in the agent's own protocol. At the start of a " +
    'session it gives the brief, rules first. Before a tool call it compares what is touched with the gate of the session ' +
    'state and the scopes of the standing rules. When the agent stops, it asks once for a handoff; when the session ' +
    'ends, it drafts one. The exit code is always 0 for a known event: the answer decides. Silent in a repository that does not use ' +
    'Waybill. waybill init --agent installs it.',
  examples: [
    {
      command: 'waybill hook claude-code PreToolUse < event.json',
      does: 'judge a tool call of Claude Code',
    },
    { command: 'waybill hook codex SessionStart < event.json', does: 'brief Codex' },
    {
      command: `waybill hook claude-code PreToolUse --tool Bash --tool-input '{"command":"git push"}'`,
      does: 'see whether a call would be denied',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: answer,
  reply: ({ answer }) => (typeof answer === 'string' ? answer : JSON.stringify(answer)),
})

type Input = TypeOf<typeof input>

async function answer(given: Input, app: App): Promise<HookOutput> {
  const adapter = adapterOf(given.agent)
  const known = eventOf(adapter, given.event, app)
  const nothing = { outcome: 'nothing', rule: null, answer: {}, record: null } as const
  if (!known) return { agent: adapter.agent, event: given.event, ...nothing }
  const { name, kind } = known
  let event: HookEvent = {}
  let judged: Judgement
  try {
    event = adapter.read(
      name,
      given.tool === undefined ? parsed(await app.stdin(MOST_EVENT)) : stated(given),
    )
    const { cwd } = event
    const place = cwd === undefined ? app.cwd : resolve(app.cwd, cwd)
    judged = await judge(kind, event, adapter, { ...app, cwd: place, memory: new Map() })
  } catch (error) {
    const why = error instanceof WaybillError ? error.message : String(error)
    judged = await onFailure(kind, event, maskSecrets(why), app)
  }
  const verdict = {
    ...judged,
    ...(judged.decision === 'ask' && !adapter.canAsk && { decision: 'deny' as const }),
  }
  const outcome = outcomeOf(verdict)
  const place = { ...app, root: judged.root ?? app.root }
  const output = {
    agent: adapter.agent,
    event: name,
    outcome,
    rule: verdict.rule ?? null,
    answer: adapter.answer(name, verdict),
    record: recorded(outcome, verdict, event, adapter, place),
  }
  // A refusal is proved by the log; other records wait for the next entry, since loading the log takes long.
  return outcome === 'denied' ? settled(Promise.resolve(output), place) : output
}

function adapterOf(agent: string): Adapter {
  const adapter = Object.hasOwn(ADAPTERS, agent) ? ADAPTERS[agent] : undefined
  if (adapter) return adapter
  throw new WaybillError('usage', `there is no coding agent ${agent}`, {
    hint: `use ${listed(Object.keys(ADAPTERS), 'or')}`,
  })
}

/** The event of an agent; undefined for one that only another version answers. */
function eventOf(
  { events, title }: Adapter,
  given: string,
  app: App,
): { name: string; kind: HookKind } | undefined {
  const found = Object.entries(events).find(([name]) => name.toLowerCase() === given.toLowerCase())
  if (found) return { name: found[0], kind: found[1].kind }
  const known = listed(Object.keys(events), 'or')
  app.tell?.(`${title} has no event ${given} that Waybill answers; use ${known}`)
  return undefined
}

/** An event holds the whole text of a file that is written. */
const MOST_EVENT = 64 * 1024 ** 2

function parsed(bytes: Uint8Array): Fields {
  if (bytes.length > MOST_EVENT)
    throw new WaybillError('usage', 'the event on standard input is larger than 64 MiB')
  // Without an event, as when a person tries it, nothing more is known.
  return bytes.length === 0
    ? {}
    : objectIn(new TextDecoder().decode(bytes), 'the event on standard input')
}

/** The event of a tool call that is given by flags, in the form in which agents state it. */
function stated({ tool, toolInput = '{}', session, folder }: Input): Fields {
  const fields = { tool_name: tool, tool_input: objectIn(toolInput, 'the input of the tool') }
  return {
    ...fields,
    ...(session !== undefined && { session_id: session }),
    ...(folder !== undefined && { cwd: folder }),
  }
}

function objectIn(text: string, what: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new WaybillError('usage', `${what} is not JSON`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new WaybillError('usage', `${what} is not a JSON object`)
}

/** Each kind loads what it needs: the gate runs before every tool call. */
async function judge(
  kind: HookKind,
  event: HookEvent,
  { title }: Adapter,
  app: App,
): Promise<Judgement> {
  switch (kind) {
    case 'tool':
      return event.call ? judgeCall(event.call, app) : {}
    case 'start':
      return (await import('./hook/start.ts')).briefAgent(event, app)
    case 'turn':
      return (await import('./hook/start.ts')).briefAfterCompaction(event, app)
    case 'stop':
      return (await import('./hook/hand-over.ts')).askForHandoff(event, app)
    case 'end':
      return (await import('./hook/hand-over.ts')).draftHandoff(event, title, app)
    case 'compact': {
      const drafted = await (await import('./hook/hand-over.ts')).draftHandoff(event, title, app)
      const context = await (await import('./hook/start.ts')).keepText(event, app)
      return { ...drafted, ...(context !== undefined && { context }) }
    }
    case 'sub-agent':
      return (await import('./hook/sub-agent.ts')).receiveMessage(event, app)
  }
}

/** A fault never blocks by accident: only a tool call may be denied, where that is configured. */
async function onFailure(
  kind: HookKind,
  { call }: HookEvent,
  why: string,
  app: App,
): Promise<Judgement> {
  if (!usesWaybill(app.root)) return {}
  if (kind === 'tool') return judgeFailure(call, why, app)
  return { notice: `Waybill: ${why}` }
}

function outcomeOf({
  decision,
  reason,
  context,
  drafted,
  notice,
}: Judgement): HookOutput['outcome'] {
  if (decision === 'deny') return 'denied'
  if (decision === 'ask' || reason !== undefined) return 'asked'
  if (context !== undefined) return 'briefed'
  if (drafted !== undefined) return 'drafted'
  return notice === undefined ? 'nothing' : 'failed'
}

/** Records what was decided, like any decision. */
function recorded(
  outcome: HookOutput['outcome'],
  { rule, reason }: Judgement,
  { session, call }: HookEvent,
  { agent }: Adapter,
  app: App,
): string | null {
  if (outcome === 'nothing' || outcome === 'failed') return null
  const entry = {
    type: `urn:waybill:record:hook-${outcome}`,
    at: formatInstant(app.now),
    by: agent,
    ...(session !== undefined && { session }),
    ...(call && { tool: call.tool }),
    ...(rule !== undefined && { rule }),
    ...(reason !== undefined && { reason }),
    // The log shows it.
    ...(call && rule !== undefined && { note: `${call.tool}, ${rule}` }),
  }
  try {
    return record(app.root, entry)
  } catch (error) {
    // The answer matters more than its record.
    app.tell?.(`there is no record of this answer: ${String(error)}`)
    return null
  }
}
