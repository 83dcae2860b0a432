import type { StateProfileOutput } from '../../operations/state-profile/output.ts'
import type { Style } from '../parse.ts'
import { hang, indent, pad, textWidth, wrap } from './layout.ts'

/** The YAML to paste, then the evidence, the conflicts and what to do. */
export function text(output: StateProfileOutput, style: Style, _: unknown, quiet: boolean): string {
  if (quiet) return output.yaml
  const lines = [
    ...candidates(output, style),
    ...conflicts(output, style),
    ...notes(output, style),
    ...agreement(output, style),
    ...decision(output, style),
  ]
  return [output.yaml, ...lines].join('\n').trimEnd()
}

const MOST_FILES = 5

function candidates({ candidates, scope }: StateProfileOutput, style: Style): string[] {
  const where = scope.length > 0 ? ` ${style('dim', `in ${scope.join(', ')}`)}` : ''
  if (candidates.length === 0) return [style('bold', 'Evidence') + where, '  none', '']
  const rows = candidates.flatMap(({ profile, signals, more, rulebooks }) => {
    const files = [
      ...signals.map(({ path, system, frameworks }) => {
        return `${path}  ${style('dim', [system, ...frameworks].join(', '))}`
      }),
      ...rulebooks.map(path => `${path}  ${style('dim', 'rulebook')}`),
    ]
    const left = files.length - MOST_FILES + more
    const shown = files.slice(0, MOST_FILES)
    if (left > 0) shown.push(style('dim', `and ${left} more`))
    if (shown.length === 0) shown.push(style('dim', 'no evidence'))
    return shown.map((file, i) => [i === 0 ? profile : '', file] as const)
  })
  const width = Math.max(...rows.map(([profile]) => profile.length)) + 2
  const lines = rows.map(([profile, file]) => `  ${style('cyan', pad(profile, width))}${file}`)
  return [style('bold', 'Evidence') + where, ...lines, '']
}

function conflicts({ conflicts, conflictPoints }: StateProfileOutput, style: Style): string[] {
  if (conflicts.length === 0) return []
  const lines = conflicts.flatMap(({ about, paths, resolvedBy }) => {
    const sign = resolvedBy === null ? style('yellow', '!') : style('green', '✓')
    const resolution = resolvedBy === null ? '' : style('dim', ` (resolved by ${resolvedBy})`)
    return [
      `  ${sign} ${about}${resolution}`,
      ...paths.slice(0, MOST_FILES).map(path => `      ${path}`),
    ]
  })
  const points = conflictPoints === 0 ? '' : ` ${style('dim', `${conflictPoints} confidence`)}`
  return [style('bold', 'Conflicts') + points, ...lines, '']
}

function notes({ ignored, unread, listing }: StateProfileOutput, style: Style): string[] {
  const lines = [
    ...ignored.map(({ path, why }) => `skipped scope ${path}: it ${why}`),
    ...unread.map(({ path, why }) => `${path} counts by its name only: ${why}`),
    ...(listing.by === 'folders' ? [`${listing.whyNoHead}: the folders were searched`] : []),
  ]
  if (lines.length === 0) return []
  return [...lines.map(line => style('dim', `note: ${line}`)), '']
}

function agreement({ agreement, state }: StateProfileOutput, style: Style): string[] {
  if (!agreement) return []
  const sign = agreement.agrees ? style('green', '✓') : style('red', '✗')
  const lines = wrap(`${state}: ${agreement.about}`, textWidth() - 2)
  return [`${sign} ${lines[0]}`, ...indent(lines.slice(1), 2)]
}

function decision({ mode, decides }: StateProfileOutput, style: Style): string[] {
  if (decides === null) return []
  const width = textWidth()
  const label = mode === null ? 'decide: ' : 'BLOCKED: '
  const lines = hang(label, label.length, decides, width)
  const how = style('dim', 'waybill state profile --scope <folder>, or --profile <name>')
  const [first = '', ...rest] = lines
  return [style(mode === null ? 'yellow' : 'red', label) + first.slice(label.length), ...rest, how]
}
