import { spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { StateInitOutput } from '../../operations/state-init/output.ts'
import type { Style } from '../parse.ts'
import { pad } from './layout.ts'
import { standingText } from './standing.ts'

/** The created state, and what to do next. */
export function text(
  { path, state, next }: StateInitOutput,
  style: Style,
  _app: App,
  quiet: boolean,
): string {
  const head = `${style('green', '✓')} created ${style('cyan', spelled(path))}  ${standingText(state, style)}`
  if (quiet) return ''
  const width = Math.max(...next.map(({ command }) => command.length))
  return [
    head,
    '',
    style('bold', 'Next'),
    ...next.map(({ command, does }) => `  ${style('cyan', pad(command, width))}  ${does}`),
  ].join('\n')
}
