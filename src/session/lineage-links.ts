import { realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Files } from '../contract/index.ts'
import { predecessorPlaces } from '../contracts/index.ts'

/** Where `continues_from` leads: to a file, to nothing, or out of the repository. */
export type Resolved =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }

/** Resolves a reference to the first of its candidate paths where a file exists. */
export function resolvePredecessor(reference: string, path: string, files: Files): Resolved {
  const places = predecessorPlaces(path, reference)
  let outside = places.length === 0
  for (const place of places) {
    const kind = files.kindOf(place)
    if (kind === 'file') return { kind: 'found', path: place }
    if (kind === 'outside') outside = true
  }
  return { kind: outside ? 'outside' : 'missing' }
}

/** The cycle that a chain of links runs into, in chain order; empty if the chain ends. */
export async function findCircle<Link extends { readonly path: string }>(
  start: Link,
  next: (link: Link) => Promise<Link | undefined> | Link | undefined,
  known: Map<string, readonly string[] | undefined>,
): Promise<readonly string[] | undefined> {
  const walked: string[] = []
  const seen = new Map<string, number>()
  let circle: readonly string[] | undefined
  for (let link: Link | undefined = start; link; link = await next(link)) {
    const at = seen.get(link.path)
    if (at !== undefined) circle = walked.slice(at)
    else if (known.has(link.path)) circle = known.get(link.path)
    if (at !== undefined || known.has(link.path)) break
    seen.set(link.path, walked.length)
    walked.push(link.path)
  }
  for (const path of walked) known.set(path, circle)
  return circle
}

/** The real path of a file under the root, with symbolic links resolved. */
export function realPathOf(root: string, path: string): string {
  try {
    const real = relative(realpathSync(root), realpathSync(join(root, path)))
    return real.split(sep).join('/')
  } catch {
    // It was deleted in the meantime.
    return path
  }
}
