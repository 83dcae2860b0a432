import type { Finding, Rule } from '../contract/index.ts'
import { quote } from '../contract/index.ts'
import { valuesAt } from './times.ts'

/** Nothing in such a path needs a closer look: it begins with a name, and no part of it with a dot. */
const PLAIN = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/

/** Whether a path stands for itself and stays where it begins, whatever folder that is. */
export const isPlainPath = (path: string): boolean => PLAIN.test(path)

/** A scheme and a slash, one of the schemes that need none, or an address of Git such as `git@host:path`. */
const URL =
  /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/|(?:blob|data|file|ftps?|https?|jar|javascript|mailto|urn):|[\w.-]+@[\w.-]+:)/i

/** Why a path cannot be followed inside a repository; `undefined` for a relative one that stays inside. Backslashes count as separators. */
export function whyNotRelative(path: string): string | undefined {
  if (PLAIN.test(path)) return undefined
  // Programs and people leave out white space at the head of a path; what is behind it counts.
  const slashed = path.trimStart().replaceAll('\\', '/')
  if (slashed.startsWith('//')) return 'names a network share'
  if (slashed.startsWith('/')) return 'is absolute'
  if (/^(?:~|\$HOME\b|\$\{HOME\}|%USERPROFILE%)/i.test(slashed)) return 'begins at a home folder'
  if (/^[A-Za-z]:/.test(slashed)) return 'begins with a drive letter'
  if (URL.test(slashed)) return 'is a URL'
  return normalPath(slashed) === undefined ? 'leads out of the repository' : undefined
}

/** A relative path with forward slashes and without `.` and `..`, so that two spellings of one place compare equal; `undefined` when `..` leads out. */
export function normalPath(path: string): string | undefined {
  if (PLAIN.test(path)) return path
  const parts: string[] = []
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The rule that paths are relative to the repository and stay inside it. */
export function relativePaths(...pointers: string[]): Rule<unknown> {
  return {
    severity: 'error',
    summary: 'Paths are relative to the repository and stay inside it.',
    why: 'A path of one machine, or one that leads out of the repository, is nothing the next agent can open.',
    reads: pointers,
    *check(value: unknown): Iterable<Finding> {
      for (const place of pointers.flatMap(pointer => valuesAt(value, pointer))) {
        const text = place.value
        const fault = typeof text === 'string' ? whyNotRelative(text) : undefined
        if (fault === undefined) continue
        yield {
          path: place.path,
          message: `the path ${quote(text)} ${fault}`,
          hint: 'write the path from the root of the repository, such as docs/report.md',
        }
      }
    },
  }
}

/** The rule that relative paths are written with forward slashes. */
export function forwardSlashes(...pointers: string[]): Rule<unknown> {
  return {
    severity: 'warning',
    summary: 'Paths use forward slashes.',
    why: 'A backslash separates folders on one operating system only; elsewhere it is part of a name.',
    reads: pointers,
    *check(value: unknown): Iterable<Finding> {
      for (const place of pointers.flatMap(pointer => valuesAt(value, pointer))) {
        const text = place.value
        if (typeof text !== 'string' || !text.includes('\\')) continue
        // A path that is not relative needs another one, not other slashes.
        if (whyNotRelative(text) !== undefined) continue
        yield {
          path: place.path,
          message: `the path ${quote(text)} uses backslashes`,
          hint: `write ${quote(text.replace(/\\+/g, '/'))}`,
        }
      }
    },
  }
}
