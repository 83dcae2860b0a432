import { maskSecrets } from '../../document/index.ts'
import type { Note } from '../../session/index.ts'
import type { ShownNote } from './output.ts'

/** A note as it is shown; the item of a handoff may contain credentials. */
export function shownNote(note: Note): ShownNote {
  const { id, kind, text, scope, rejected = [], document, why, at, by, branch, worktree } = note
  const done = note.done && { at: note.done.at, by: note.done.by, why: note.done.why ?? null }
  return {
    ...{ id, kind, text: maskSecrets(text), scope: scope ?? null, rejected },
    ...{ document: document ?? null, why: why ?? null },
    ...{ at, by, branch, worktree, done: done ?? null },
  }
}
