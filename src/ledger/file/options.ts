import type { WaybillError } from '../../error.ts'
import type { EnvelopeSigner } from '../envelope.ts'
import type { Faulty } from '../fault.ts'
import type { EntryKeys } from '../log.ts'
import type { NoteSigner, NoteVerifier } from '../note.ts'
import type { KeysOf } from './facts.ts'
import type { StoredEntry } from './group-reader.ts'

/** Tells when the gateway of a log has made an entry, and by what it is found; or that it is none of that gateway's. */
export type Vouch = (
  entry: StoredEntry,
) => { readonly at: number; readonly keys: EntryKeys } | Faulty

/** What it takes to read a log. */
export interface FileReaderOptions {
  readonly origin: string
  /** The key whose signature makes a checkpoint one of this log; several where it was succeeded by others. */
  readonly checkpointVerifier: NoteVerifier | readonly NoteVerifier[]
  /** What is said of a checkpoint that does not count, where more is known of it than that. */
  readonly refused?: (note: string) => Promise<WaybillError | undefined>
  /** For contents and tombstones alike; used when the index of keys has to be built anew. */
  readonly keysOf: KeysOf
  /** Asked about entries that no checkpoint covers; without it whoever may write the files is trusted with them. */
  readonly vouch?: Vouch
  /** Whether who only reads finds what is promised too, before a checkpoint covers it. */
  readonly isPromisedRead?: boolean
}

/** What it takes to write a log. */
export interface FileLogOptions extends FileReaderOptions {
  readonly checkpointSigner: NoteSigner
  readonly promiseSigner: EnvelopeSigner
  readonly lock: Lock
  /** Files outside the log's folder that hold its last checkpoint, so that an old copy of the folder is found out. */
  readonly guards: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** What the wall clock says, where `now` is a time that was given by hand; else they are one. */
  readonly wall?: () => number
  /** The program of the thread that does large integrations; without one they are done in between. */
  readonly worker?: () => URL
}

/** What lets one process write at a time. */
export interface Lock {
  hold(): Promise<Held>
}

/** The right to write, until it is given back. */
export interface Held {
  isWanted(): boolean
  release(): void
}
