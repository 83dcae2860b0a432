import type { DocumentReport } from '../../operations/check/output.ts'
import type { Style } from '../parse.ts'
import { hang, indent, pad, textWidth, widthOf } from './layout.ts'

type State = 'done' | 'running' | 'ready' | 'waiting' | 'blocked' | 'failed'

const LOOKS = {
  done: ['green', '✓'],
  running: ['blue', '▶'],
  ready: ['cyan', '●'],
  waiting: ['dim', '○'],
  blocked: ['yellow', '■'],
  failed: ['red', '✗'],
} as const

const MOST_ERRORS = 5

/** The mark of a state in its colour. */
export function markOf(state: State, style: Style): string {
  const [color, mark] = LOOKS[state]
  return style(color, mark)
}

/** The word for a state in its colour. */
export function wordOf(state: State, style: Style, width = 0): string {
  return style(LOOKS[state][0], pad(state, width))
}

/** What blocks a unit, one line each. */
export function reasonLines(
  reasons: readonly { readonly message: string; readonly stuck: boolean }[],
  style: Style,
  by: number,
): string[] {
  const label = '└ '
  return reasons.flatMap(({ message, stuck }) =>
    indent(
      hang(label, label.length, message, textWidth() - by).map(line =>
        style(stuck ? 'yellow' : 'dim', line),
      ),
      by,
    ),
  )
}

const depthOf = ({ path }: DocumentReport['diagnostics'][number]) => path.split('/').length

/** The errors of the document, the highest first, and the command that shows all. */
export function faultLines(
  file: string,
  diagnostics: DocumentReport['diagnostics'],
  style: Style,
): string[] {
  // A fault high up decides about all that is below it.
  const errors = diagnostics
    .filter(({ severity }) => severity === 'error')
    .toSorted((a, b) => depthOf(a) - depthOf(b))
  if (errors.length === 0) return []
  const shown = errors.slice(0, MOST_ERRORS)
  const places = shown.map(({ line, column }) => `${line}:${column}`)
  const widest = Math.max(...places.map(widthOf))
  return [
    `${style('red', '✗')} ${style('bold', `${file} has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}`)}`,
    ...shown.flatMap(({ code, message }, i) =>
      indent(
        hang(
          pad(places[i] ?? '', widest + 2),
          widest + 2,
          `${message} ${style('dim', `[${code}]`)}`,
          textWidth() - 2,
        ),
        2,
      ),
    ),
    ...(errors.length > shown.length ? [`  … and ${errors.length - shown.length} more`] : []),
    style('dim', `  waybill check ${file} shows the fixes`),
  ]
}
