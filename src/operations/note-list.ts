import { isNoteOf, notePlace, readNotes } from '../session/index.ts'
import { shownNote } from './note/shown.ts'
import type { NoteListOutput } from './note-list/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    all: { type: 'boolean', description: 'Also list the notes of other branches and work trees.' },
  },
} as const

/** Lists the notes for the next handoff. */
export default defineOperation({
  name: 'note list',
  summary: 'List the notes for the next handoff',
  description:
    'Lists the notes of the checked-out branch that no handoff has taken, oldest first, with those that were written ' +
    'here while no branch was checked out. Writes nothing.',
  examples: [
    { command: 'waybill note list', does: 'list the notes of this branch' },
    { command: 'waybill note list --all', does: 'list those of all branches' },
    {
      command: "waybill note list --format json | jq -r '.notes[].text'",
      does: 'print their texts',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, { root }: App): Promise<NoteListOutput> {
  const every = readNotes(root, { all: true })
  const place = notePlace(root)
  const notes = given.all ? every : every.filter(note => isNoteOf(note, place))
  return {
    branch: place.branch,
    notes: notes.map(shownNote),
    elsewhere: every.length - notes.length,
  }
}
