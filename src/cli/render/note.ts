import type { NoteOutput } from '../../operations/note/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { noteLines } from './note-lines.ts'

const WORDS = {
  added: 'kept for the next handoff',
  done: 'ticked off',
  dropped: 'dropped',
} as const

/** The note with its id. */
export function text(
  { change, note }: NoteOutput,
  style: Style,
  _app: App,
  quiet: boolean,
): string {
  if (quiet) return ''
  const branch = note.branch === null ? '' : style('dim', ` (branch ${note.branch})`)
  return [`${style('green', '✓')} ${WORDS[change]}${branch}`, ...noteLines(note, style)].join('\n')
}
