import type { Checkpoint } from './checkpoint.ts'
import type { NoteSignature } from './note.ts'
import type { Receipt } from './receipt.ts'
import type { Tile } from './tile.ts'

/** What is appended to a log: the leaf goes into the tree, the content beside it, from where it can be erased. */
export interface Draft {
  /** At most 65,535 bytes. */
  readonly leaf: Uint8Array
  /** One line. */
  readonly content: string
  /** Lower-case hex: the name of the entry. */
  readonly digest: string
  readonly keys: EntryKeys
  /** What it was decided on: appended only while that is still so. */
  readonly seen?: readonly SeenLast[]
}

/** Which entry was the last that has a key when somebody looked; undefined where there was none. */
export interface SeenLast {
  readonly key: string
  readonly last: number | undefined
}

/** Makes what is appended at a gateway time; it may be asked again, where others came first. */
export type DraftMaker = (time: number) => Draft

/** By what an entry is found again; keys are lines of text. */
export interface EntryKeys {
  /** Taken for the life of the log: of two entries with one of these the second is refused. */
  readonly unique: readonly string[]
  readonly also: readonly string[]
}

/** Says that a unique key belongs to an earlier entry, or that a key has got a newer one; nothing was appended. */
export interface Taken {
  readonly taken: string
  readonly index: number
  readonly digest: string
}

/** A checkpoint, and the signed note that it was read from. */
export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly note: string
}

/** What the clocks said when a log was last appended to. */
export interface LastClock {
  /** Gateway time, in milliseconds since 1970. */
  readonly time: number
  /** What the wall clock said, in milliseconds since 1970; behind `time` if it was set back. */
  readonly wall: number
  /** Names the time between two starts of the machine; empty where the system does not tell. */
  readonly boot: string
  /** Milliseconds since the machine was started, time asleep included. */
  readonly uptime: number
}

/** What can be known of an entry by its content alone. */
export interface EntryFacts {
  readonly digest: string
  readonly keys: EntryKeys
  /** That this is a tombstone: nothing vouches for its keys but the erasure that is recorded. */
  readonly isErased?: true
  /** Of an erasure: which entry it erases, and the keys of that one where it states them. */
  readonly erases?: { readonly digest: string; readonly keys: EntryKeys | undefined }
}

/** A log as anybody sees it who may read it: what its last published checkpoint covers. */
export interface LogReader {
  readonly origin: string
  checkpoint(): Promise<SignedCheckpoint | undefined>
  tile(tile: Tile): Promise<Uint8Array>
  /** What stands beside a leaf: what was appended, or the tombstone that took its place. */
  content(index: number): Promise<string | undefined>
  /** The indices of the entries that have a key, ascending. */
  find(key: string): Promise<readonly number[]>
  /** How many entries the published checkpoint covers. */
  size(): Promise<number>
  lastClock(): Promise<LastClock | undefined>
}

/** A log that can be appended to; what it has promised but not published yet is found as well, and can be read. */
export interface Log extends LogReader {
  /** Resolves when the entry can no longer be lost. */
  append(draft: Draft | DraftMaker): Promise<Receipt | Taken>
  /** Resolves when everything that was appended so far stands under a published checkpoint. */
  covered(): Promise<SignedCheckpoint>
  /** Puts a tombstone in the place of what stands beside a leaf. The tree stays as it is, and so does the index of keys. */
  erase(index: number, tombstone: string): Promise<void>
  /**
   * Adds the signatures of witnesses to the published checkpoint, each in place of an older one by the same key, until the
   * log grows. They must have been verified. Gives nothing if the checkpoint's text is no longer the one they are for.
   */
  cosign(text: string, signatures: readonly NoteSignature[]): Promise<SignedCheckpoint | undefined>
  /** Gateway time: what is given for now, or if that is later, the last time that was; kept with the next append. */
  time(now: number): number
  /** Publishes what is left, and lets others write. */
  close(): Promise<void>
}
