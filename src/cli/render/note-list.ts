import { spelled } from '../../contract/index.ts'
import type { NoteListOutput } from '../../operations/note-list/output.ts'
import type { Style } from '../parse.ts'
import { pad } from './layout.ts'

/** One line per note, then the items that are done. */
export function text({ notes, done }: NoteListOutput, style: Style): string {
  if (notes.length + done.length === 0) {
    return `No notes.\n\n${style('cyan', "waybill note 'The build takes 9 minutes'")}  writes one`
  }
  const lines = notes.map(({ id, kind, text, scope, rejected = [], done: isDone }) => {
    const more = [
      ...(scope === undefined ? [] : [`scope: ${scope}`]),
      ...(rejected.length > 0 ? [`rejected: ${rejected.join('; ')}`] : []),
      ...(isDone ? ['done'] : []),
    ]
    const rest = more.length > 0 ? style('dim', `  (${spelled(more.join(', '))})`) : ''
    return `${style('cyan', id)}  ${pad(kind, 8)}  ${spelled(text)}${rest}`
  })
  return [...lines, ...done.map(item => `${style('green', '✓')} ${spelled(item)}`)].join('\n')
}
