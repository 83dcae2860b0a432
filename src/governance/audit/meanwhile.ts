import { openTrusted, readNote, type TrustedCheckpoint } from './checkpoint.ts'
import { type Erasure, stretchAuditor } from './stretch.ts'
import type { AuditTrust } from './trust.ts'

/**
 * Returns the erasures recorded since a checkpoint was read: an erasure publishes its entry before it removes the
 * content, so an audit can find the content gone and the entry beyond its checkpoint.
 */
export function erasuresSince(
  { folder, trust }: { readonly folder: string; readonly trust: AuditTrust },
  { checkpoint: { origin, size } }: TrustedCheckpoint,
): readonly Erasure[] {
  const note = readNote(folder)
  const opened = typeof note === 'string' ? openTrusted(note, trust) : note
  if ('code' in opened || opened.checkpoint.origin !== origin) return []
  const to = opened.checkpoint.size
  const audit = stretchAuditor({ folder, size: to, keys: trust.entries(origin), wanted: [] })
  return audit({ from: size, to }).erasures
}
