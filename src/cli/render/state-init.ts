import { spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { StateInitOutput } from '../../operations/state-init/output.ts'
import type { Style } from '../parse.ts'
import { pad } from './layout.ts'
import { standingText } from './standing.ts'

/** The created state, and what to do next. */
export function text(
  { path, state, found, next }: StateInitOutput,
  style: Style,
  _app: App,
  quiet: boolean,
): string {
  const head = `${style('green', '✓')} created ${style('cyan', spelled(path))}  ${standingText(state, style)}`
  if (quiet) return ''
  const width = Math.max(...next.map(({ command }) => command.length))
  return [
    head,
    ...foundIn(found),
    '',
    style('bold', 'Next'),
    ...next.map(({ command, does }) => `  ${style('cyan', pad(command, width))}  ${does}`),
  ].join('\n')
}

function foundIn({ branch, profile, evidence, core, decides }: StateInitOutput['found']): string[] {
  const rows = [
    ['Branch', branch],
    ['Profile', profile === null ? `unknown: ${decides ?? ''}` : `${profile} (${evidence})`],
    ['Rules', core ?? 'none found'],
  ] as const
  return rows.flatMap(([name, said]) => (said ? [`  ${pad(name, 7)}  ${spelled(said)}`] : []))
}
