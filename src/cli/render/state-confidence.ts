import { spelled } from '../../contract/index.ts'
import type { StateConfidenceOutput } from '../../operations/state-confidence/output.ts'
import type { Style } from '../parse.ts'

/** The rubric with its points, then the computed and the stated score. */
export function text(output: StateConfidenceOutput, style: Style): string {
  const { path, stated, statedBand, computed, computedBand, differ, enough, lines } = output
  const rows = lines.map(({ about, points, counts }) => {
    const value = `${points > 0 ? '+' : ''}${points}`.padStart(5)
    if (counts === null) return style('dim', `${'?'.padStart(5)}  ${about} (not in any document)`)
    if (!counts) return style('dim', `${'0'.padStart(5)}  ${about} (would be ${value.trim()})`)
    return `${style(points > 0 ? 'green' : 'red', value)}  ${about}`
  })
  const verdict = enough
    ? 'enough to advance'
    : stated === null
      ? 'not stated'
      : 'below 70: cannot advance'
  return [
    style('cyan', spelled(path)),
    '',
    ...rows,
    style('dim', '─────'),
    `${style('bold', String(computed).padStart(5))}  by the rubric, ${computedBand}`,
    `${style('bold', String(stated ?? '–').padStart(5))}  stated, ${statedBand === null ? '' : `${statedBand}, `}${verdict}${differ ? style('yellow', '; differs by 20 or more') : ''}`,
  ].join('\n')
}
