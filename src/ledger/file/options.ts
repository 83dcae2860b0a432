import type { WaybillError } from '../../error.ts'
import type { EnvelopeSigner } from '../envelope.ts'
import type { Faulty } from '../fault.ts'
import type { EntryKeys } from '../log.ts'
import type { NoteSigner, NoteVerifier } from '../note.ts'
import type { KeysOf } from './facts.ts'
import type { StoredEntry } from './group-reader.ts'

/** Verifies that a log's gateway made an entry; returns the time and the keys, or a fault. */
export type Vouch = (
  entry: StoredEntry,
) => { readonly at: number; readonly keys: EntryKeys } | Faulty

/** Options for reading a log. */
export interface FileReaderOptions {
  readonly origin: string
  /** The keys whose signatures are accepted on this log's checkpoints; several after key rotation. */
  readonly checkpointVerifier: NoteVerifier | readonly NoteVerifier[]
  /** Explains a refused checkpoint where the caller knows more. */
  readonly refused?: (note: string) => Promise<WaybillError | undefined>
  /** Reads facts from contents and tombstones alike; used to rebuild the index of keys. */
  readonly keysOf: KeysOf
  /** Verifies entries that no checkpoint covers; without it everyone who can write the files is trusted. */
  readonly vouch?: Vouch
  /** Whether a reader also finds promised entries before a checkpoint covers them. */
  readonly isPromisedRead?: boolean
}

/** Options for writing a log. */
export interface FileLogOptions extends FileReaderOptions {
  readonly checkpointSigner: NoteSigner
  readonly promiseSigner: EnvelopeSigner
  readonly lock: Lock
  /** Files outside the log's folder with its last checkpoint, which reveal an old copy of the folder. */
  readonly guards: readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The wall clock, if `now` is a given time; otherwise they are equal. */
  readonly wall?: () => number
  /** The program of the integration thread; without one, integrations run inline. */
  readonly worker?: () => URL
}

/** A lock that lets one process write at a time. */
export interface Lock {
  hold(): Promise<Held>
}

/** The held lock, until it is released. */
export interface Held {
  isWanted(): boolean
  release(): void
}
