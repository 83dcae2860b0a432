import { git } from './git.ts'

/** How Git checks a file out everywhere: with its bytes, or with one kind of line ends. */
export type CheckedOut = 'as committed' | 'LF' | 'CRLF'

/**
 * How `.gitattributes` has Git check files out, by their paths from the root; nothing of one for which they say nothing,
 * so that it depends on the settings of each machine.
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
  // The attributes of a user are in force on their machine alone.
  const asked = [
    '-c',
    'core.attributesFile=/dev/null',
    'check-attr',
    '-z',
    '--stdin',
    'text',
    'eol',
  ]
  let said: string[]
  try {
    said = git(root, asked, { input: paths.map(path => `${path}\0`).join('') })
      .toString()
      .split('\0')
  } catch {
    // Without Git nothing is checked out.
    return found
  }
  for (let at = 0; at + 2 < said.length; at += 3) {
    const [path = '', name = '', value = ''] = said.slice(at, at + 3)
    found.set(path, { ...found.get(path), [name]: value })
  }
  return found
}
