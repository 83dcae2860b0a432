import type { Finding, Rule } from '../contract/index.ts'
import { quote } from '../contract/index.ts'
import { normalPath } from './paths.ts'
import { valuesAt } from './times.ts'

/** Folders of Git and Waybill and their owners, including short names that some file systems give them. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ['.git', 'Git'],
  ['git~1', 'Git'],
  ['.waybill', 'Waybill'],
  ['waybil~1', 'Waybill'],
])

/** Why a path must not be used: it belongs to Git or Waybill; `undefined` for other paths. */
export function whyReserved(path: string): string | undefined {
  for (const name of foldedPath(path).split('/')) {
    const owner = OWNERS.get(name)
    if (owner) return `is in the folder of ${owner}`
  }
  return undefined
}

/** Normalises a path for file systems that treat several spellings as one. */
export function foldedPath(path: string): string {
  return (normalPath(path) ?? path).split('/').map(folded).join('/')
}

function folded(name: string): string {
  if (/^[a-z0-9_-]+$/.test(name)) return name
  const [visible = ''] = name
    .normalize()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    // After a colon comes a stream of the same file.
    .split(':', 1)
  return visible.toLowerCase().replace(/(?<![. ])[. ]+(?![\s\S])/, '')
}

/** The rule that paths are not in the folders of Git and Waybill. */
export function noReservedPaths(...pointers: string[]): Rule<unknown> {
  return {
    severity: 'error',
    summary: 'Paths are not in the folders of Git and Waybill.',
    why: 'These folders hold keys, records and hooks: reading them exposes secrets, and writing there destroys data.',
    reads: pointers,
    *check(value: unknown): Iterable<Finding> {
      for (const place of pointers.flatMap(pointer => valuesAt(value, pointer))) {
        const text = place.value
        const why = typeof text === 'string' ? whyReserved(text) : undefined
        if (why === undefined) continue
        yield {
          path: place.path,
          message: `the path ${quote(text)} ${why}`,
          hint: 'use a path in a folder of documents, such as contexts/found.json',
        }
      }
    },
  }
}
