import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  currentBranch,
  openStateFolder,
  readOwnFile,
  sha256,
  stateFolder,
  worktreeOf,
} from '../workspace/index.ts'

/** What a note is about. */
export type NoteKind = 'rule' | 'decision' | 'fact' | 'open'

/** A note for the next handoff. */
export interface Note {
  readonly id: string
  readonly kind: NoteKind
  /** One line. */
  readonly text: string
  /** What a rule is about. */
  readonly scope?: string
  /** Rejected alternatives of a decision. */
  readonly rejected?: readonly string[]
  /** ISO 8601. */
  readonly at: string
  readonly by: string
  /** It was open, and is done. */
  readonly done?: boolean
}

/** An open item of the newest handoff that is done. */
export interface DoneItem {
  readonly item: string
  readonly at: string
}

/** The notes of a branch that no handoff has taken. */
export interface Notes {
  readonly notes: readonly Note[]
  readonly done: readonly DoneItem[]
}

/** One line of the file. */
type Entry =
  | { readonly note: Note }
  | { readonly doneNote: string }
  | { readonly doneItem: DoneItem }
  | { readonly taken: readonly string[]; readonly items: readonly string[]; readonly into: string }

const FOLDER = 'notes'
const MOST_BYTES = 16 * 1024 ** 2

/** Adds a note; several processes may add notes at once. */
export function addNote(root: string, note: Omit<Note, 'id'>): Note {
  const id = `n-${process
    .getBuiltinModule('node:crypto')
    .randomInt(36 ** 4, 36 ** 5)
    .toString(36)}`
  const whole = { id, ...note }
  append(root, { note: whole })
  return whole
}

/** Marks a note as done. */
export function finishNote(root: string, id: string): void {
  append(root, { doneNote: id })
}

/** Keeps for the next handoff that an open item is done. */
export function finishItem(root: string, item: DoneItem): void {
  append(root, { doneItem: item })
}

/** Ticks off what a handoff has taken. */
export function takeNotes(root: string, { notes, done }: Notes, into: string): void {
  if (notes.length + done.length === 0) return
  append(root, { taken: notes.map(({ id }) => id), items: done.map(({ item }) => item), into })
}

/** Reads the notes of the current branch and work tree that no handoff has taken. */
export function readNotes(root: string): Notes {
  const bytes = readOwnFile(join(stateFolder(root), FOLDER, nameFor(root)), MOST_BYTES)
  const waiting: Waiting = { notes: new Map(), done: new Map() }
  for (const entry of entriesIn(bytes?.toString() ?? '')) apply(entry, waiting)
  return { notes: [...waiting.notes.values()], done: [...waiting.done.values()] }
}

interface Waiting {
  readonly notes: Map<string, Note>
  readonly done: Map<string, DoneItem>
}

function apply(entry: Entry, { notes, done }: Waiting): void {
  if ('note' in entry) notes.set(entry.note.id, entry.note)
  if ('doneItem' in entry) done.set(entry.doneItem.item, entry.doneItem)
  const note = 'doneNote' in entry ? notes.get(entry.doneNote) : undefined
  if (note) notes.set(note.id, { ...note, done: true })
  if (!('taken' in entry)) return
  for (const id of entry.taken) notes.delete(id)
  for (const item of entry.items) done.delete(item)
}

/** Appends one line with one write, which the system keeps whole beside other writers. */
function append(root: string, entry: Entry): void {
  const file = join(openStateFolder(root, FOLDER), nameFor(root))
  // The line end comes first: a process that died while writing may have left half a line.
  appendFileSync(file, `\n${JSON.stringify(entry)}\n`, { mode: 0o600 })
}

function entriesIn(text: string): Entry[] {
  return text.split('\n').flatMap(line => {
    if (line === '') return []
    try {
      return [JSON.parse(line) as Entry]
    } catch {
      return []
    }
  })
}

/** Each branch of each work tree has notes of its own. */
function nameFor(root: string): string {
  const branch = currentBranch(root) ?? ''
  return `${sha256(`${worktreeOf(root)}\0${branch}`).slice(0, 16)}.jsonl`
}
