import { relative } from 'node:path'
import type { InitOutput } from '../../operations/init/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { pad, widthOf } from './layout.ts'

const WORDS = {
  created: ['created', 'would create'],
  changed: ['changed', 'would change'],
  removed: ['removed', 'would remove'],
  kept: ['kept', 'would keep'],
} as const
const COLORS = { created: 'green', changed: 'yellow', removed: 'yellow', kept: 'dim' } as const

/** The steps and what to do next; with --quiet only the changes of a dry run. */
export function text(
  { root, dryRun, steps, notes, next }: InitOutput,
  style: Style,
  { cwd }: App,
  quiet: boolean,
): string {
  if (quiet && !dryRun) return ''
  const word = (action: keyof typeof WORDS) => WORDS[action][dryRun ? 1 : 0]
  const shown = quiet ? steps.filter(step => step.action !== 'kept') : steps
  const widest = Math.max(0, ...shown.map(s => word(s.action).length))
  const paths = Math.max(0, ...shown.map(s => widthOf(s.path)))
  const lines = shown.map(
    ({ path, action, note }) =>
      `${style(COLORS[action], pad(word(action), widest))}  ${pad(path, paths)}  ${style('dim', note)}`,
  )
  for (const { diff } of shown) if (diff !== undefined) lines.push('', coloured(diff, style))
  if (quiet) return lines.join('\n')
  const where = relative(cwd, root)
  const untouched = steps.every(step => step.action === 'kept')
  const isRemoval = next.length === 0
  const done = isRemoval ? ['nothing to remove', 'removed'] : ['already set up', 'ready']
  const verdict = dryRun ? 'nothing written' : done[untouched ? 0 : 1]
  lines.push('', `${style('green', '✓')} ${verdict}${where ? style('dim', ` (${root})`) : ''}`)
  if (notes.length > 0) lines.push('', ...notes)
  if (isRemoval) return lines.join('\n')
  const commands = Math.max(...next.map(n => n.command.length))
  lines.push(
    '',
    style('bold', 'Next'),
    ...next.map(n => `  ${style('cyan', pad(n.command, commands))}  ${n.does}`),
  )
  return lines.join('\n')
}

function coloured(diff: string, style: Style): string {
  const colors = { '+': 'green', '-': 'red', '@': 'dim' } as const
  return diff
    .split('\n')
    .map(line => {
      const color = colors[line.charAt(0) as '+']
      return color === undefined ? line : style(color, line)
    })
    .join('\n')
}
