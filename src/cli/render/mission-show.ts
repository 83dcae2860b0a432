import { spelled } from '../../contract/index.ts'
import type { MissionShowOutput } from '../../operations/mission-show/output.ts'
import type { Style } from '../parse.ts'

/** The artifacts, each with its digest. */
export function text({ artifacts }: MissionShowOutput, style: Style): string {
  return artifacts
    .map(({ schemaName, id, digest, payload, erased }) => {
      const head = `${style('bold', schemaName)} ${spelled(id)}\n${style('dim', digest)}`
      const body = payload
        ? JSON.stringify(payload, null, 2).split('\n').map(spelled).join('\n')
        : `erased: ${spelled(JSON.stringify(erased))}`
      return `${head}\n${body}`
    })
    .join('\n\n')
}
