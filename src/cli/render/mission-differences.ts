import { counted, spelled } from '../../contract/index.ts'
import type { MissionReplayOutput } from '../../operations/mission-replay/output.ts'
import type { Style } from '../parse.ts'

/** More than these nobody reads. */
const MOST = 100

/** What is not as it should be, one below the other, and where it says what to do about each sort of it. */
export function differenceLines(
  differences: MissionReplayOutput['differences'],
  style: Style,
): string[] {
  const lines = differences
    .slice(0, MOST)
    .flatMap(({ code, path, message }) => [
      `${style('red', 'error')} ${style('bold', code)}  ${spelled(path)}`,
      `  ${spelled(message)}`,
    ])
  const rest = differences.length - MOST
  const codes = [...new Set(differences.slice(0, MOST).map(({ code }) => code))]
  return [
    ...lines,
    ...(rest > 0 ? [`and ${counted(rest, 'more difference')}: --format json has them`] : []),
    ...codes.map(code => style('dim', `waybill explain ${code} says what to do`)),
  ]
}
