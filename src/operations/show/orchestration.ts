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
  when,
} from './said.ts'
import type { Body, ViewContext } from './view.ts'

/** Describes a workflow: its blockers and next actions, then its pipelines and barriers. */
export function describeOrchestration(value: unknown, { now }: ViewContext): Body {
  const state = fieldsOf(value)
  const workflow = fieldsOf(state.workflow)
  const { active } = fieldsOf(state.blockers)
  const resumption = fieldsOf(state.resumption)
  return {
    facts: lines(
      ['Workflow', workflow.name],
      ['Status', workflow.status],
      ['Project', workflow.project_id],
      ['Changed', when(workflow.updated_at ?? workflow.updated, now)],
      ['Completed', when(workflow.completed_at, now)],
      ['Pattern', workflow.patterns ?? workflow.pattern],
      ['Checkpoint', fieldsOf(state.checkpoints).latest_id ?? resumption.last_checkpoint],
    ),
    sections: [
      ...textSection('Description', workflow.description),
      ...entriesSection('Next action', resumption.next_action ?? resumption.next_step),
      ...listSection('Next actions', outline(state.next_actions)),
      ...listSection('Blockers', listOf(active).flatMap(entry)),
      ...textSection('Current state', resumption.current_state),
      ...listSection('Read first', listOf(resumption.files_to_read).flatMap(fileToRead)),
      ...Object.entries(fieldsOf(state.pipelines)).flatMap(([name, pipeline]) =>
        describePipeline(name, pipeline),
      ),
      ...barriers(state.barriers),
      ...metrics(state.metrics),
    ],
  }
}

function describePipeline(name: string, value: unknown): Section[] {
  const pipeline = fieldsOf(value)
  const title = ['Pipeline', name, said(pipeline.name) === name ? undefined : said(pipeline.name)]
    .filter(Boolean)
    .join(' · ')
  return listSection(title, listOf(pipeline.phases).flatMap(phase))
}

function phase(value: unknown): Item[] {
  const { id, name, status, depends_on, blocked_by, execution_mode, agents } = fieldsOf(value)
  return [
    item({
      id: said(id) === undefined ? undefined : `phase ${said(id)}`,
      marks: [status, execution_mode],
      text: name ?? plain(value),
      details: lines(['after', depends_on], ['waits for', blocked_by]),
    }),
    ...listOf(agents).map(agent),
  ]
}

function agent(value: unknown): Item {
  const { id, name, role, status, depends_on, blocked_by, artifact, session_context } =
    fieldsOf(value)
  const { input, output } = fieldsOf(session_context)
  return item({
    id,
    marks: [status],
    text: name ?? role ?? plain(value),
    depth: 1,
    details: lines(
      ['after', depends_on],
      ['waits for', blocked_by],
      ['reads', input],
      ['writes', output ?? artifact],
    ),
  })
}

function barriers(value: unknown): Section[] {
  const placed: [string | undefined, unknown][] = Array.isArray(value)
    ? value.map(barrier => [said(fieldsOf(barrier).id), barrier])
    : Object.entries(fieldsOf(value))
  const items = placed.map(([id, barrier]) => {
    const { name, description, status, depends_on, after_phases, blocked_by, artifacts } =
      fieldsOf(barrier)
    const handedOver = Object.entries(fieldsOf(artifacts)).map(([way, file]) =>
      `${way} ${said(fieldsOf(file).path) ?? ''}`.trim(),
    )
    return item({
      id,
      marks: [status],
      text: name ?? description ?? plain(barrier),
      details: lines(
        ['after', depends_on ?? after_phases],
        ['waits for', blocked_by],
        ['hands over', handedOver],
      ),
    })
  })
  return listSection('Barriers', items)
}

const FIGURES = ['phases', 'barriers', 'agents', 'artifacts']
const DONE = ['complete', 'executed', 'created']

function metrics(value: unknown): Section[] {
  const figures = { ...fieldsOf(value), ...fieldsOf(fieldsOf(value).execution) }
  const rows = FIGURES.flatMap(what => {
    const done = DONE.map(word => figures[`${what}_${word}`]).find(v => v !== undefined)
    return done === undefined ? [] : [[what, done, figures[`${what}_total`]]]
  })
  return tableSection('Stated progress', ['WHAT', 'DONE', 'OF'], rows)
}

function entry(value: unknown): Item[] {
  if (typeof value !== 'object') return [item({ text: value })]
  const { id, severity, description, summary, ...rest } = fieldsOf(value)
  if (description === undefined && summary === undefined) return outline(value)
  return [
    item({
      id,
      marks: [severity],
      text: description ?? summary,
      details: lines(...Object.entries(rest)),
    }),
  ]
}

function fileToRead(value: unknown): Item[] {
  const { path, priority, purpose } = fieldsOf(value)
  if (path === undefined) return entry(value)
  return [item({ text: path, details: lines(['priority', priority], ['purpose', purpose]) })]
}

function plain(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value
}
