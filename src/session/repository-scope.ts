import { normalPath, whyNotRelative } from '../contracts/index.ts'

/** The folders of a component scope, and the ignored paths. */
export interface Scope {
  readonly paths: readonly string[]
  readonly ignored: readonly { readonly path: string; readonly why: string }[]
}

const MOST_PATHS = 200

/** Reads the paths of a component scope; a glob means the folder before its first wildcard. */
export function readScope(given: readonly string[]): Scope {
  const paths = new Set<string>()
  const ignored: { path: string; why: string }[] = []
  for (const path of given) {
    const why = whyNotRelative(path)
    const normal = why === undefined ? normalPath(beforeWildcard(path)) : undefined
    if (normal === undefined) ignored.push({ path, why: why ?? 'leads out of the repository' })
    else if (paths.size >= MOST_PATHS) ignored.push({ path, why: `is one of over ${MOST_PATHS}` })
    else paths.add(normal)
  }
  return { paths: [...paths].sort(), ignored }
}

function beforeWildcard(path: string): string {
  const names = path.split('/')
  const first = names.findIndex(name => /[*?[{]/.test(name))
  return first < 0 ? path : names.slice(0, first).join('/')
}
