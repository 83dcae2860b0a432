import { git } from './git.ts'

/** How Git checks out a file on every machine: unchanged, or with one kind of line ends. */
export type CheckedOut = 'as committed' | 'LF' | 'CRLF'

/**
 * How `.gitattributes` makes Git check out files, by path from the root. Files without attributes are absent, since
 * they depend on the settings of each machine.
 */
export function checkedOutAs(
  root: string,
  paths: readonly string[],
): ReadonlyMap<string, CheckedOut> {
  const found = new Map<string, CheckedOut>()
  if (paths.length === 0) return found
  for (const [path, { text, eol }] of attributesOf(root, paths)) {
    if (text === 'unset') found.set(path, 'as committed')
    else if (eol === 'lf') found.set(path, 'LF')
    else if (eol === 'crlf') found.set(path, 'CRLF')
  }
  return found
}

interface Attributes {
  text?: string
  eol?: string
}

function attributesOf(root: string, paths: readonly string[]): Map<string, Attributes> {
  const found = new Map<string, Attributes>()
  // A user's attributes apply only on their machine.
  const asked = [
    '-c',
    'core.attributesFile=/dev/null',
    'check-attr',
    '-z',
    '--stdin',
    'text',
    'eol',
  ]
  let fields: string[]
  try {
    fields = git(root, asked, { input: paths.map(path => `${path}\0`).join('') })
      .toString()
      .split('\0')
  } catch {
    // Without Git nothing is checked out.
    return found
  }
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name = '', value = ''] = fields.slice(at, at + 3)
    found.set(path, { ...found.get(path), [name]: value })
  }
  return found
}
