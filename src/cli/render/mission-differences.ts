import { counted, spelled } from '../../contract/index.ts'
import type { MissionReplayOutput } from '../../operations/mission-replay/output.ts'
import type { Style } from '../parse.ts'

const MOST = 100

/** The differences, then the command that explains each code. */
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
    ...(rest > 0 ? [`and ${counted(rest, 'more difference')}: --format json lists them`] : []),
    ...codes.map(code => style('dim', `waybill explain ${code} shows the fix`)),
  ]
}
