import { checkDocument } from '../../contract/index.ts'
import { type Json, type Path, parsePointer } from '../../document/index.ts'
import type { Opened } from './opened.ts'

/** The valid part of a manifest. */
export interface SoundPart {
  /** The manifest with placeholders for its invalid parts. */
  readonly value: Json
  /** Tells whether a diagnostic is about a placeholder. */
  isPutIn(pointer: string): boolean
  /** Tells whether a diagnostic of the lock is about a placeholder. */
  isPutInLock(pointer: string): boolean
  /** Whether no prompt file is a placeholder. */
  readonly knowsFiles: boolean
}

/** Returns the valid part of a manifest whose structure is invalid; undefined if its agents cannot be identified. */
export function soundPart(manifest: Opened): SoundPart | undefined {
  const { value, document, recognised, loaded, faulty } = manifest
  if (document.faults.length > 0 || !isObject(value)) return undefined
  const sections: [string, Json][] = []
  const faults = byAgent(faulty)
  const putIn = new Set<string>()
  const putInLock = new Set<string>()
  let knowsFiles = true
  for (const section of ['domains', 'archetypes', 'orchestrators']) {
    const agents = section === 'orchestrators' ? (value[section] ?? {}) : value[section]
    if (!isObject(agents)) return undefined
    const repaired = Object.entries(agents).map(([key, agent]): [string, Json] => {
      const own = faults.get(placeOf([section, key]))
      if (!own) return [key, agent]
      const { fields, replaced } = repair(agent, { section, key, faults: own })
      const id = String(fields.canonical_id)
      if (replaced.includes('file')) knowsFiles = false
      for (const field of replaced) {
        putIn.add(placeOf([section, key, field]))
        putInLock.add(placeOf(['prompts', id, field]))
      }
      return [key, fields]
    })
    sections.push([section, Object.fromEntries(repaired)])
  }
  const whole = { ...HEAD, ...sound(value, faulty), ...Object.fromEntries(sections) }
  const { accepted } = checkDocument(document, { ...recognised, value: whole }, loaded, {
    now: 0,
    structureOnly: true,
  })
  if (!accepted) return undefined
  return {
    value: whole,
    isPutIn: pointer => putIn.has(fieldAt(pointer)),
    isPutInLock: pointer => putInLock.has(fieldAt(pointer)),
    knowsFiles,
  }
}

/** The members of an object in a manifest or a lock. */
export type Fields = Readonly<Record<string, Json>>

const HEAD: Fields = {
  version: '-',
  generated: '1970-01-01T00:00:00Z',
  description: '-',
  taxonomy: '-',
  governance: {},
}

/** Returns the members without errors. */
export function sound(value: Fields, faulty: readonly Path[]): Fields {
  const names = new Set(faulty.map(([name]) => name))
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
}

interface Repair {
  readonly section: string
  readonly key: string
  readonly faults: readonly Path[]
}

/** Replaces the invalid fields of an agent by placeholders. */
function repair(agent: Json, { section, key, faults }: Repair) {
  const kept = isObject(agent)
    ? sound(
        agent,
        faults.map(([, , ...rest]) => rest),
      )
    : {}
  const own: Fields =
    section === 'archetypes' ? { composition: {}, purpose: '-' } : { scope: 'none' }
  // NUL occurs in no file name; the key makes it unique.
  const file = `\0${section}/${key}`
  const all: Fields = { name: '-', file, canonical_id: key, version: '0.0.0', ...own }
  const names = new Set([...Object.keys(all), 'collaboration'])
  const replaced = [...names].filter(name => !Object.hasOwn(kept, name))
  return { fields: { ...all, ...kept }, replaced }
}

/** Groups the paths of errors by agent of a manifest, or by entry of a lock. */
export function byAgent(faulty: readonly Path[]): ReadonlyMap<string, Path[]> {
  const faults = new Map<string, Path[]>()
  for (const path of faulty) {
    if (path.length < 2) continue
    const place = placeOf(path.slice(0, 2))
    const known = faults.get(place)
    if (known) known.push(path)
    else faults.set(place, [path])
  }
  return faults
}

/** Returns a path as a key of maps. */
export const placeOf = (path: Path): string => JSON.stringify(path.map(String))

/** Returns the key of the agent's or entry's field that a pointer leads to. */
export const fieldAt = (pointer: string): string => placeOf(parsePointer(pointer).slice(0, 3))

/** Tells whether a value is an object. */
export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
