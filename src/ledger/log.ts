import type { Checkpoint } from './checkpoint.ts'
import type { NoteSignature } from './note.ts'
import type { Receipt } from './receipt.ts'
import type { Tile } from './tile.ts'

/** An entry to append: the leaf goes into the tree, the content is stored separately, so that it can be erased. */
export interface Draft {
  /** At most 65,535 bytes. */
  readonly leaf: Uint8Array
  /** One line. */
  readonly content: string
  /** Lower-case hex: the name of the entry. */
  readonly digest: string
  readonly keys: EntryKeys
  /** The state that it depends on: appended only if that is unchanged. */
  readonly seen?: readonly SeenLast[]
}

/** The last entry with a key at the time of reading; undefined if there was none. */
export interface SeenLast {
  readonly key: string
  readonly last: number | undefined
}

/** Builds the draft for a gateway time; called again if another append came first. */
export type DraftMaker = (time: number) => Draft

/** The keys by which an entry is found, each one line of text. */
export interface EntryKeys {
  /** Unique for the life of the log: a second entry with one of these is refused. */
  readonly unique: readonly string[]
  readonly also: readonly string[]
}

/** Nothing was appended: a unique key is taken, or a key has a newer entry. */
export interface Taken {
  readonly taken: string
  readonly index: number
  readonly digest: string
}

/** A checkpoint, with its signed note. */
export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly note: string
}

/** The clocks at the last append. */
export interface LastClock {
  /** Gateway time, in milliseconds since the epoch. */
  readonly time: number
  /** The wall clock, in milliseconds since the epoch; behind `time` if it was set back. */
  readonly wall: number
  /** The boot id; empty if the system has none. */
  readonly boot: string
  /** Milliseconds since boot, including sleep. */
  readonly uptime: number
}

/** The facts of an entry that follow from its content. */
export interface EntryFacts {
  readonly digest: string
  readonly keys: EntryKeys
  /** Set on a tombstone, whose keys only the recorded erasure can confirm. */
  readonly isErased?: true
  /** For an erasure: the erased entry, with its keys if stated. */
  readonly erases?: { readonly digest: string; readonly keys: EntryKeys | undefined }
}

/** A log as seen by readers: what its last published checkpoint covers. */
export interface LogReader {
  readonly origin: string
  checkpoint(): Promise<SignedCheckpoint | undefined>
  tile(tile: Tile): Promise<Uint8Array>
  /** The content of a leaf: what was appended, or the tombstone that replaced it. */
  content(index: number): Promise<string | undefined>
  /** The indices of the entries with a key, ascending. */
  find(key: string): Promise<readonly number[]>
  /** The number of entries that the published checkpoint covers. */
  size(): Promise<number>
  lastClock(): Promise<LastClock | undefined>
}

/** A log that can be appended to; also finds and reads entries that are promised but not published. */
export interface Log extends LogReader {
  /** Resolves when the entry is durable. */
  append(draft: Draft | DraftMaker): Promise<Receipt | Taken>
  /** Resolves when a published checkpoint covers everything appended so far. */
  covered(): Promise<SignedCheckpoint>
  /** Replaces the content of a leaf with a tombstone. The tree and the index of keys stay unchanged. */
  erase(index: number, tombstone: string): Promise<void>
  /**
   * Adds verified witness signatures to the published checkpoint, replacing older ones by the same key; they stay
   * until the log grows. Returns nothing if the checkpoint's text has changed.
   */
  cosign(text: string, signatures: readonly NoteSignature[]): Promise<SignedCheckpoint | undefined>
  /** Gateway time: the given time or, if later, the last one returned; stored with the next append. */
  time(now: number): number
  /** Publishes what is left, and lets others write. */
  close(): Promise<void>
}
