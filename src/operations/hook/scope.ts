import { readIgnore } from '../../workspace/index.ts'

/**
 * Whether a command falls under a scope such as `git push*`.
 *
 * Each word of the scope is a pattern of the word in its place; an option may stand anywhere among the arguments. A
 * pattern of paths, such as `*.lock`, is no command: reading such files is not its matter.
 */
export function matchesCommand(scope: string, words: readonly string[]): boolean {
  const whole = fromRoot(scope, '')
  const wanted = whole.split(/\s+/)
  const isOneWord = wanted.length === 1
  if (whole === '' || (isOneWord && PATH_PATTERN.test(whole))) return false
  const places = wanted.filter(word => !word.startsWith('-'))
  const options = wanted.filter(word => word.startsWith('-'))
  const given = words.filter(word => !word.startsWith('-'))
  return (
    (places.every((pattern, at) => matchesWord(pattern, given[at])) &&
      options.every(option => words.some(word => matchesWord(option, word)))) ||
    (!isOneWord && matchesWord(whole, words.join(' ')))
  )
}

const PATH_PATTERN = /^\*|\*.*\/|\/.*\*/

/** A scope whose `./` stands for the root. */
function fromRoot(scope: string, root: string): string {
  return scope.trim().replace(/^(?:\.\/)+/, root)
}

/** Matches `*` against any characters; linear in the word. */
function matchesWord(pattern: string, word: string | undefined): boolean {
  if (word === undefined) return false
  const [head = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return word === pattern
  if (!word.startsWith(head)) return false
  const tail = parts.pop() ?? ''
  let at = head.length
  for (const part of parts) {
    const found = word.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return word.length - tail.length >= at && word.endsWith(tail)
}

/**
 * Compiles a scope such as `vendor/**`, a pattern of .gitignore, for paths from the root. A folder is touched when
 * something above what the scope names is written or removed.
 */
export function pathScope(scope: string): (path: string) => boolean {
  // Scopes come from documents, and this reader is linear for every pattern.
  const pattern = fromRoot(scope, '/')
  const patterns = readIgnore([pattern])
  const above = pattern.replace(/^\//, '').split(/[*?[]/)[0] ?? ''
  return path => {
    if (path === '' || path === '.' || path.startsWith('../')) return false
    const names = path.split('/').filter(name => name !== '')
    const isUnder = names.some((_, i) => patterns(names.slice(0, i + 1), i + 1 < names.length))
    return isUnder || above.startsWith(`${names.join('/')}/`)
  }
}
