import { checkDocument } from '../../contract/index.ts'
import type { Json } from '../../document/index.ts'
import type { Opened } from './opened.ts'
import { byAgent, type Fields, fieldAt, isObject, placeOf, sound } from './sound-part.ts'

/** The valid part of a lock. */
export interface SoundLock {
  /** The lock with placeholders for its invalid parts. */
  readonly value: Json
  /** Tells whether a diagnostic is about a placeholder. */
  isPutIn(pointer: string): boolean
}

/** Returns the valid part of a lock whose structure is invalid; undefined if its entries cannot be identified. */
export function soundLock(lock: Opened): SoundLock | undefined {
  const { value, document, recognised, loaded, faulty } = lock
  if (document.faults.length > 0 || !isObject(value) || !isObject(value.prompts)) return undefined
  const faults = byAgent(faulty)
  const putIn = new Set<string>()
  // Totals cannot be verified if they, or the type of an agent, are invalid.
  let isCounted = !faulty.some(([name]) => name === 'integrity')
  const entries = Object.entries(value.prompts).map(([id, entry]): [string, Json] => {
    const own = faults.get(placeOf(['prompts', id]))
    if (!own) return [id, entry]
    const paths = own.map(([, , ...rest]) => rest)
    const kept = isObject(entry) ? sound(entry, paths) : {}
    for (const field of Object.keys(ENTRY).filter(name => !Object.hasOwn(kept, name))) {
      putIn.add(placeOf(['prompts', id, field]))
      if (field === 'type') isCounted = false
    }
    return [id, { ...ENTRY, ...kept }]
  })
  const whole = { ...HEAD, ...sound(value, faulty), prompts: Object.fromEntries(entries) }
  const { accepted } = checkDocument(document, { ...recognised, value: whole }, loaded, {
    now: 0,
    structureOnly: true,
  })
  if (!accepted) return undefined
  return {
    value: whole,
    isPutIn: pointer =>
      putIn.has(fieldAt(pointer)) || (!isCounted && pointer.startsWith('/integrity')),
  }
}

const ENTRY: Fields = {
  // NUL occurs in no file name.
  file: '\0',
  hash: '0'.repeat(64),
  type: 'domain',
  version: '0.0.0',
}

const HEAD: Fields = {
  version: '-',
  lockfileVersion: 1,
  generated: '1970-01-01T00:00:00Z',
  algorithm: 'SHA-256',
  integrity: { total_prompts: 0, domains: 0, archetypes: 0 },
}
