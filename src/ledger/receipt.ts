import { fromBase64, fromHex, toBase64, toHex } from './base64.ts'
import { pathIn, smallTree } from './batch.ts'
import { canonicalJson, parseCanonicalJson } from './canonical.ts'
import {
  type Envelope,
  type EnvelopeSigner,
  envelopeFrom,
  paeOf,
  signEnvelope,
  type VerifySignature,
} from './envelope.ts'
import type { Faulty } from './fault.ts'
import { HASH_SIZE, type Hash, leafHash, type Sha256 } from './hash.ts'
import { isIncluded } from './proofs.ts'

/** The payload type of a promise. */
export const PROMISE_PAYLOAD = 'application/vnd.waybill.promise+json'

/** A log's promise for entries that are durable but not yet under a checkpoint: their places in the log. */
export interface BatchPromise {
  readonly origin: string
  /** Index of the batch's first entry in the log. */
  readonly first: number
  /** The number of entries in the batch. */
  readonly size: number
  /** Hex root of the batch's own tree; its entries are leaf hash and digest, 64 bytes. */
  readonly root: string
  /** When the batch became durable, in milliseconds since the epoch, by the log's clock. */
  readonly time: number
}

/** A log's signed promise of one entry; all entries of one group commit share a signature. */
export interface Receipt {
  readonly index: number
  /** Hex SHA-256 of what the entry's signature covers: the entry's name. */
  readonly digest: string
  /** Hex RFC 6962 hash of the entry's leaf. */
  readonly leaf: string
  /** Inclusion path in the batch's own tree, from the leaf up, in base64. */
  readonly path: readonly string[]
  readonly promise: Envelope
}

/** The entries of one group commit. */
export interface Batch {
  readonly origin: string
  readonly first: number
  /** At least one, in log order; digests in hex. */
  readonly entries: readonly { readonly leaf: Hash; readonly digest: string }[]
  readonly time: number
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Makes the receipts of all entries in a batch with one signature. */
export function batchReceipts(sha256: Sha256, batch: Batch, signer: EnvelopeSigner): Receipt[] {
  const { origin, first, entries, time } = batch
  const tree = smallTree(
    sha256,
    entries.map(({ leaf, digest }) => batchLeaf(sha256, leaf, mustRead(digest))),
  )
  const claim: BatchPromise = { origin, first, size: entries.length, root: toHex(tree.root), time }
  const text = canonicalJson(claim)
  if (typeof text !== 'string') throw new TypeError(`cannot make a promise: ${text.fault}`)
  const promise = signEnvelope(PROMISE_PAYLOAD, new TextEncoder().encode(text), [signer])
  // A node occurs in the paths of many leaves; encode it once.
  const levels = tree.levels.map(level => level.map(toBase64))
  return entries.map(({ leaf, digest }, at) => ({
    index: first + at,
    digest,
    leaf: toHex(leaf),
    path: pathIn(levels, at),
    promise,
  }))
}

function mustRead(digest: string): Hash {
  const bytes = hash(digest)
  if (bytes) return bytes
  throw new TypeError(`cannot make a promise: '${digest}' is not the digest of an entry`)
}

/** Verifies a receipt against the signature of its promise. */
export async function verifyReceipt(
  sha256: Sha256,
  receipt: unknown,
  verify: VerifySignature,
): Promise<true | Faulty> {
  const parts = partsOf(receipt)
  if (parts === undefined) return { fault: 'the receipt does not have the parts of a receipt' }
  const { index, leaf, digest, path, promise } = parts
  const claim = readPromise(promise)
  if ('fault' in claim) return claim
  const { first, size } = claim
  if (index < first || index >= first + size)
    return { fault: `the promise does not include entry ${index}` }
  const included = isIncluded(sha256, {
    index: index - first,
    size,
    leaf: batchLeaf(sha256, leaf, digest),
    proof: path,
    root: fromHex(claim.root) ?? new Uint8Array(),
  })
  if (!included) return { fault: 'the promise does not cover the entry of the receipt' }
  const [signature] = promise.signatures
  const payload = fromBase64(promise.payload)
  const bytes = fromBase64(signature?.sig ?? '')
  if (!signature || !payload || !bytes) return { fault: 'the promise cannot be read' }
  return (
    (await verify(signature.keyid, paeOf(promise.payloadType, payload), bytes)) || {
      fault: 'the signature of the promise does not verify with a key of the log',
    }
  )
}

/** Parses a promise without verifying its signature. */
export function readPromise(promise: Envelope): BatchPromise | Faulty {
  if (promise.payloadType !== PROMISE_PAYLOAD || promise.signatures.length !== 1)
    return { fault: 'the promise is not a payload of its type with one signature' }
  let read: ReturnType<typeof parseCanonicalJson>
  try {
    read = parseCanonicalJson(decoder.decode(fromBase64(promise.payload)))
  } catch {
    return { fault: 'the promise is not UTF-8' }
  }
  if ('fault' in read) return { fault: `the promise ${read.fault}` }
  return isPromise(read.value)
    ? read.value
    : { fault: 'the promise does not have the parts of a promise' }
}

/** Binds a leaf's place in the log to the name of its entry. */
function batchLeaf(sha256: Sha256, leaf: Hash, digest: Hash): Hash {
  const entry = new Uint8Array(2 * HASH_SIZE)
  entry.set(leaf)
  entry.set(digest, HASH_SIZE)
  return leafHash(sha256, entry)
}

function isPromise(value: unknown): value is BatchPromise {
  if (!isObject(value) || Object.keys(value).length !== 5) return false
  const { origin, first, size, root, time } = value
  return (
    typeof origin === 'string' &&
    origin !== '' &&
    isCount(first) &&
    isCount(size) &&
    Number.isSafeInteger(first + size) &&
    hash(root) !== undefined &&
    isCount(time)
  )
}

function partsOf(receipt: unknown) {
  if (!isObject(receipt) || Object.keys(receipt).length !== 5) return undefined
  const { index, path } = receipt
  const [leaf, digest] = [hash(receipt.leaf), hash(receipt.digest)]
  const promise = envelopeFrom(receipt.promise)
  if (!isCount(index) || !leaf || !digest || !Array.isArray(path) || 'fault' in promise)
    return undefined
  const hashes = path.map((part: unknown) =>
    typeof part === 'string' ? fromBase64(part) : undefined,
  )
  if (!hashes.every(part => part?.length === 32)) return undefined
  return { index, leaf, digest, promise, path: hashes.filter(part => part !== undefined) }
}

function hash(value: unknown): Hash | undefined {
  const bytes = typeof value === 'string' ? fromHex(value) : undefined
  return bytes?.length === 32 ? bytes : undefined
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
