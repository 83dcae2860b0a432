/**
 * A log that outsiders can verify: an RFC 6962 tree in C2SP formats, with envelopes and receipts.
 *
 * An entry is bytes; its leaf hash is in the tree. A checkpoint is the log's signed state: origin, size and root. An
 * inclusion proof shows that a checkpoint covers an entry, a consistency proof that a later checkpoint only appended
 * to an earlier one. Tiles are the files of the tree, 256 hashes each. A note is a text with signatures below it;
 * checkpoints are notes, and witnesses add their signatures. Invalid input returns `{ fault }`; nothing here throws on
 * bad text.
 *
 * ```ts
 * const entry = new TextEncoder().encode('first')
 * const leaf = leafHash(sha256, entry)
 * const root = rootOf(sha256, appendLeaf(sha256, EMPTY_FRONTIER, leaf))
 * isIncluded(sha256, { index: 0, size: 1, leaf, proof: [], root }) // true
 * ```
 *
 * Must not interpret entries, use SQL, or (except `file/`) use Node: `sha256` and signatures are parameters.
 */
export { auditTree, type Damage } from './audit.ts'
// biome-ignore lint/performance/noReExportAll: what the package shows is listed once, and the bundler takes what is used
export * from './door.ts'
export { AppendQueue, type Ready } from './file/append-queue.ts'
export { readClocks } from './file/clocks.ts'
export { readLines } from './file/content.ts'
export { refuseBadDraft, refuseBadLine } from './file/draft.ts'
export { replaceDurably } from './file/durable.ts'
export { entries, tampered } from './file/fault.ts'
export { openFileLog } from './file/file-log.ts'
export type { FileFault, FileFinding } from './file/finding.ts'
export { auditFolder } from './file/folder-audit.ts'
export { mostEntries, readStretch, type StoredEntry } from './file/group-reader.ts'
export { IndexAudit, type KeyedStretch } from './file/index-audit.ts'
export { KeyRecords } from './file/key-records.ts'
export { indicesIn, keyHash, recordsOf } from './file/key-run.ts'
export { LONGEST_LINE } from './file/lines.ts'
export { type KeyRow, LogFolder } from './file/log-folder.ts'
export type { FileLogOptions, FileReaderOptions, Held, Lock, Vouch } from './file/options.ts'
export { contentPath } from './file/paths.ts'
export { withCosignatures } from './file/published.ts'
export { openFileLogReader, openSigned, readCheckpoint } from './file/reader.ts'
export { hasSeal, isSealed, readSeal, type Seal, sealFolder } from './file/seal.ts'
export { sealFileLog } from './file/sealing.ts'
export { sha256 } from './file/sha256.ts'
export { auditState, type PendingEntry, promisedUntil } from './file/state-audit.ts'
export { readTile } from './file/tiles.ts'
export { hasTree } from './file/tree.ts'
export { TurnOfEvents } from './file/turn-of-events.ts'
export { UniqueAudit } from './file/unique-audit.ts'
export { HASH_SIZE, isSame, subtreeHash } from './hash.ts'
export { cutLeaf, leafOfDigest } from './leaf.ts'
export type {
  Draft,
  DraftMaker,
  EntryFacts,
  EntryKeys,
  LastClock,
  Log,
  LogReader,
  SeenLast,
  SignedCheckpoint,
  Taken,
} from './log.ts'
export { formatSignature, isKeyName, parseSignatures } from './note.ts'
export { keyId } from './note-key.ts'
export { frontierFromTiles } from './proofs.ts'
export { batchReceipts } from './receipt.ts'
export { parseStatementParts } from './statement-parts.ts'
export { newTiles } from './tile.ts'
