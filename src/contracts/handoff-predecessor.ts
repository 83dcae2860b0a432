import { normalPath, whyNotRelative } from './paths.ts'

/**
 * The candidate paths of a document's predecessor relative to the root; the first that exists is used: in the folder
 * above `handoffs/`, in the document's own folder, in the root. Paths outside the root are left out.
 */
export function predecessorPlaces(path: string, continuesFrom: string): readonly string[] {
  if (path !== last?.path || continuesFrom !== last.continuesFrom)
    last = { path, continuesFrom, places: findPlaces(path, continuesFrom) }
  return last.places
}

/** Cached: several rules ask for the candidates of one document in turn. */
let last: { path: string; continuesFrom: string; places: readonly string[] } | undefined

function findPlaces(path: string, continuesFrom: string): string[] {
  if (isElsewhere(continuesFrom)) return []
  const folders = path.split('/').slice(0, -1)
  const handoffs = folders.lastIndexOf('handoffs')
  const bases = [...(handoffs < 0 ? [] : [folders.slice(0, handoffs)]), folders, []]
  const places = bases.map(base => normalPath([...base, continuesFrom].join('/')))
  return [...new Set(places.filter(place => place !== undefined))]
}

/** Why a path is not relative; whether `..` leaves the repository depends on the starting folder. */
export function isElsewhere(path: string): boolean {
  return whyNotRelative(path.replace(/(?<![^/\\])\.\.(?![^/\\])/g, '.')) !== undefined
}
