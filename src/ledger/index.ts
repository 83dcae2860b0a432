/**
 * A log that outsiders can verify: an RFC 6962 tree in C2SP files and words, with envelopes and receipts beside it.
 *
 * An entry is some bytes; its leaf hash stands in the tree. A checkpoint is what the log signs of itself: origin,
 * size and root. An inclusion proof shows that an entry stands under a checkpoint, a consistency proof that a later
 * checkpoint only appended to an earlier one. Tiles are the files of the tree, 256 hashes each. A note is a text with
 * signatures under it; checkpoints are notes, and witnesses add theirs. What is read from outside and counts for
 * nothing comes back as `{ fault }`; nothing here throws on bad text.
 *
 * ```ts
 * const entry = new TextEncoder().encode('first')
 * const leaf = leafHash(sha256, entry)
 * const root = rootOf(sha256, appendLeaf(sha256, EMPTY_FRONTIER, leaf))
 * isIncluded(sha256, { index: 0, size: 1, leaf, proof: [], root }) // true
 * ```
 *
 * May not know what an entry means, speak SQL, or (but for `file/`) use Node: `sha256` and signatures are parameters.
 */
export { auditTree, type Damage } from './audit.ts'
export { fromBase64, fromHex, toBase64, toHex } from './base64.ts'
export {
  type Bundled,
  type BundleTrust,
  bundleOf,
  logIdOf,
  parseBundle,
  type SigstoreBundle,
  verifyBundle,
} from './bundle.ts'
export { canonicalJson, parseCanonicalJson } from './canonical.ts'
export {
  type Checkpoint,
  formatCheckpoint,
  type OpenedCheckpoint,
  openCheckpoint,
  parseCheckpoint,
} from './checkpoint.ts'
export {
  type Cosignature,
  cosignatureVerifier,
  cosigner,
  formatCosignature,
  parseCosignature,
} from './cosignature.ts'
export {
  type Envelope,
  type EnvelopeSignature,
  type EnvelopeSigner,
  formatEnvelope,
  paeOf,
  parseEnvelope,
  signEnvelope,
  signedBytes,
  type VerifySignature,
} from './envelope.ts'
export type { Faulty } from './fault.ts'
export { replaceDurably } from './file/durable.ts'
export { openFileLog } from './file/file-log.ts'
export type { FileFault, FileFinding } from './file/finding.ts'
export { auditFolder } from './file/folder-audit.ts'
export { readStretch, type StoredEntry } from './file/group-reader.ts'
export { IndexAudit, type KeyedStretch } from './file/index-audit.ts'
export { KeyRecords } from './file/key-run.ts'
export type { FileLogOptions, FileReaderOptions, Held, Lock } from './file/options.ts'
export { openFileLogReader } from './file/reader.ts'
export { auditState, type PendingEntry, promisedUntil } from './file/state-audit.ts'
export { readTile } from './file/tiles.ts'
export { UniqueAudit } from './file/unique-audit.ts'
export { appendLeaf, EMPTY_FRONTIER, type Frontier, rootOf } from './frontier.ts'
export {
  emptyRoot,
  type Hash,
  isSame,
  leafHash,
  nodeHash,
  type Sha256,
  subtreeHash,
} from './hash.ts'
export {
  formatInclusionFile,
  type Included,
  type InclusionFile,
  parseInclusionFile,
  verifyInclusionFile,
} from './inclusion-file.ts'
export { cutLeaf, type Leaf, leafOf, leafOfDigest, parseLeaf } from './leaf.ts'
export type {
  Draft,
  DraftMaker,
  EntryFacts,
  EntryKeys,
  LastClock,
  Log,
  LogReader,
  SignedCheckpoint,
  Taken,
} from './log.ts'
export {
  formatNote,
  formatSignature,
  isKeyName,
  keyOf,
  type Note,
  type NoteSignature,
  type NoteSigner,
  type NoteVerifier,
  type OpenedNote,
  openNote,
  parseNote,
  parseSignatures,
  signNote,
} from './note.ts'
export {
  COSIGNATURE,
  ED25519,
  formatVerifierKey,
  keyId,
  noteSigner,
  noteVerifier,
  parseVerifierKey,
  type VerifierKey,
  type VerifyEd25519,
  verifierKey,
} from './note-key.ts'
export {
  type Consistency,
  consistencyProof,
  frontierFromTiles,
  type Inclusion,
  inclusionProof,
  isConsistent,
  isIncluded,
  rootFromTiles,
} from './proofs.ts'
export {
  type BatchPromise,
  batchReceipts,
  type Receipt,
  readPromise,
  verifyReceipt,
} from './receipt.ts'
export {
  formatStatement,
  parseStatement,
  STATEMENT_PAYLOAD,
  type Statement,
  type Subject,
} from './statement.ts'
export { parseStatementParts } from './statement-parts.ts'
export {
  decodeBundle,
  encodeBundle,
  newTiles,
  parseTilePath,
  TILE_WIDTH,
  type Tile,
  tileAt,
  tilePath,
  tilesOf,
} from './tile.ts'
export type { ReadTile } from './tile-reader.ts'
export {
  isQuorumMet,
  openByPolicy,
  parsePolicy,
  type WitnessPolicy,
} from './witness-policy.ts'
export type { Group, Party } from './witness-policy-line.ts'
export {
  formatWitnessRequest,
  judgeWitnessRequest,
  parseWitnessRequest,
  type WitnessAnswer,
  type WitnessKnowledge,
  type WitnessRefusal,
  type WitnessRequest,
} from './witness-request.ts'
