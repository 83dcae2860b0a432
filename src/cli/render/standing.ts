import { spelled } from '../../contract/index.ts'
import type { ReportedDiagnostic } from '../../operations/check/output.ts'
import { visible } from '../../operations/show/cleanse.ts'
import { decisionSurface } from '../../operations/show/session-state.ts'
import type { ActOutput, StateSummaryOutput } from '../../operations/state/output.ts'
import type { Style } from '../parse.ts'
import { indent, pad, textWidth, widthOf, wrap } from './layout.ts'
import { section } from './show.ts'

/** A phase and its subject. */
export function phaseText({ phase, about }: StateSummaryOutput): string {
  if (phase === null) return 'no phase'
  return spelled(about ? `phase ${phase}, ${about}` : `phase ${phase}`)
}

/** The decisions to make, in architect-only mode. */
export function surfaceLines(
  { decisionSurface: surface }: StateSummaryOutput,
  style: Style,
): string[] {
  if (!surface) return []
  const shown = Object.entries(surface).map(([key, texts]) => [key, texts.map(visible)])
  return decisionSurface(Object.fromEntries(shown), true).flatMap(part => [
    style('bold', part.title),
    ...section(part, style),
    '',
  ])
}

/** Phase, mode and confidence of a session, in one line. */
export function standingText(standing: StateSummaryOutput, style: Style): string {
  const { mode, confidence, band } = standing
  const color = mode === 'BLOCKED' ? 'red' : mode === 'NORMAL' ? 'green' : 'yellow'
  const sure = confidence === null ? 'no confidence stated' : `confidence ${confidence} ${band}`
  const how = mode === null ? style('red', 'no mode') : style(color, spelled(mode))
  return `${style('bold', phaseText(standing))} · ${how} · ${sure}`
}

const SIGNS = { error: ['red', '✗'], warning: ['yellow', '!'], info: ['blue', 'i'] } as const

/** Each diagnostic with its rule code, and its hint below. */
export function objectionLines(diagnostics: readonly ReportedDiagnostic[], style: Style): string[] {
  return diagnostics.flatMap(({ code, severity, message, hint }) => {
    const [color, sign] = SIGNS[severity]
    const [first = '', ...rest] = wrap(message, textWidth() - 2)
    const last = `${rest.at(-1) ?? first}`
    const label = fits(last, code) ? `  ${style('dim', code)}` : ''
    const shown = [first, ...rest]
    return [
      ...shown.map((line, i) => {
        const lead = i === 0 ? `${style(color, sign)} ` : '  '
        return `${lead}${line}${i === shown.length - 1 ? label : ''}`
      }),
      ...(label ? [] : [`  ${style('dim', code)}`]),
      ...indent(hint ? wrap(`fix: ${hint}`, textWidth() - 2) : [], 2),
    ]
  })
}

const fits = (line: string, code: string) => widthOf(line) + code.length + 4 <= textWidth()

/** The phase change and the written fields; or why nothing was written. */
export function actText(output: ActOutput, style: Style, quiet: boolean): string {
  const { accepted, path, from, to, changes, diagnostics } = output
  const objections = objectionLines(diagnostics, style)
  const surface = quiet ? [] : surfaceLines(to, style)
  if (!accepted) {
    const stays = `${style('red', '✗')} nothing written; the session stays in ${phaseText(from)}`
    return [...surface, ...objections, '', stays].join('\n')
  }
  const arrow = style('dim', '→')
  const moved =
    from.phase === to.phase ? phaseText(to) : `${phaseText(from)} ${arrow} ${phaseText(to)}`
  const width = Math.max(0, ...changes.map(({ part }) => widthOf(spelled(name(part)))))
  const lines = changes.map(
    ({ part, value }) =>
      `  ${style('dim', pad(spelled(name(part)), width))}  ${spelled(value.length > 200 ? `${value.slice(0, 200)}…` : value)}`,
  )
  const head = `${style('green', '✓')} ${style('bold', moved)}  ${style('cyan', spelled(path))}`
  if (quiet) return objections.join('\n')
  return [...surface, head, ...lines, ...(objections.length > 0 ? ['', ...objections] : [])].join(
    '\n',
  )
}

const name = (pointer: string) => pointer.slice(1).replaceAll('/', '.')
