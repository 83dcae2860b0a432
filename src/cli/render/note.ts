import { counted, spelled } from '../../contract/index.ts'
import type { NoteOutput } from '../../operations/note/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'

/** What was noted, and how much waits for the next handoff. */
export function text(
  { note, done, waiting }: NoteOutput,
  style: Style,
  _: App,
  quiet: boolean,
): string {
  if (quiet) return note?.id ?? ''
  const what = note
    ? `${style('green', '✓')} noted ${note.kind} ${style('cyan', note.id)}`
    : `${style('green', '✓')} done: ${spelled(done ?? '')}`
  return `${what}${style('dim', `  ${counted(waiting, 'note')} for the next handoff`)}`
}
