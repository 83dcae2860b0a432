import { WaybillError } from '../../error.ts'
import { type Checkpoint, formatCheckpoint } from '../checkpoint.ts'
import { rootOf } from '../frontier.ts'
import { isSame } from '../hash.ts'
import type { SignedCheckpoint } from '../log.ts'
import { formatNote, keyOf, type NoteSignature, parseNote, signNote } from '../note.ts'
import { rootFromTiles } from '../proofs.ts'
import { replaceDurably } from './durable.ts'
import { entries, tampered } from './fault.ts'
import type { FileLogOptions } from './options.ts'
import type { Places } from './paths.ts'
import { readCheckpoint } from './reader.ts'
import { sha256 } from './sha256.ts'
import { readTile } from './tiles.ts'
import { emptyTree, readTree, stateLost, type TreeState } from './tree.ts'

/** The last signed checkpoints of a log, in its folder and in its guards. */
export interface Published {
  readonly checkpoint: SignedCheckpoint | undefined
  readonly guards: readonly (SignedCheckpoint | undefined)[]
}

/**
 * Signs the state of a tree, writes it to the guards first, then publishes it.
 *
 * A guard must never be older than what others saw: otherwise a folder restored from in between would pass, and the
 * log would sign another tree of the same size. A guard may be ahead of the checkpoint if the process was killed in
 * between; its tree is already on disk and is published again.
 */
export function publish(
  places: Places,
  options: FileLogOptions,
  tree: TreeState,
  published: Published,
): Published {
  const checkpoint = {
    origin: options.origin,
    size: tree.frontier.size,
    root: rootOf(sha256, tree.frontier),
  }
  if (isPublished(checkpoint, published)) return published
  const own = published.checkpoint
  const signed: SignedCheckpoint =
    own && own.checkpoint.size === checkpoint.size
      ? own
      : { checkpoint, note: signNote(formatCheckpoint(checkpoint), [options.checkpointSigner]) }
  for (const guard of options.guards) replaceDurably(guard, signed.note)
  if (signed !== own) replaceDurably(places.checkpoint, signed.note)
  return { checkpoint: signed, guards: options.guards.map(() => signed) }
}

/** Cosignatures on the text of a checkpoint. */
export interface Cosigned {
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/**
 * Adds cosignatures to the published checkpoint; returns nothing if its text has changed.
 *
 * The guards stay unchanged: they hold what the log signed.
 */
export function publishCosigned(
  places: Places,
  { checkpointVerifier }: FileLogOptions,
  published: Published,
  cosigned: Cosigned,
): Published | undefined {
  const own = published.checkpoint
  const note = withCosignatures(own?.note ?? '', checkpointVerifier, cosigned)
  if (!own || note === undefined) return undefined
  replaceDurably(places.checkpoint, note)
  return { ...published, checkpoint: { ...own, note } }
}

/** Adds signatures to a note, replacing older ones by the same key; returns nothing if its text differs. */
export function withCosignatures(
  published: string,
  checkpointVerifier: FileLogOptions['checkpointVerifier'],
  { text, signatures }: Cosigned,
): string | undefined {
  const note = parseNote(published)
  if ('fault' in note || note.text !== text) return undefined
  // Never replace a signature by the log's own key.
  const ours = new Set([checkpointVerifier].flat().map(keyOf))
  const added = new Map(signatures.map(one => [keyOf(one), one]))
  for (const key of ours) added.delete(key)
  const kept = note.signatures.filter(one => !added.has(keyOf(one)))
  return formatNote(text, [...kept, ...added.values()])
}

function isPublished({ size }: Checkpoint, { checkpoint, guards }: Published): boolean {
  return [checkpoint, ...guards].every(signed => signed?.checkpoint.size === size)
}

/** Reads the state of a log under its lock; fails if it is older than, or differs from, what was signed. */
export async function readState(
  places: Places,
  options: FileLogOptions,
  known: Published | undefined,
): Promise<{ tree: TreeState; published: Published }> {
  const checkpoint = await readCheckpoint(places.checkpoint, options, known?.checkpoint)
  const guards: (SignedCheckpoint | undefined)[] = []
  for (const [i, file] of options.guards.entries())
    guards.push(await readCheckpoint(file, options, known?.guards[i]))
  const kept = readTree(places)
  // The state is on disk before any checkpoint covers an entry.
  if (!kept && checkpoint && checkpoint.checkpoint.size > 0)
    throw stateLost(`the file of its state, ${places.tree}, is missing`)
  const tree = kept ?? emptyTree(options.origin)
  if (tree.origin !== options.origin)
    throw tampered(`${places.folder} is the ledger ${tree.origin}, not ${options.origin}`)
  await refusingWrongTiles(places, tree)
  for (const [i, signed] of [checkpoint, ...guards].entries()) {
    const file = i === 0 ? places.checkpoint : (options.guards[i - 1] ?? '')
    if (signed) await refusingOlderTree(places, tree, signed.checkpoint, file)
  }
  return { tree, published: { checkpoint, guards } }
}

async function refusingWrongTiles({ folder, tree: file }: Places, tree: TreeState): Promise<void> {
  const root = await rootOfSize(folder, tree.frontier.size)
  if (!isSame(root, rootOf(sha256, tree.frontier)))
    throw tampered(`${file} and the tiles describe different trees`)
}

async function refusingOlderTree(
  { folder }: Places,
  { frontier }: TreeState,
  signed: Checkpoint,
  file: string,
): Promise<void> {
  if (signed.size > frontier.size)
    throw tampered(
      `it has ${entries(frontier.size)}, and ${file} was signed when it had ${signed.size}`,
    )
  const root =
    signed.size === frontier.size ? rootOf(sha256, frontier) : await rootOfSize(folder, signed.size)
  if (!isSame(root, signed.root))
    throw tampered(`its first ${signed.size} entries differ from those that ${file} was signed for`)
}

async function rootOfSize(folder: string, size: number) {
  try {
    return await rootFromTiles(sha256, size, tile => readTile(folder, tile))
  } catch (cause) {
    // An unreadable tile does not prove tampering.
    if (cause instanceof WaybillError && (cause.cause || cause.code !== 'input-output')) throw cause
    throw tampered('a tile is damaged', cause)
  }
}
