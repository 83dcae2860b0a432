import type { App } from '../../operations/operation.ts'
import type { ListedUnit, PipelineStatusOutput } from '../../operations/pipeline-status/output.ts'
import type { Style } from '../parse.ts'
import { pad, widthOf } from './layout.ts'
import { faultLines, markOf, reasonLines, wordOf } from './pipeline.ts'

const STATES = ['done', 'running', 'ready', 'waiting', 'blocked', 'failed'] as const
const WIDEST_ADDRESS = 44

/** The units of the pipeline with what blocks them, then counts and contradictions. */
export function text(output: PipelineStatusOutput, style: Style, _: App, quiet: boolean): string {
  const { file, workflow, units, diagnostics, accepted } = output
  const name = [workflow.id, workflow.status].filter(word => word !== null).join('  ')
  const blocks = [
    [`${style('bold', file)}${name ? `  ${style('dim', name)}` : ''}`],
    faultLines(file, diagnostics, style),
    ...(quiet ? [] : unitBlocks(units, style)),
    countLines(output, style),
    figureLines(output, style),
    noteLines(output, style),
    quiet || !accepted ? [] : nextLines(output, style),
  ]
  return blocks
    .filter(block => block.length > 0)
    .map(block => block.join('\n'))
    .join('\n\n')
}

/** One block per pipeline, and one for the barriers. */
function unitBlocks(units: readonly ListedUnit[], style: Style): string[][] {
  const width = Math.min(
    WIDEST_ADDRESS,
    units.reduce((most, unit) => Math.max(most, widthOf(labelOf(unit)) + depthOf(unit)), 0),
  )
  const blocks: string[][] = []
  let pipeline: string | undefined
  let above: ListedUnit['reasons'] = []
  for (const unit of units) {
    const own = unit.kind === 'barrier' ? 'barriers' : unit.address.split('/')[0]
    if (own !== pipeline) blocks.push([style('bold', own ?? '')])
    pipeline = own
    const known = unit.kind === 'agent' ? above.map(({ message }) => message) : []
    if (unit.kind === 'phase') above = unit.reasons
    blocks.at(-1)?.push(...unitLines(unit, width, known, style))
  }
  return blocks
}

/** A unit with its reasons, except the known ones of its phase. */
function unitLines(
  unit: ListedUnit,
  width: number,
  known: readonly string[],
  style: Style,
): string[] {
  const { state, stated, title, reasons } = unit
  const depth = depthOf(unit)
  const label = pad(labelOf(unit), width - depth)
  const shown = unit.kind === 'phase' ? style('bold', label) : label
  const odd =
    stated !== null && !FITTING[state].includes(stated) ? style('dim', ` (${stated})`) : ''
  const line = `${' '.repeat(depth)}${markOf(state, style)} ${shown}  ${wordOf(state, style, 7)}${odd}${title ? `  ${style('dim', title)}` : ''}`
  return [
    line.trimEnd(),
    ...reasonLines(
      reasons.filter(({ message }) => !known.includes(message)),
      style,
      depth + 2,
    ),
  ]
}

/** The stated statuses that agree with each state. */
const FITTING: Readonly<Record<ListedUnit['state'], readonly string[]>> = {
  done: ['COMPLETE'],
  running: ['IN_PROGRESS'],
  ready: ['PENDING'],
  waiting: ['PENDING'],
  blocked: ['BLOCKED', 'PENDING'],
  failed: ['FAILED'],
}

function depthOf({ kind }: ListedUnit): number {
  return kind === 'agent' ? 4 : 2
}

/** The last part of an address; the headings above show the rest. */
function labelOf({ kind, address }: ListedUnit): string {
  if (kind === 'barrier') return address
  const parts = address.split('/')
  return kind === 'phase' ? `phase ${parts.slice(1).join('/')}` : parts.slice(2).join('/')
}

function countLines({ counts, partial }: PipelineStatusOutput, style: Style): string[] {
  const rows = (['phases', 'agents', 'barriers'] as const).filter(kind => counts[kind].total > 0)
  const lines = rows.map(kind => {
    const own = counts[kind]
    const others = STATES.filter(state => state !== 'done' && own[state] > 0)
    const rest = others.map(state => `${own[state]} ${wordOf(state, style)}`).join(', ')
    const share = `${own.done} of ${own.total} done`
    return `${style('dim', pad(kind, 10))}${pad(share, 14)}${rest ? `  ${rest}` : ''}`.trimEnd()
  })
  const limit = partial === true && lines.length > 0
  return limit ? [...lines, style('dim', 'counted without the invalid parts')] : lines
}

/** The stated figures that differ from the computed ones, or one line if all agree. */
function figureLines({ figures, checkpoint }: PipelineStatusOutput, style: Style): string[] {
  const wrong = figures.filter(({ agrees }) => !agrees)
  const rows = wrong.map(({ path, stated, least, most }) => [
    path,
    String(stated),
    most === null ? `${least} or more` : least === most ? String(least) : `${least} to ${most}`,
  ])
  if (checkpoint && !checkpoint.agrees)
    rows.push(['last checkpoint', checkpoint.stated ?? 'none', checkpoint.latest ?? 'none'])
  const total = figures.length + (checkpoint ? 1 : 0)
  if (total === 0) return []
  if (rows.length === 0)
    return [
      style(
        'dim',
        `${total === 1 ? 'the stated figure agrees' : `all ${total} stated figures agree`} with the detail`,
      ),
    ]
  const all = [['FIGURE', 'STATED', 'ACTUAL'], ...rows]
  const widths = [0, 1, 2].map(i => Math.max(...all.map(row => widthOf(row[i] ?? ''))))
  return all.map((row, i) => {
    const line = row
      .map((cell, c) => pad(cell, widths[c] ?? 0))
      .join('  ')
      .trimEnd()
    return i === 0 ? `  ${style('dim', line)}` : `${style('yellow', '!')} ${line}`
  })
}

function noteLines({ notes }: PipelineStatusOutput, style: Style): string[] {
  return notes.flatMap(({ message, hint }) => [
    `${style('yellow', '!')} ${message}`,
    style('dim', `  ${hint}`),
  ])
}

function nextLines({ counts, units }: PipelineStatusOutput, style: Style): string[] {
  if (units.length === 0) return []
  if (units.every(({ state }) => state === 'done'))
    return [`${style('green', '✓')} everything is done`]
  return counts.agents.ready + counts.barriers.ready > 0
    ? [style('dim', 'waybill pipeline next shows what may start now')]
    : []
}
