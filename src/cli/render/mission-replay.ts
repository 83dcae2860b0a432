import { counted, spelled } from '../../contract/index.ts'
import type { MissionReplayOutput } from '../../operations/mission-replay/output.ts'
import type { Style } from '../parse.ts'
import { differenceLines } from './mission-differences.ts'

/** Whether a mission matches its artifacts, and the differences. */
export function text(output: MissionReplayOutput, style: Style): string {
  const { mission, state, artifacts, tasks, erased, undecided, root, log, differences } = output
  const facts = [
    `${counted(artifacts, 'artifact')}, ${counted(tasks, 'task')}, ${state}`,
    ...(erased.length === 0 ? [] : [`${counted(erased.length, 'artifact')} erased`]),
    log ? 'compared with the log' : 'not compared with a log',
  ]
  const limit = undecided.length === 0 ? '' : ', as far as it can be verified'
  const head =
    differences.length === 0
      ? `${style('green', '✓')} ${style('bold', mission)} matches its artifacts${limit}`
      : `${style('red', '✗')} ${style('bold', mission)} does not match its artifacts`
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
