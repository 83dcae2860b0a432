import type { StateFastPathOutput } from '../../operations/state-fast-path/output.ts'
import type { Style } from '../parse.ts'
import { hang, pad, textWidth } from './layout.ts'

/** The YAML to paste, then the score and the reasons against. */
export function text(
  output: StateFastPathOutput,
  style: Style,
  _: unknown,
  quiet: boolean,
): string {
  if (quiet) return output.yaml
  const { Eligible, DenyReasons, Applied } = output.FastPathEvaluation
  const verdict = Eligible
    ? `${style('green', '✓')} discovery may be shortened; every gate stays`
    : `${style('red', '✗')} not safe: do the full discovery of phase 2`
  const next = Eligible && !Applied ? ['set Applied: true when you take the fast path'] : []
  return [
    output.yaml,
    `${style('bold', 'Score')} ${output.score} ${style('dim', `of 100, ${output.needed} needed`)}`,
    ...output.items.flatMap(item => line(item, style)),
    '',
    ...risks(output, style),
    verdict,
    ...DenyReasons.flatMap(reason => hang('  - ', 4, reason, textWidth())),
    ...next.map(line => style('dim', line)),
  ].join('\n')
}

type Item = StateFastPathOutput['items'][number]

const POINTS = 5

function line({ about, points, counts, evidence }: Item, style: Style): string[] {
  const signed = points > 0 ? `+${points}` : String(points)
  const shown = pad(`${' '.repeat(Math.max(0, 3 - signed.length))}${signed}`, POINTS)
  const sign = counts
    ? style(points > 0 ? 'green' : 'red', shown)
    : style('dim', pad('  0', POINTS))
  const shownEvidence =
    evidence === '' || (points < 0 && !counts) ? [] : hang('', 0, evidence, textWidth() - 9)
  return [
    `  ${sign}${counts ? about : style('dim', about)}`,
    ...shownEvidence.map(words => style('dim', `       ${words}`)),
  ]
}

function risks({ risks, FastPathEvaluation }: StateFastPathOutput, style: Style): string[] {
  const { TicketRiskClass } = FastPathEvaluation.Preconditions
  const lines = risks.map(({ risk, about, at }) => `  ${pad(risk, 8)}${about} ${style('dim', at)}`)
  return [`${style('bold', 'Risk of the ticket')} ${TicketRiskClass}`, ...lines, '']
}
