import { counted, shellWord, spelled } from '../../contract/index.ts'
import type { MissionExportOutput } from '../../operations/mission-export/output.ts'
import type { Style } from '../parse.ts'

/** The file written and its digest. */
export function text(output: MissionExportOutput, style: Style): string {
  const { mission, file, artifacts, erased, entries, root } = output
  const facts = [
    `${counted(artifacts, 'artifact')}${erased === 0 ? '' : ` (${erased} erased)`}`,
    entries === 1 ? '1 entry of the log' : `${entries} entries of the log`,
  ]
  return [
    `${style('green', '✓')} ${style('bold', mission)} was exported to ${spelled(file)}`,
    `  ${facts.join(', ')}`,
    `  digest ${root}`,
    style(
      'dim',
      `waybill mission import ${shellWord(file)} --dry-run --digest <digest> verifies it`,
    ),
  ].join('\n')
}
