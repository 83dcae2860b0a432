import { WaybillError } from '../../error.ts'
import type { Draft } from '../log.ts'

const LONGEST_LEAF = 65_535

/** Refuses what no log could hold; that a caller tries is a defect of the caller. */
export function refuseBadDraft({ leaf, content, digest, keys }: Draft): void {
  if (leaf.length > LONGEST_LEAF)
    throw new WaybillError('internal', `a leaf of ${leaf.length} bytes is too long for a log`)
  if (!/^[0-9a-f]{64}$/.test(digest))
    throw new WaybillError('internal', `'${digest}' is not the digest of an entry`)
  refuseBadLine(content)
  for (const key of keys.unique) refuseBadLine(key)
  for (const key of keys.also) refuseBadLine(key)
}

/** Refuses text that would not be read back as the one line that it is. */
export function refuseBadLine(text: string): void {
  if (text === '' || text.includes('\n'))
    throw new WaybillError('internal', 'what a log holds is one line of text')
}
