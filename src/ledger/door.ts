/**
 * The public API `waybill/ledger`: the formats and proofs of the ledger, without Node or storage.
 * SHA-256 and signature verification are parameters; verification may be asynchronous.
 *
 * ```ts
 * import { parseInclusionFile } from 'waybill/ledger'
 *
 * const file = parseInclusionFile('anything')
 * if ('fault' in file) console.log(file.fault)
 * ```
 */
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
export { appendLeaf, EMPTY_FRONTIER, type Frontier, rootOf } from './frontier.ts'
export { emptyRoot, type Hash, leafHash, nodeHash, type Sha256 } from './hash.ts'
export {
  formatInclusionFile,
  type Included,
  type InclusionFile,
  parseInclusionFile,
  verifyInclusionFile,
} from './inclusion-file.ts'
export { type Leaf, leafOf, parseLeaf } from './leaf.ts'
export {
  formatNote,
  keyOf,
  type Note,
  type NoteSignature,
  type NoteSigner,
  type NoteVerifier,
  type OpenedNote,
  openNote,
  parseNote,
  signNote,
} from './note.ts'
export {
  COSIGNATURE,
  ED25519,
  formatVerifierKey,
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
  type Inclusion,
  inclusionProof,
  isConsistent,
  isIncluded,
  rootFromTiles,
} from './proofs.ts'
export { type BatchPromise, type Receipt, readPromise, verifyReceipt } from './receipt.ts'
export {
  formatStatement,
  parseStatement,
  STATEMENT_PAYLOAD,
  type Statement,
  type Subject,
} from './statement.ts'
export {
  decodeBundle,
  encodeBundle,
  parseTilePath,
  TILE_WIDTH,
  type Tile,
  tileAt,
  tilePath,
  tilesOf,
} from './tile.ts'
export type { ReadTile } from './tile-reader.ts'
export { isQuorumMet, openByPolicy, parsePolicy, type WitnessPolicy } from './witness-policy.ts'
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
