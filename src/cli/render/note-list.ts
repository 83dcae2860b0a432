import { counted, spelled } from '../../contract/index.ts'
import type { NoteListOutput } from '../../operations/note-list/output.ts'
import type { Style } from '../parse.ts'
import { noteLines } from './note-lines.ts'

/** The notes; those of other branches under the name of their branch. */
export function text({ branch, notes, elsewhere }: NoteListOutput, style: Style): string {
  const placeOf = ({ branch: on, worktree }: NoteListOutput['notes'][number]) =>
    `${on === branch || on === null ? '' : `branch ${on}`}${worktree === '' ? '' : ` in ${worktree}`}`
  const places = [...new Set(notes.map(placeOf))].sort()
  const lines = places.flatMap(place => [
    ...(place === '' ? [] : [style('bold', spelled(place.trim()))]),
    ...notes.filter(note => placeOf(note) === place).flatMap(note => noteLines(note, style)),
  ])
  if (notes.length === 0) lines.push('no notes for the next handoff')
  if (elsewhere > 0)
    lines.push(
      style(
        'dim',
        `${counted(elsewhere, 'note')} of other branches or work trees; --all lists them`,
      ),
    )
  return lines.join('\n')
}
