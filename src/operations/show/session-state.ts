import {
  type ConfidenceRubric,
  confidenceBand,
  confidenceRubric,
  PHASES,
} from '../../contracts/index.ts'
import type { Item, Section } from './output.ts'
import {
  entriesSection,
  fieldsOf,
  item,
  lines,
  listOf,
  listSection,
  outline,
  said,
  tableSection,
  textSection,
} from './said.ts'
import type { Body, ViewContext } from './view.ts'

/** Keys with a place of their own; all others come last. */
const PLACED = new Set([
  ...[
    'Phase',
    'Mode',
    'ConfidenceLevel',
    'Next',
    'ActiveProfile',
    'ProfileSource',
    'ProfileEvidence',
    'OutputMode',
  ],
  ...[
    'LoadedRulebooks',
    'ComponentScopePaths',
    'TicketRecordDigest',
    'Gates',
    'GateArtifacts',
    'DecisionSurface',
  ],
  ...[
    'ArchitectureDecisions',
    'DecisionPack',
    'DecisionDrivers',
    'WorkingSet',
    'TouchedSurface',
    'RollbackStrategy',
  ],
  ...['CrossRepoImpact', 'BuildEvidence'],
])

/**
 * Describes a session state: phase, mode, next step, pending decisions, then the gates and their artifacts.
 *
 * In architect-only mode the pending decisions come first.
 */
export function describeSessionState(value: unknown, { sound }: ViewContext): Body {
  const state = fieldsOf(value)
  const rubric = sound ? confidenceRubric(state) : undefined
  const { core, profile } = fieldsOf(state.LoadedRulebooks)
  const only = state.OutputMode === 'architect-only'
  const surface = decisionSurface(state.DecisionSurface, only)
  return {
    ...(only && surface.length > 0 && { leading: surface.length }),
    facts: lines(
      ['Phase', phase(state.Phase)],
      ['Mode', state.Mode],
      ['Next', state.Next],
      ['Confidence', confidence(state.ConfidenceLevel, rubric)],
      [
        'Profile',
        [state.ActiveProfile, state.ProfileSource && `(${said(state.ProfileSource)})`]
          .filter(Boolean)
          .join(' '),
      ],
      ['Evidence', state.ProfileEvidence],
      ['Scope', state.ComponentScopePaths],
      ['Rulebooks', [core, profile].filter(Boolean)],
      ['Output', state.OutputMode],
      ['Ticket', state.TicketRecordDigest],
    ),
    sections: [
      ...surface,
      ...gates(state.Gates, state.GateArtifacts),
      ...listSection('Architecture decisions', listOf(state.ArchitectureDecisions).map(decision)),
      ...listSection('Decision pack', listOf(state.DecisionPack).map(choice)),
      ...listSection('Decision drivers', listOf(state.DecisionDrivers).flatMap(entry)),
      ...listSection('Working set', listOf(state.WorkingSet).flatMap(entry)),
      ...listSection('Touched surface', outline(state.TouchedSurface)),
      ...listSection('Rollback', outline(state.RollbackStrategy)),
      ...listSection('Impact on other repositories', outline(state.CrossRepoImpact)),
      ...buildEvidence(state.BuildEvidence),
      ...rubricSection(rubric),
      ...listSection(
        'Further keys',
        outline(Object.fromEntries(Object.entries(state).filter(([key]) => !PLACED.has(key)))),
      ),
    ],
  }
}

function phase(value: unknown): string | undefined {
  const text = said(value)
  const about = PHASES.find(p => p.written === text)?.about
  return about ? `${text}, ${about}` : text
}

function confidence(level: unknown, rubric: ConfidenceRubric | undefined): string | undefined {
  const stated =
    typeof level === 'number' && level >= 0 && level <= 100
      ? `${level} ${confidenceBand(level / 100)}`
      : said(level)
  if (stated === undefined || !rubric) return stated
  return `${stated}; by the rubric ${rubric.score} ${confidenceBand(rubric.score / 100)}`
}

function rubricSection(rubric: ConfidenceRubric | undefined): Section[] {
  const items = (rubric?.items ?? []).map(({ about, points, counts }) => {
    const weight = counts ? points : 0
    return item({
      id: counts === undefined ? '?' : weight > 0 ? `+${weight}` : String(weight),
      text: about,
    })
  })
  return listSection('Confidence by the rubric', items)
}

function gates(value: unknown, artifacts: unknown): Section[] {
  const provided = fieldsOf(artifacts)
  const rows = Object.entries(fieldsOf(value)).map(([gate, status]) => [
    gate,
    status,
    missing(provided[gate]),
  ])
  return tableSection('Gates', ['GATE', 'STATE', 'MISSING'], rows)
}

/** A required artifact that is not mentioned counts as missing. */
function missing(value: unknown): string[] {
  const { Required, Provided } = fieldsOf(value)
  const provided = fieldsOf(Provided)
  const marked = Object.keys(provided).filter(name => provided[name] === 'missing')
  const unstated = listOf(Required).flatMap(name =>
    typeof name === 'string' && !Object.hasOwn(provided, name) ? [name] : [],
  )
  return [...marked, ...unstated]
}

/** Lists the pending decisions; in architect-only mode also says when there are none. */
export function decisionSurface(value: unknown, only: boolean): Section[] {
  const { MustDecideNow, CanDefer, AutoDecidedBySystem } = fieldsOf(value)
  const none = only && Array.isArray(MustDecideNow) && MustDecideNow.length === 0
  return [
    ...(none ? [{ title: 'To decide now', text: 'nothing' }] : []),
    ...entriesSection('To decide now', MustDecideNow),
    ...entriesSection('Can wait', CanDefer),
    ...entriesSection('Decided by the system', AutoDecidedBySystem),
  ]
}

function decision(value: unknown): Item {
  const { ID, Status, Decision, Context, AlternativesRejected, Consequences, EvidenceRefs } =
    fieldsOf(value)
  return item({
    id: ID,
    marks: [Status],
    text: Decision ?? plain(value),
    details: [
      ...lines(['context', Context]),
      ...listOf(AlternativesRejected).flatMap(a => lines(['rejected', a])),
      ...listOf(Consequences).flatMap(c => lines(['leads to', c])),
      ...lines(['evidence', EvidenceRefs]),
    ],
  })
}

function choice(value: unknown): Item {
  const {
    id,
    decision: asked,
    options,
    recommendation,
    evidence,
    what_changes_it,
  } = fieldsOf(value)
  return item({
    id,
    text: asked ?? plain(value),
    details: lines(
      ['options', options],
      ['recommended', recommendation],
      ['evidence', evidence],
      ['unless', what_changes_it],
    ),
  })
}

function entry(value: unknown): Item[] {
  return typeof value === 'object' ? outline(value) : [item({ text: value })]
}

function plain(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value
}

function buildEvidence(value: unknown): Section[] {
  const { status, notes, items } = fieldsOf(value)
  const runs = listOf(items).map(run => {
    const { tool, command, result, scope, summary, artifacts } = fieldsOf(run)
    return item({
      id: tool,
      marks: [result],
      text: summary ?? command,
      details: lines(['ran', summary && command], ['covers', scope], ['report', artifacts]),
    })
  })
  const state = said(status)
  const about = state === undefined ? [] : [item({ marks: [state], text: notes })]
  return [...about, ...runs].length > 0
    ? listSection('Build evidence', [...about, ...runs])
    : textSection('Build evidence', value)
}
