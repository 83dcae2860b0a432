import { WaybillError } from '../../error.ts'
import type { Draft } from '../log.ts'

const LONGEST_LEAF = 65_535

/** Fails for a draft that no log can hold, a bug in the caller. */
export function refuseBadDraft({ leaf, content, digest, keys }: Draft): void {
  if (leaf.length > LONGEST_LEAF)
    throw new WaybillError('internal', `a leaf of ${leaf.length} bytes is too long for a log`)
  if (!/^[0-9a-f]{64}$/.test(digest))
    throw new WaybillError('internal', `'${digest}' is not the digest of an entry`)
  refuseBadLine(content)
  for (const key of keys.unique) refuseBadLine(key)
  for (const key of keys.also) refuseBadLine(key)
}

/** Fails for text that would not read back as one line. */
export function refuseBadLine(text: string): void {
  if (text === '' || text.includes('\n'))
    throw new WaybillError('internal', 'a log entry must be one line of text')
}
