import { spelled } from '../../contract/index.ts'
import type { MissionHandoffParts } from '../../operations/mission/handoff/output.ts'
import type { Style } from '../parse.ts'

/** The handoff document of a mission, with its findings. */
export function handoffLines(
  handoff: MissionHandoffParts | null,
  verb: string,
  style: Style,
): string[] {
  if (!handoff) return []
  const { path, accepted, staleness, findings } = handoff
  const mark = accepted ? style('green', '✓') : style('red', '✗')
  const age = staleness === null ? '' : ` (${staleness})`
  return [
    `${mark} ${style('bold', spelled(path))}${age} ${accepted ? verb : 'was refused'}`,
    ...findings.flatMap(({ code, message, hint }) => [
      `  ${style('red', code)} ${spelled(message)}`,
      ...(hint === undefined ? [] : [`    ${style('dim', spelled(hint))}`]),
    ]),
  ]
}
