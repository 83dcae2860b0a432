import { counted, spelled } from '../../contract/index.ts'
import type { MissionImportOutput } from '../../operations/mission-import/output.ts'
import type { Style } from '../parse.ts'
import { differenceLines } from './mission-differences.ts'

const WORDS = {
  imported: 'was imported',
  'was-there': 'was there already, the same; nothing was changed',
  verified: 'is sound; nothing was stored',
  refused: 'is refused; nothing was stored',
} as const

const EVIDENCE = {
  verified: 'a trusted key vouches for what was handed over and decided',
  unverified: 'nobody was asked to vouch for what was handed over and decided',
  none: 'no log vouches for what was handed over and decided',
} as const

/** What came of the bundle, and why it was refused. */
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
