import { listed, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  addNote,
  endNote,
  type FoundNote,
  findNote,
  isNoteId,
  type NoteEnd,
  plainText,
  readLineage,
} from '../../session/index.ts'
import { currentBranch, loadConfig } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { openItemsAt } from './items.ts'
import type { NoteOutput } from './output.ts'
import { shownNote } from './shown.ts'

/** Removes a note that no handoff has taken. */
export function drop(id: string, end: NoteEnd, { root }: App): NoteOutput {
  const { note, ending, document } = mustFind(id, root)
  if (ending === 'taken')
    throw new WaybillError('conflict', `${id} is already in ${document}`, {
      hint: 'correct it in the next handoff',
    })
  if (!endNote(root, id, 'dropped', end)) throw ended(id, 'dropped')
  return { change: 'dropped', note: shownNote(note) }
}

/**
 * Ticks off an open item: a note by its id; or an item of the newest handoff by its number or text, for which the
 * answer is kept.
 */
export async function tickOff(item: string, end: NoteEnd, app: App): Promise<NoteOutput> {
  if (!isNoteId(item)) return answer(item, end, app)
  const { note, ending } = mustFind(item, app.root)
  if (note.kind !== 'open')
    throw new WaybillError('usage', `${item} is no open item (its kind is ${note.kind})`, {
      hint: `waybill note list shows the open items; waybill note --drop ${item} removes this note`,
    })
  // A handoff has the item now, so its successor must say that it is done.
  if (ending === 'taken') return answer(note.text, end, app)
  if (ending === 'dropped' || !endNote(app.root, item, 'done', end))
    throw ended(item, ending ?? 'done')
  // A handoff may have taken it in the meantime.
  if (findNote(app.root, item)?.ending === 'taken') return answer(note.text, end, app)
  return { change: 'done', note: shownNote({ ...note, done: end }) }
}

function mustFind(id: string, root: string): FoundNote {
  const found = isNoteId(id) ? findNote(root, id) : undefined
  if (found) return found
  throw new WaybillError('not-found', `there is no note ${quote(id)}`, {
    hint: 'waybill note list --all shows the notes and their ids',
  })
}

function ended(id: string, ending: string): WaybillError {
  return new WaybillError('exists', `${id} is already ${ending}`, {
    hint: 'waybill note list shows the notes that are left',
  })
}

const MOST_NAMED = 5

/** Keeps the answer about an item of the newest handoff. */
async function answer(item: string, { why, ...end }: NoteEnd, app: App): Promise<NoteOutput> {
  const { document, open } = await itemsOfNewest(app)
  const index = /^[0-9]{1,6}$/.test(item)
    ? Number(item) - 1
    : open.findIndex(text => comparable(text) === comparable(item))
  const text = open[index]
  if (text === undefined)
    throw new WaybillError('not-found', `${document} has no open item ${quote(item)}`, {
      hint:
        open.length === 0
          ? 'it has no open items'
          : `its items are ${listed(open.slice(0, MOST_NAMED).map((one, i) => `${i + 1} ${quote(one)}`))}${open.length > MOST_NAMED ? ` of ${open.length}` : ''}`,
    })
  const note = addNote(app.root, {
    ...{ kind: 'done', text, document, ...end },
    ...(why !== undefined && { why }),
  })
  return { change: 'done', note: shownNote(note) }
}

/** The open items of the newest handoff of this branch, else of any, in the order in which they are carried over. */
async function itemsOfNewest({ root, now }: App): Promise<{ document: string; open: string[] }> {
  const { ignore, headings } = await loadConfig(root)
  const { members } = await readLineage(root, { ignore, headings })
  const branch = currentBranch(root)
  const earlier = members.filter(({ handoff, time }) => handoff && (time ?? 0) <= now)
  const newest = earlier.findLast(one => one.branch === branch) ?? earlier.at(-1)
  if (!newest)
    throw new WaybillError('not-found', 'there is no handoff whose items could be ticked off', {
      hint: 'pass the id of a note: waybill note list shows them',
    })
  return { document: newest.path, open: await openItemsAt(newest.path, headings, root) }
}

/** A text as compared: a handoff may have escaped its first character. */
function comparable(text: string): string {
  return plainText(text).replace(/^([0-9]*)\\(?=[!-/:-@[-`{-~])/, '$1')
}
