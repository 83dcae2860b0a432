import { listed } from '../contract/index.ts'
import { formatInstant, maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { ADAPTERS, type Adapter, type HookEvent, type HookKind } from '../hooks/index.ts'
import { record } from '../workspace/index.ts'
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
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: answer,
})

async function answer(given: TypeOf<typeof input>, app: App): Promise<HookOutput> {
  const adapter = adapterOf(given.agent)
  const { name, kind } = eventOf(adapter, given.event)
  let event: HookEvent = {}
  let judged: Judgement
  try {
    event = readEvent(adapter, name, await app.stdin())
    const { cwd } = event
    judged = await judge(kind, event, adapter, cwd === undefined ? app : { ...app, cwd })
  } catch (error) {
    const why = error instanceof WaybillError ? error.message : String(error)
    judged = await onFailure(kind, event, maskSecrets(why), app)
  }
  const verdict = {
    ...judged,
    ...(judged.decision === 'ask' && !adapter.canAsk && { decision: 'deny' as const }),
  }
  const outcome = outcomeOf(verdict)
  return {
    agent: adapter.agent,
    event: name,
    outcome,
    rule: verdict.rule ?? null,
    answer: adapter.answer(name, verdict),
    record: recorded(outcome, verdict, event, adapter, app),
  }
}

function adapterOf(agent: string): Adapter {
  const adapter = Object.hasOwn(ADAPTERS, agent) ? ADAPTERS[agent] : undefined
  if (adapter) return adapter
  throw new WaybillError('usage', `there is no coding agent ${agent}`, {
    hint: `use ${listed(Object.keys(ADAPTERS), 'or')}`,
  })
}

function eventOf({ events, title }: Adapter, given: string): { name: string; kind: HookKind } {
  const found = Object.entries(events).find(([name]) => name.toLowerCase() === given.toLowerCase())
  if (found) return { name: found[0], kind: found[1].kind }
  throw new WaybillError('usage', `${title} has no event ${given} that Waybill answers`, {
    hint: `use ${listed(Object.keys(events), 'or')}`,
  })
}

function readEvent(adapter: Adapter, name: string, bytes: Uint8Array): HookEvent {
  let payload: unknown
  try {
    payload = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new WaybillError('usage', 'the event on standard input is not JSON')
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new WaybillError('usage', 'the event on standard input is not a JSON object')
  return adapter.read(name, payload as Readonly<Record<string, unknown>>)
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
      return event.call && usesWaybill(app.root) ? judgeCall(event.call, app) : {}
    case 'start':
      return (await import('./hook/start.ts')).briefAgent(event, app)
    case 'stop':
      return (await import('./hook/hand-over.ts')).askForHandoff(event, app)
    case 'end':
      return (await import('./hook/hand-over.ts')).draftHandoff(event, title, app)
    case 'compact': {
      const drafted = await (await import('./hook/hand-over.ts')).draftHandoff(event, title, app)
      const context = await (await import('./hook/start.ts')).keepText(app)
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

/** Records what was decided, like any decision; the log takes the record in. */
function recorded(
  outcome: HookOutput['outcome'],
  { rule, reason }: Judgement,
  { session, call }: HookEvent,
  { agent }: Adapter,
  app: App,
): string | null {
  if (outcome === 'nothing' || outcome === 'failed') return null
  return record(app.root, {
    type: `urn:waybill:record:hook-${outcome}`,
    at: formatInstant(app.now),
    by: agent,
    ...(session !== undefined && { session }),
    ...(call && { tool: call.tool }),
    ...(rule !== undefined && { rule }),
    ...(reason !== undefined && { reason }),
  })
}
