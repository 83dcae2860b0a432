import { expect, test } from 'vitest'
import { ADAPTERS, type Verdict } from './index.ts'

/** What Waybill may answer to each kind of event. */
const VERDICTS: Readonly<Record<string, readonly Verdict[]>> = {
  start: [{}, { context: 'the brief' }, { notice: 'a fault' }],
  turn: [{}, { context: 'the brief' }],
  tool: [{}, { decision: 'deny', reason: 'a rule' }, { notice: 'a fault' }],
  compact: [{}, { context: 'rules to keep' }, { notice: 'drafted' }],
  stop: [{}, { reason: 'hand over' }, { notice: 'a fault' }],
  'sub-agent': [{}, { notice: 'accepted' }],
  end: [{}, { notice: 'drafted' }],
}

const TOP = ['systemMessage']
const CLAUDE = {
  SessionStart: [
    ...TOP,
    'hookSpecificOutput.hookEventName',
    'hookSpecificOutput.additionalContext',
  ],
  PreToolUse: [
    ...TOP,
    'hookSpecificOutput.hookEventName',
    'hookSpecificOutput.permissionDecision',
    'hookSpecificOutput.permissionDecisionReason',
  ],
  PreCompact: TOP,
  Stop: [...TOP, 'decision', 'reason'],
  SubagentStop: TOP,
  SessionEnd: TOP,
}

/** The fields that each agent's schema allows; Codex refuses an answer with any other. */
const ALLOWED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'claude-code': CLAUDE,
  codex: CLAUDE,
  'gemini-cli': {
    SessionStart: [...TOP, 'hookSpecificOutput.additionalContext'],
    BeforeAgent: [...TOP, 'hookSpecificOutput.additionalContext'],
    BeforeTool: [...TOP, 'decision', 'reason'],
    PreCompress: TOP,
    AfterAgent: [...TOP, 'decision', 'reason'],
    SessionEnd: TOP,
  },
  opencode: Object.fromEntries(
    Object.keys(ADAPTERS.opencode?.events ?? {}).map(event => [
      event,
      ['context', 'deny', 'ask', 'notice'],
    ]),
  ),
}

const cases = Object.values(ADAPTERS).flatMap(({ agent, events }) =>
  Object.entries(events).flatMap(([event, { kind }]) =>
    (VERDICTS[kind] ?? []).map(verdict => [agent, event, verdict] as const),
  ),
)

test.each(cases)('%s %s has only fields of its protocol for %o', (agent, event, verdict) => {
  const answer = ADAPTERS[agent]?.answer(event, verdict)
  const fields = typeof answer === 'string' ? [] : fieldsOf(answer ?? {})
  expect(fields.filter(field => !ALLOWED[agent]?.[event]?.includes(field))).toEqual([])
})

function fieldsOf(value: object): string[] {
  return Object.entries(value).flatMap(([key, part]) =>
    typeof part === 'object' && part !== null
      ? fieldsOf(part).map(inner => `${key}.${inner}`)
      : key,
  )
}
