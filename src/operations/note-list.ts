import { readNotes } from '../session/index.ts'
import { currentBranch } from '../workspace/index.ts'
import { listedNote } from './note.ts'
import type { NoteListOutput } from './note-list/output.ts'
import { type App, defineOperation } from './operation.ts'

const input = { type: 'object', properties: {} } as const

/** Lists the notes that wait for the next handoff. */
export default defineOperation({
  name: 'note list',
  summary: 'List the notes that wait for the next handoff',
  description:
    'Lists the notes of the current branch and work tree that no handoff has taken. Writes nothing.',
  examples: [{ command: 'waybill note list', does: 'list them' }],
  actor: 'any',
  effect: 'read',
  input,
  run: (_, app) => list(app),
})

async function list({ root }: App): Promise<NoteListOutput> {
  const { notes, done } = readNotes(root)
  return {
    branch: currentBranch(root) ?? null,
    notes: notes.map(listedNote),
    done: done.map(({ item }) => item),
  }
}
