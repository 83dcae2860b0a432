import { openTrusted, readNote, type TrustedCheckpoint } from './checkpoint.ts'
import { type Erasure, stretchAuditor } from './stretch.ts'
import type { AuditTrust } from './trust.ts'

/**
 * What was recorded as erased since a checkpoint was read: whoever erases while a log is verified publishes first that it
 * is erased, and takes the content away then.
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
