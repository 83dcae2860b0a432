import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WaybillError } from '../error.ts'
import {
  createAtomically,
  currentBranch,
  isTracked,
  openStateFolder,
  readOwnFile,
  reasonOf,
  STATE_FOLDER,
  sha256,
  stateFolder,
  worktreeOf,
} from '../workspace/index.ts'

/** What a note is: a standing rule, a decision, a fact, an open item, or the end of an open item of a handoff. */
export type NoteKind = 'rule' | 'decision' | 'fact' | 'open' | 'done'

/** A note before it has an id. */
export interface NewNote {
  readonly kind: NoteKind
  /** One line of Markdown; the text of the handoff's item for `done`. */
  readonly text: string
  /** What a rule is about: a command or path pattern. */
  readonly scope?: string
  /** The alternatives that a decision rejects. */
  readonly rejected?: readonly string[]
  /** The handoff that has the item, relative to the root; only for `done`. */
  readonly document?: string
  /** The reason; only for `done`. */
  readonly why?: string
  /** ISO 8601. */
  readonly at: string
  /** Who wrote it; the name is not proved. */
  readonly by: string
}

/** Where a note belongs. */
export interface NotePlace {
  /** Null for a detached head and outside a Git repository. */
  readonly branch: string | null
  /** The path of a linked work tree; empty for any other root. */
  readonly worktree: string
}

/** One line for the next handoff of a branch and work tree. */
export interface Note extends NewNote, NotePlace {
  readonly id: string
  /** Who ticked off an open item before it was handed over. */
  readonly done?: NoteEnd
}

/** When and by whom a note was ended. */
export interface NoteEnd {
  readonly at: string
  readonly by: string
  readonly why?: string
}

/** The document that notes were taken into. */
export interface NoteTaking extends NoteEnd {
  /** Relative to the root. */
  readonly document: string
}

/** How a note ends: its item is done, it was dropped, or a document says it from now on. */
export type NoteEnding = 'done' | 'dropped' | 'taken'

/** Being taken or dropped counts more than being done. */
const ENDINGS: readonly NoteEnding[] = ['taken', 'dropped', 'done']

const FOLDER = 'notes'
const MOST_BYTES = 1024 ** 2
const KINDS: readonly NoteKind[] = ['rule', 'decision', 'fact', 'open', 'done']
/** No letters that look like digits. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const SHORTEST_ID = 4
/** How many ids of one length to try. */
const TRIES = 8

/** Whether a word has the form of an id. */
export function isNoteId(word: string): boolean {
  return /^n-[0-9a-z]{4,16}$/.test(word)
}

/**
 * Keeps a note for the next handoff of the checked-out branch.
 *
 * Each note is a file of its own that is created whole under a free name, so concurrent writers cannot lose or tear one.
 */
export function addNote(root: string, given: NewNote): Note {
  const note = { ...given, ...notePlace(root) }
  const text = JSON.stringify(note)
  const folder = openStateFolder(root, FOLDER)
  for (let attempt = 0; ; attempt++) {
    const id = idFrom(`${attempt} ${text}`, SHORTEST_ID + Math.floor(attempt / TRIES))
    if (createAtomically(join(folder, `${id}.json`), `${text}\n`, 0o600)) return { id, ...note }
  }
}

/**
 * The notes that no document has taken, oldest first: those of the checked-out branch in this work tree, and those
 * that were written here while no branch was checked out; or those of all branches and work trees.
 *
 * @throws {WaybillError} 'input-output' when a note cannot be read, 'configuration' when Git tracks notes.
 */
export function readNotes(root: string, { all = false } = {}): Note[] {
  const names = namesIn(root)
  if (names.size === 0) return []
  mustBeOurs(root)
  const ids = [...names].flatMap(name => /^(n-[0-9a-z]+)\.json$/.exec(name)?.[1] ?? [])
  const has = (id: string, ending: NoteEnding) => names.has(`${id}.${ending}.json`)
  const notes = ids
    .filter(id => !has(id, 'taken') && !has(id, 'dropped'))
    .map(id => {
      const note = readNote(root, id)
      return has(id, 'done') ? { ...note, done: readEnd(root, id, 'done') } : note
    })
  if (all) return notes.sort(byTime)
  const place = notePlace(root)
  return notes.filter(note => isNoteOf(note, place)).sort(byTime)
}

/** Whether the next handoff at a place takes a note. */
export function isNoteOf({ branch, worktree }: Note, place: NotePlace): boolean {
  return worktree === place.worktree && (branch === place.branch || branch === null)
}

/** The branch and work tree whose notes belong together. */
export function notePlace(root: string): NotePlace {
  return { branch: currentBranch(root) ?? null, worktree: worktreeOf(root) }
}

/** A note and how it ended, if it did. */
export interface FoundNote {
  readonly note: Note
  readonly ending?: NoteEnding
  /** The document that took it. */
  readonly document?: string
}

/** Finds a note of any branch by its id, also one that has ended. */
export function findNote(root: string, id: string): FoundNote | undefined {
  const names = namesIn(root)
  if (!names.has(`${id}.json`)) return undefined
  const note = readNote(root, id)
  const ending = ENDINGS.find(one => names.has(`${id}.${one}.json`))
  if (!ending) return { note }
  const { document } = ending === 'taken' ? readEnd(root, id, ending) : {}
  return { note, ending, ...(document !== undefined && { document }) }
}

/** Ends a note; returns whether it did not already end this way. */
export function endNote(root: string, id: string, ending: NoteEnding, end: NoteEnd): boolean {
  const file = join(openStateFolder(root, FOLDER), `${id}.${ending}.json`)
  return createAtomically(file, `${JSON.stringify(end)}\n`, 0o600)
}

/**
 * Marks notes as taken into a document, so that no later handoff takes them again.
 *
 * Call it once the document is written: until then, a failure must leave the notes where they are.
 *
 * @returns the ids that this call took, without those that another one took before.
 */
export function takeNotes(root: string, ids: readonly string[], taken: NoteTaking): string[] {
  return ids.filter(id => endNote(root, id, 'taken', taken))
}

function idFrom(text: string, length: number): string {
  const bytes = Buffer.from(sha256(text), 'hex').subarray(0, length)
  return `n-${[...bytes].map(byte => LETTERS[byte % LETTERS.length]).join('')}`
}

function byTime(a: Note, b: Note): number {
  return Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : 1)
}

/** The files of notes and of their endings. */
function namesIn(root: string): ReadonlySet<string> {
  const folder = join(stateFolder(root), FOLDER)
  try {
    return new Set(readdirSync(folder))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return new Set()
    throw unreadable(folder, reasonOf(cause), cause)
  }
}

/** Tracked notes may come from an author of the repository, who would speak for the user in the next handoff. */
function mustBeOurs(root: string): void {
  const folder = `${STATE_FOLDER}/${FOLDER}`
  if (!isTracked(dirname(stateFolder(root)), folder)) return
  throw new WaybillError('configuration', `Git tracks ${folder}, so its notes may not be yours`, {
    hint: `review them, then untrack them: git rm -r --cached ${folder}`,
  })
}

function readNote(root: string, id: string): Note {
  const { file, value } = readJson(root, `${id}.json`)
  if (isNote(value)) return { ...value, id }
  throw unreadable(file, 'it is not a note')
}

function readEnd(root: string, id: string, ending: NoteEnding): NoteEnd & Partial<NoteTaking> {
  const { file, value } = readJson(root, `${id}.${ending}.json`)
  if (isSigned(value)) return value as unknown as NoteEnd
  throw unreadable(file, 'it does not say who ended the note')
}

function readJson(root: string, name: string): { readonly file: string; readonly value: unknown } {
  const file = join(stateFolder(root), FOLDER, name)
  try {
    return { file, value: JSON.parse(String(readOwnFile(file, MOST_BYTES))) }
  } catch (cause) {
    throw unreadable(file, reasonOf(cause), cause)
  }
}

function unreadable(file: string, why: string, cause?: unknown): WaybillError {
  return new WaybillError('input-output', `${file} cannot be read: ${why}`, {
    hint: 'restore it, or remove it and write the note again',
    cause,
  })
}

type Fields = Readonly<Record<string, unknown>>

function isNote(value: unknown): value is Omit<Note, 'id'> {
  if (!isSigned(value)) return false
  const { kind, text, scope, rejected = [], document, why, branch, worktree } = value
  return (
    KINDS.some(one => one === kind) &&
    typeof text === 'string' &&
    [scope, document, why].every(one => one === undefined || typeof one === 'string') &&
    Array.isArray(rejected) &&
    rejected.every(one => typeof one === 'string') &&
    (branch === null || typeof branch === 'string') &&
    typeof worktree === 'string'
  )
}

function isSigned(value: unknown): value is Fields {
  const { at, by } = (value ?? {}) as Fields
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) && typeof by === 'string'
}
