import { checkDocument } from '../../contract/index.ts'
import { type Json, type Path, parsePointer } from '../../document/index.ts'
import type { Opened } from './opened.ts'

/** A manifest as far as its structure is sound. */
export interface SoundPart {
  /** The manifest with something harmless in each place that is at fault, so that all else can be judged. */
  readonly value: Json
  /** Whether something that was found at a place of the manifest is about what was put there. */
  isPutIn(pointer: string): boolean
  /** The same for a place of its lock. */
  isPutInLock(pointer: string): boolean
  /** Whether the prompt file of every agent is the one that the manifest names. */
  readonly knowsFiles: boolean
}

/** What of a manifest can be judged although its structure is at fault; nothing where its agents cannot be told. */
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
    const mended = Object.entries(agents).map(([key, agent]): [string, Json] => {
      const own = faults.get(placeOf([section, key]))
      if (!own) return [key, agent]
      const { fields, replaced } = mend(agent, { section, key, faults: own })
      const id = String(fields.canonical_id)
      if (replaced.includes('file')) knowsFiles = false
      for (const field of replaced) {
        putIn.add(placeOf([section, key, field]))
        putInLock.add(placeOf(['prompts', id, field]))
      }
      return [key, fields]
    })
    sections.push([section, Object.fromEntries(mended)])
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

/** The members of an object of a manifest or a lock. */
export type Fields = Readonly<Record<string, Json>>

const HEAD: Fields = {
  version: '-',
  generated: '1970-01-01T00:00:00Z',
  description: '-',
  taxonomy: '-',
  governance: {},
}

/** The members in which nothing is at fault. */
export function sound(value: Fields, faulty: readonly Path[]): Fields {
  const names = new Set(faulty.map(([name]) => name))
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
}

interface Mending {
  readonly section: string
  readonly key: string
  readonly faults: readonly Path[]
}

/** An agent with its sound fields, and something in place of the others. */
function mend(agent: Json, { section, key, faults }: Mending) {
  const kept = isObject(agent)
    ? sound(
        agent,
        faults.map(([, , ...rest]) => rest),
      )
    : {}
  const own: Fields =
    section === 'archetypes' ? { composition: {}, purpose: '-' } : { scope: 'none' }
  // No file has such a name, and no two agents the same.
  const file = `\0${section}/${key}`
  const all: Fields = { name: '-', file, canonical_id: key, version: '0.0.0', ...own }
  const names = new Set([...Object.keys(all), 'collaboration'])
  const replaced = [...names].filter(name => !Object.hasOwn(kept, name))
  return { fields: { ...all, ...kept }, replaced }
}

/** The faults in each agent of a manifest, or in each entry of a lock, by its place. */
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

/** A path as a key of maps. */
export const placeOf = (path: Path): string => JSON.stringify(path.map(String))

/** The field of an agent, or of an entry, in which something stands. */
export const fieldAt = (pointer: string): string => placeOf(parsePointer(pointer).slice(0, 3))

/** Whether a value has members. */
export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
