import { counted, spelled } from '../../contract/index.ts'
import type { MissionReplayOutput } from '../../operations/mission-replay/output.ts'
import type { Style } from '../parse.ts'
import { differenceLines } from './mission-differences.ts'

/** Whether a mission is what its artifacts lead to, and what is not. */
export function text(output: MissionReplayOutput, style: Style): string {
  const { mission, state, artifacts, tasks, erased, undecided, root, log, differences } = output
  const facts = [
    `${counted(artifacts, 'artifact')}, ${counted(tasks, 'task')}, ${state}`,
    ...(erased.length === 0 ? [] : [`${counted(erased.length, 'artifact')} erased`]),
    log ? 'held against the log' : 'no log was held against it',
  ]
  const asFarAs = undecided.length === 0 ? '' : ', as far as that can be decided'
  const head =
    differences.length === 0
      ? `${style('green', '✓')} ${style('bold', mission)} is what its artifacts lead to${asFarAs}`
      : `${style('red', '✗')} ${style('bold', mission)} is not what its artifacts lead to`
  return [
    head,
    `  ${facts.join('; ')}`,
    `  ${style('dim', `root ${root}`)}`,
    ...undecided.flatMap(({ path, message }) => [
      `${style('yellow', 'undecided')}  ${spelled(path)}`,
      `  ${spelled(message)}`,
    ]),
    ...differenceLines(differences, style),
  ].join('\n')
}
