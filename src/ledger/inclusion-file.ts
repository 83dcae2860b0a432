import { fromBase64, toBase64 } from './base64.ts'
import type { OpenedCheckpoint } from './checkpoint.ts'
import { parseDecimal } from './decimal.ts'
import type { Faulty } from './fault.ts'
import type { Hash, Sha256 } from './hash.ts'
import { isIncluded } from './proofs.ts'
import { formatHashes, parseHashes } from './witness-request.ts'

/** An offline inclusion proof of an entry (C2SP tlog-proof, `c2sp.org/tlog-proof@v1`). */
export interface InclusionFile {
  readonly index: number
  readonly proof: readonly Hash[]
  /** The signed note. */
  readonly checkpoint: string
  /** Application data; not authenticated. */
  readonly extra?: Uint8Array
}

/** The verified result: the entry is at `index` in the log that this checkpoint describes. */
export interface Included extends OpenedCheckpoint {
  readonly index: number
}

const HEADER = 'c2sp.org/tlog-proof@v1'

/** Formats a proof file. */
export function formatInclusionFile({ index, proof, checkpoint, extra }: InclusionFile): string {
  const more = extra === undefined ? '' : `extra ${toBase64(extra)}\n`
  return `${HEADER}\n${more}index ${index}\n${formatHashes(proof)}\n${checkpoint}`
}

/** Parses a proof file without verifying it. */
export function parseInclusionFile(text: string): InclusionFile | Faulty {
  const end = text.indexOf('\n\n')
  if (end === -1) return { fault: 'no empty line before the checkpoint' }
  const [header, ...lines] = text.slice(0, end).split('\n')
  if (header !== HEADER) return { fault: `the first line is not '${HEADER}'` }
  const extra = lines[0]?.startsWith('extra ') ? fromBase64(lines.shift()?.slice(6) ?? '') : null
  if (extra === undefined) return { fault: 'the extra data is not base64' }
  const head = lines.shift() ?? ''
  const index = head.startsWith('index ') ? parseDecimal(head.slice(6)) : undefined
  if (index === undefined) return { fault: "there is no line 'index <number>'" }
  const proof = parseHashes(lines)
  if (!proof) return { fault: 'the proof is not lines of base64, each of 32 bytes' }
  const file = { index, proof, checkpoint: text.slice(end + 2) }
  return extra ? { ...file, extra } : file
}

/**
 * Verifies a proof file for an entry, given its leaf hash. `open` verifies the checkpoint: `openCheckpoint` with
 * trusted keys, or `openByPolicy`.
 */
export async function verifyInclusionFile(
  sha256: Sha256,
  text: string,
  leaf: Hash,
  open: (note: string) => Promise<OpenedCheckpoint | Faulty>,
): Promise<Included | Faulty> {
  const file = parseInclusionFile(text)
  if ('fault' in file) return file
  const opened = await open(file.checkpoint)
  if ('fault' in opened) return opened
  const { size, root } = opened.checkpoint
  const { index, proof } = file
  return isIncluded(sha256, { index, size, leaf, proof, root })
    ? { ...opened, index }
    : { fault: `the proof does not prove this entry at ${index} in the log of ${size}` }
}
