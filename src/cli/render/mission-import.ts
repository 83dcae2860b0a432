import { counted, spelled } from '../../contract/index.ts'
import type { MissionImportOutput } from '../../operations/mission-import/output.ts'
import type { Style } from '../parse.ts'
import { differenceLines } from './mission-differences.ts'

const WORDS = {
  imported: 'was imported',
  'was-there': 'already exists unchanged; nothing stored',
  verified: 'is valid; nothing stored',
  refused: 'is refused; nothing stored',
} as const

const EVIDENCE = {
  verified: 'a trusted key signed the log of its handoffs and decisions',
  unverified: 'the log of its handoffs and decisions was not verified',
  none: 'no log of its handoffs and decisions',
} as const

/** The outcome, or the differences that refuse the bundle. */
export function text(output: MissionImportOutput, style: Style): string {
  const { outcome, mission, state, artifacts, tasks, root, origin, evidence, differences } = output
  const mark = outcome === 'refused' ? style('red', '✗') : style('green', '✓')
  const about =
    mission === null
      ? []
      : [
          `  ${counted(artifacts, 'artifact')}, ${counted(tasks, 'task')}, ${state}`,
          `  ${EVIDENCE[evidence]}${origin === null ? '' : ` (${spelled(origin)})`}`,
          `  ${style('dim', `digest ${root}`)}`,
        ]
  return [
    `${mark} ${style('bold', mission ?? 'the bundle')} ${WORDS[outcome]}`,
    ...about,
    ...differenceLines(differences, style),
  ].join('\n')
}
