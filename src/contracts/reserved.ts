import type { Finding, Rule } from '../contract/index.ts'
import { quote } from '../contract/index.ts'
import { normalPath } from './paths.ts'
import { valuesAt } from './times.ts'

/** Folders that hold no documents, also by the short names that some file systems give them, and whose they are. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ['.git', 'Git'],
  ['git~1', 'Git'],
  ['.waybill', 'Waybill'],
  ['waybil~1', 'Waybill'],
])

/** Why nothing is handed over at a path: what lies there belongs to Git or to Waybill; `undefined` elsewhere. */
export function whyReserved(path: string): string | undefined {
  for (const name of foldedPath(path).split('/')) {
    const owner = OWNERS.get(name)
    if (owner) return `lies in the folder of ${owner}`
  }
  return undefined
}

/** A path as it is compared where a file system takes several spellings for one: case, what nobody sees, and ends of names. */
export function foldedPath(path: string): string {
  return (normalPath(path) ?? path).split('/').map(folded).join('/')
}

function folded(name: string): string {
  if (/^[a-z0-9_-]+$/.test(name)) return name
  const [visible = ''] = name
    .normalize()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    // What follows is a stream of the same file.
    .split(':', 1)
  return visible.toLowerCase().replace(/(?<![. ])[. ]+(?![\s\S])/, '')
}

/** The rule that paths do not lead into the folders of Git and Waybill. */
export function noReservedPaths(...pointers: string[]): Rule<unknown> {
  return {
    severity: 'error',
    summary: 'Paths do not lead into the folders of Git and Waybill.',
    why: 'Keys, records and hooks are there: what is read there is told to an agent, and what is written there destroys them.',
    reads: pointers,
    *check(value: unknown): Iterable<Finding> {
      for (const place of pointers.flatMap(pointer => valuesAt(value, pointer))) {
        const text = place.value
        const why = typeof text === 'string' ? whyReserved(text) : undefined
        if (why === undefined) continue
        yield {
          path: place.path,
          message: `the path ${quote(text)} ${why}`,
          hint: 'write a path in a folder of documents, such as contexts/found.json',
        }
      }
    },
  }
}
