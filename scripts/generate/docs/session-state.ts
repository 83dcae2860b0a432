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

/** What it means when `Next` passes over a phase. */
const PASSING_OVER: Readonly<Record<Phase['passedOver'], string>> = {
  allowed: 'allowed',
  warning: 'a warning',
  error: 'an error',
  'if-required': 'an error where its gate still applies',
}

/** The page of the phases of a session, the moves between them and the gates: the table that decides, in words. */
export function sessionStatePage(): string {
  return page(
    GENERATED,
    '# Phases, moves and gates of a session',
    `A session is in one of these phases, in this order; ${code('Next')} says where it goes from there, as in ` +
      `${code(pointerTo(phaseWith('2')))}, ${code('PR-Ready')} or ${code('BLOCKED-<what it waits for>')}. Going back and staying ` +
      'are always possible. Rules, `waybill state` and this page read the same table. ' +
      '[The guide to gates](../guide/gates.md) shows a session on its way, ' +
      '[the contract](../../src/contracts/session-state.v1/README.md) every key and rule.',
    '## Phases',
    table(
      ['Phase', 'Written as', 'What it is about', 'May be followed by', 'Passing over it', 'Gate'],
      PHASES.map(phaseRow),
    ),
    'A gate that refused the work is not passed over. One still applies unless it let the work pass or is `not-applicable`; that word does not settle it where the ' +
      'state shows what the gate is about: business rules that were discovered, a schema or contract change that is planned.',
    '## Gates',
    table(
      ['Gate', 'Phase', 'States', 'Let the work pass', 'Refuses it', 'For code', 'For `PR-Ready`'],
      PHASES.flatMap(({ id, gate }) => (gate ? [gateRow(id, gate)] : [])),
    ),
    `A refusal ${wayBack()}, and there the gate opens again; any other refusal leaves the session where it is. A gate ` +
      'that lets the work pass has named the artifacts that it requires, and none of them is missing.',
    '## When code may be written',
    codeNeeds(),
    '## The same as a picture',
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

/** What a step needs that produces code, and what the last one needs. */
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
    `A step that produces code is phase 6, or ${code('PR-Ready')} after it. It needs a session that is not blocked, a ` +
    `confidence of at least ${ENOUGH}, and that ${listed(needs)}; of the other gates before it, each that may not be ` +
    `passed over has let the work pass, and none has refused it. ${code('PR-Ready')} needs besides that ${listed(last)}. ${code('waybill state next --may-write-code')} ` +
    'answers by these rules, and answers no for a state with an error anywhere.'
  )
}

/** Where refusals lead that lead anywhere. */
function wayBack(): string {
  const refusing = PHASES.filter(({ gate }) => gate?.backTo !== undefined)
  const places = new Set(refusing.map(({ gate }) => gate?.backTo ?? ''))
  return `at ${either(refusing.map(({ id }) => id))} sends the work back to phase ${either([...places])}`
}

function phaseWith(id: PhaseId): Phase {
  const phase = PHASES.find(p => p.id === id)
  if (!phase) throw new Error(`there is no phase ${id}`)
  return phase
}

const codes = (names: readonly string[]) => names.map(code).join(', ')
const either = (names: readonly string[]) => listed(names.map(code), 'or')
