import { type Path, parsePointer } from '../../document/index.ts'
import type { Orchestration } from './schema.ts'

/** A document without its structurally invalid parts. */
export interface SoundPart {
  readonly value: Orchestration
  /** JSON Pointers of cut phases, agents and barriers, or of a whole section. */
  readonly faulty: ReadonlySet<string>
  /** Whether phases are missing from the value, so that they cannot be counted. */
  readonly lacksPhases: boolean
}

type Fields = Record<string, unknown>

/**
 * Removes invalid parts so that the rest can be used; phases and agents keep their list position.
 *
 * `pointers` are those of the structural errors. Cut parts are listed: nothing may start on partial information.
 */
export function soundPart(value: unknown, pointers: readonly string[]): SoundPart {
  const copy: Fields = isFields(value) ? structuredClone(value) : {}
  const faulty = new Set<string>()
  let lacksPhases = false
  for (const pointer of pointers) {
    const path = parsePointer(pointer)
    const unit = unitOf(path)
    const isHigh = path.length < 3 || (path.length === 3 && path[2] === 'phases')
    lacksPhases ||= path[0] === 'pipelines' && isHigh
    faulty.add(unit.map(part => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
    if (unit.length <= 1) delete copy[path[0] ?? '']
    else cut(copy, unit, path[unit.length])
  }
  if (!isFields(copy.pipelines)) copy.pipelines = {}
  // Every part that the schema requires is now valid.
  return { value: copy as unknown as Orchestration, faulty, lacksPhases }
}

/** The phase, agent, barrier, pipeline or section that a path leads into. */
function unitOf(path: readonly string[]): readonly string[] {
  const [section] = path
  if (section === 'barriers') return path.slice(0, 2)
  if (section !== 'pipelines') return path.slice(0, 1)
  if (path[2] !== 'phases' || path.length < 4) return path.slice(0, 2)
  return path.slice(0, path[4] === 'agents' && path.length > 5 ? 6 : 4)
}

function cut(root: Fields, unit: readonly string[], key: string | undefined): void {
  const holder = at(root, unit.slice(0, -1))
  const last = unit.at(-1) ?? ''
  const whole = at(root, unit)
  if (!(isFields(holder) || Array.isArray(holder))) return
  if (isFields(whole) && key !== undefined && key !== 'phases' && key !== 'id') delete whole[key]
  else if (isFields(whole) && key === 'id') whole.id = nameless(unit)
  else if (isFields(whole) && key === 'phases') whole.phases = []
  else put(holder, last, unit)
}

/** Replaces a non-object by an object with only its position. */
function put(holder: Fields | unknown[], last: string, unit: readonly string[]): void {
  const value =
    unit[0] === 'barriers' ? {} : unit.length === 2 ? { phases: [] } : { id: nameless(unit) }
  if (Array.isArray(holder)) holder[Number(last)] = value
  else
    Object.defineProperty(holder, last, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

function nameless(unit: readonly string[]): string {
  return unit.at(-2) === 'agents'
    ? `agent ${Number(unit.at(-1)) + 1}`
    : `${Number(unit.at(-1)) + 1}`
}

function at(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((place, segment) => {
    if (Array.isArray(place)) return place[Number(segment)]
    return isFields(place) && Object.hasOwn(place, segment) ? place[segment] : undefined
  }, root)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
