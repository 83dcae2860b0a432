import { readIgnore } from '../../workspace/index.ts'

/**
 * Whether a command falls under a scope such as `git push*`.
 *
 * Each word of the scope is a pattern of the word in its place; an option may stand anywhere among the arguments.
 */
export function matchesCommand(scope: string, words: readonly string[]): boolean {
  const wanted = scope.trim().split(/\s+/)
  const places = wanted.filter(word => !word.startsWith('-'))
  const options = wanted.filter(word => word.startsWith('-'))
  const given = words.filter(word => !word.startsWith('-'))
  return (
    (places.every((pattern, at) => matchesWord(pattern, given[at])) &&
      options.every(option => words.some(word => matchesWord(option, word)))) ||
    matchesWord(scope.trim(), words.join(' '))
  )
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
  const patterns = readIgnore([scope])
  const above = scope.replace(/^\//, '').split(/[*?[]/)[0] ?? ''
  return path => {
    if (path === '' || path === '.' || path.startsWith('../')) return false
    const names = path.split('/').filter(name => name !== '')
    const isUnder = names.some((_, i) => patterns(names.slice(0, i + 1), i + 1 < names.length))
    return isUnder || above.startsWith(`${names.join('/')}/`)
  }
}
