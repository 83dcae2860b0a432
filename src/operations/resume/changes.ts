import { counted, listed, quote } from '../../contract/index.ts'
import { commitsSince, type Drift } from '../../contracts/index.ts'
import type { ResumeFinding } from './codes.ts'
import type { ResumeOutput } from './output.ts'

/** How many changed files are searched for in the document, listed in the output, and named in the message. */
const MOST_SEARCHED = 1000
const MOST_LISTED = 20
const MOST_NAMED = 4

type Changes = NonNullable<ResumeOutput['changes']>

/** The changes since a document was written, those of files that it names first; undefined without any. */
export function changesOf(drift: Drift | undefined, text: string): Changes | undefined {
  if (!drift || 'unknown' in drift || drift.commits === 0) return undefined
  const { commits, files, paths = [] } = drift
  const named = paths.slice(0, MOST_SEARCHED).filter(path => text.includes(path))
  const all = [...new Set([...named.sort(), ...paths.toSorted()])]
  return { commits, files, named: named.length, paths: all.slice(0, MOST_LISTED) }
}

/** Warns of the changes since a document was written. */
export function changesFound(
  drift: Drift | undefined,
  changes: Changes | undefined,
  path: string,
): ResumeFinding[] {
  const words = drift && commitsSince(drift)
  if (words === undefined) return []
  const found = { code: 'resume/changed-since', severity: 'warning', path } as const
  if (!changes)
    return [{ ...found, message: words, hint: 'compare what it says with the current state' }]
  const { files, named, paths } = changes
  const names = paths.slice(0, MOST_NAMED).map(quote)
  const rest = files - names.length
  const which = listed([...names, ...(rest > 0 ? [`${counted(rest, 'other')}`] : [])])
  return [
    {
      ...found,
      message: `${words}${named > 0 ? `, ${named} of them named in it` : ''}: ${which}`,
      hint: 'compare what it says about these files with what they hold now',
    },
  ]
}
