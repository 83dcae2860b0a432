import { listed } from '../../../src/contract/index.ts'
import {
  ENOUGH,
  GATES,
  type Gate,
  PHASES,
  type Phase,
  type PhaseId,
  workflowDiagram,
} from '../../../src/contracts/index.ts'
import { pointerTo } from '../../../src/contracts/session-state.v1/next.ts'
import { code, GENERATED, page, prose, table } from './markdown.ts'

/** The severity when `Next` skips a phase. */
const PASSING_OVER: Readonly<Record<Phase['passedOver'], string>> = {
  allowed: 'allowed',
  warning: 'a warning',
  error: 'an error',
  'if-required': 'an error if its gate still applies',
}

/** Writes the page of the phases, transitions and gates of a session. */
export function sessionStatePage(): string {
  return page(
    GENERATED,
    '# Phases, transitions and gates of a session',
    `A session is in one of these phases, in this order; ${code('Next')} names its next step, as in ` +
      `${code(pointerTo(phaseWith('2')))}, ${code('PR-Ready')} or ${code('BLOCKED-<what it waits for>')}. Going back and staying ` +
      'are always possible. Rules, `waybill state` and this page read the same table. ' +
      '[The guide to gates](../guide/gates.md) shows an example session, ' +
      '[the contract](../../src/contracts/session-state.v1/README.md) every key and rule.',
    '## Phases',
    table(
      ['Phase', 'Written as', 'Subject', 'Next phases', 'Skipping it', 'Gate'],
      PHASES.map(phaseRow),
    ),
    'A gate that refused the work cannot be skipped. A gate still applies unless it passed the work or is `not-applicable`, which does not count if the ' +
      'state shows the subject of the gate: discovered business rules, or a planned schema or contract change.',
    '## Gates',
    table(
      [
        'Gate',
        'Phase',
        'States',
        'Passing states',
        'Refusing states',
        'For code',
        'For `PR-Ready`',
      ],
      PHASES.flatMap(({ id, gate }) => (gate ? [gateRow(id, gate)] : [])),
    ),
    `A refusal ${wayBack()}, where the gate opens again; any other refusal leaves the session in its phase. A gate ` +
      'that passes the work names its required artifacts, and none of them is missing.',
    '## When code may be written',
    codeNeeds(),
    '## Diagram',
    `\`\`\`mermaid\n${workflowDiagram().trimEnd()}\n\`\`\``,
  )
}

function phaseRow({ id, written, about, next, passedOver, gate }: Phase): string[] {
  return [
    code(id),
    code(written),
    prose(about),
    next.length > 0 ? codes(next) : code('PR-Ready'),
    PASSING_OVER[passedOver],
    gate ? code(gate.key) : '',
  ]
}

function gateRow(id: PhaseId, gate: Gate): string[] {
  const { key, states, passes, refuses, backTo, forCode = [], whenPlanned, forPullRequest } = gate
  const planned = whenPlanned
    ? `; while a schema or contract change is planned, ${either(whenPlanned)}`
    : ''
  return [
    code(key),
    code(id),
    codes(states),
    codes(passes),
    code(refuses) + (backTo ? `, back to ${code(backTo)}` : ''),
    forCode.length > 0 ? either(forCode) + planned : '',
    forPullRequest ? either(forPullRequest) : '',
  ]
}

/** The requirements of steps that produce code, and of the last step. */
function codeNeeds(): string {
  const needs = GATES.flatMap(({ key, forCode, whenPlanned }) => {
    if (!forCode) return []
    const planned = whenPlanned
      ? ` (${either(whenPlanned)} while a schema or contract change is planned)`
      : ''
    return [`${code(key)} is ${either(forCode)}${planned}`]
  })
  const last = GATES.flatMap(({ key, forPullRequest }) =>
    forPullRequest ? [`${code(key)} is ${either(forPullRequest)}`] : [],
  )
  return (
    `Phase 6 and ${code('PR-Ready')} after it produce code. They require a session that is not blocked, a ` +
    `confidence of at least ${ENOUGH}, and that ${listed(needs)}; every other earlier gate that cannot be ` +
    `skipped has passed the work, and none has refused it. ${code('PR-Ready')} also requires that ${listed(last)}. ${code('waybill state next --may-write-code')} ` +
    'applies these rules, and answers no for a state with any error.'
  )
}

/** The gates whose refusal sends the work back, and where to. */
function wayBack(): string {
  const refusing = PHASES.filter(({ gate }) => gate?.backTo !== undefined)
  const places = new Set(refusing.map(({ gate }) => gate?.backTo ?? ''))
  return `at ${either(refusing.map(({ id }) => id))} sends the work back to phase ${either([...places])}`
}

function phaseWith(id: PhaseId): Phase {
  const phase = PHASES.find(p => p.id === id)
  if (!phase) throw new Error(`unknown phase ${id}`)
  return phase
}

const codes = (names: readonly string[]) => names.map(code).join(', ')
const either = (names: readonly string[]) => listed(names.map(code), 'or')
