import { normalPath, whyNotRelative } from '../paths.ts'

/**
 * Where the predecessor of a document may stand, relative to the root; the first that exists is the one.
 *
 * Tried are the folder above `handoffs/`, the document's own folder and the root. Places outside the root are left out.
 */
export function predecessorPlaces(path: string, continuesFrom: string): readonly string[] {
  if (path !== last?.path || continuesFrom !== last.continuesFrom)
    last = { path, continuesFrom, places: findPlaces(path, continuesFrom) }
  return last.places
}

/** Several rules ask for the places of one document, one after the other. */
let last: { path: string; continuesFrom: string; places: readonly string[] } | undefined

function findPlaces(path: string, continuesFrom: string): string[] {
  if (isElsewhere(continuesFrom)) return []
  const folders = path.split('/').slice(0, -1)
  const handoffs = folders.lastIndexOf('handoffs')
  const bases = [...(handoffs < 0 ? [] : [folders.slice(0, handoffs)]), folders, []]
  const places = bases.map(base => normalPath([...base, continuesFrom].join('/')))
  return [...new Set(places.filter(place => place !== undefined))]
}

/** Whether a path does not begin in the repository at all; whether `..` leads out of it depends on where it begins. */
export function isElsewhere(path: string): boolean {
  return whyNotRelative(path.replace(/(?<![^/\\])\.\.(?![^/\\])/g, '.')) !== undefined
}
