import { basename, dirname, relative, resolve } from 'node:path'
import { counted, spelled } from '../../contract/index.ts'
import { subjectsOf } from '../../operations/chain/broken.ts'
import type { ChainMember, ChainOutput, ChainProblem } from '../../operations/chain/output.ts'
import { conflictInWords, countedByKind } from '../../operations/in-force/report.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { drawLanes } from './lanes.ts'
import { hang, pad, textWidth, widthOf } from './layout.ts'

/** Every chain with its branches, oldest document first, then the problems. */
export function text(output: ChainOutput, style: Style, app: App, quiet: boolean): string {
  if (output.drawing !== null) return output.drawing
  const { documents, problems } = output
  if (documents.length === 0 && problems.length === 0) return noDocuments(style)
  const shown = quiet ? problems.filter(({ severity }) => severity === 'error') : problems
  const lines = quiet ? [] : chains(output, style, app)
  const stated = quiet ? [] : statedLines(output, style)
  return [...lines, ...problemLines(shown, style), ...stated, verdict(output, style)].join('\n')
}

function noDocuments(style: Style): string {
  return [
    'No handoff documents here yet.',
    '',
    `${style('cyan', 'waybill new handoff-document')}  creates the first one`,
  ].join('\n')
}

function chains({ documents, problems }: ChainOutput, style: Style, app: App): string[] {
  const byFamily = new Map<number, ChainMember[]>()
  for (const member of documents) {
    const family = byFamily.get(member.family)
    if (family) family.push(member)
    else byFamily.set(member.family, [member])
  }
  const errors = problems.filter(({ severity }) => severity === 'error')
  const wrong = new Set(errors.flatMap(subjectsOf))
  return [...byFamily.values()].flatMap(family => [...chain(family, wrong, style, app), ''])
}

const GAP = '  '

function chain(
  members: readonly ChainMember[],
  wrong: ReadonlySet<string>,
  style: Style,
  { cwd, root }: App,
): string[] {
  const folders = new Set(members.map(({ path }) => dirname(path)))
  const [folder = ''] = folders
  const own = (path: string) =>
    spelled(folders.size === 1 ? basename(path) : relative(cwd, resolve(root, path)))
  const where = folders.size === 1 ? spelled(relative(cwd, resolve(root, folder))) : ''
  const records = [...new Set(members.flatMap(({ adr }) => adr ?? []))].map(spelled).join(', ')
  const mark = (id: string) => (wrong.has(id) ? '✗' : handoffs.has(id) ? '●' : '○')
  const handoffs = new Set(members.flatMap(({ path, handoff }) => (handoff ? path : [])))
  const entries = members.map(({ path, predecessor }) => ({ id: path, before: predecessor }))
  const lanes = drawLanes(entries, ({ id }) => mark(id))
  const [laneWidth, nameWidth, agentWidth] = [
    Math.max(...lanes.map(({ drawn }) => widthOf(drawn))),
    Math.max(...members.map(({ path }) => widthOf(own(path)))),
    Math.max(...members.map(({ agent }) => widthOf(spelled(agent ?? '')))),
  ]
  const rows = members.map((member, i) => {
    const { path, predecessor, agent, title } = member
    const lane = lanes[i]
    const drawn = pad(lane?.drawn ?? '', laneWidth)
    const color = wrong.has(path) ? 'red' : member.handoff ? 'green' : 'yellow'
    const apart = predecessor !== null && !lane?.linked ? `continues ${own(predecessor)}` : ''
    const rest = [pad(spelled(agent ?? ''), agentWidth), spelled(title ?? ''), apart]
    const cells = [drawn.replace(/[●✗○]/, sign => style(color, sign)), pad(own(path), nameWidth)]
    return [...cells, style('dim', rest.filter(Boolean).join(GAP).trimEnd())].join(GAP).trimEnd()
  })
  const head = [
    style('bold', records || 'no decision record'),
    style('dim', where ? `${where}/` : ''),
  ]
  return [head.join(GAP).trimEnd(), ...rows]
}

const MOST_SHOWN = 20
const COLORS = { error: 'red', warning: 'yellow', info: 'blue' } as const

function problemLines(problems: readonly ChainProblem[], style: Style): string[] {
  const lines = problems
    .slice(0, MOST_SHOWN)
    .flatMap(({ code, severity, message, hint }) => [
      `${style(COLORS[severity], severity)}${style('dim', `[${code}]`)} ${message}`,
      ...(severity === 'info' ? [] : hang('  fix: ', 7, hint, textWidth())),
    ])
  const more = problems.length - MOST_SHOWN
  if (more > 0) lines.push(style('dim', `… and ${more} more; --format json lists all of them`))
  return lines.length > 0 ? [...lines, ''] : []
}

/** What was superseded, what contradicts, and how much is in force. */
function statedLines({ inForce, superseded, conflicts }: ChainOutput, style: Style): string[] {
  if (inForce.length + superseded.length === 0) return []
  const ended = superseded.slice(-MOST_SHOWN).flatMap(({ id, text, at, by, why }) => {
    const label = `  ${id}  `
    const person = by === null ? '' : ` by ${spelled(by)}`
    const reason = why === null ? '' : `: ${spelled(why)}`
    const [first = ''] = text.split('\n')
    return [
      ...hang(label, widthOf(label), spelled(first), textWidth()),
      style(
        'dim',
        `${' '.repeat(widthOf(label))}in ${spelled(at.path)}:${at.line}${person}${reason}`,
      ),
    ]
  })
  return [
    ...(ended.length > 0 ? [style('bold', 'Superseded'), ...ended, ''] : []),
    ...conflicts.map(
      one => `${style('yellow', 'contradiction')}  ${conflictInWords(one, spelled)}`,
    ),
    `in force: ${countedByKind(inForce.map(({ kind }) => kind))}`,
  ]
}

function verdict({ documents, families, problems, whole }: ChainOutput, style: Style): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const size = `${counted(documents.length, 'document')} in ${counted(families, 'chain')}`
  return whole
    ? `${style('green', '✓')} ${size}, every link holds`
    : `${style('red', '✗')} ${size}, ${style('red', `broken in ${counted(errors, 'place')}`)}`
}
