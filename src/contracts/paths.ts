import type { Finding, Rule } from '../contract/index.ts'
import { quote } from '../contract/index.ts'
import { valuesAt } from './times.ts'

/** A path that needs no further check: it begins with a name, and no part of it begins with a dot. */
const PLAIN = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/

/** Whether a path is already normal and stays inside its folder. */
export const isPlainPath = (path: string): boolean => PLAIN.test(path)

/** A scheme with a slash, a scheme that needs none, or a Git address such as `git@host:path`. */
const URL =
  /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/|(?:blob|data|file|ftps?|https?|jar|javascript|mailto|urn):|[\w.-]+@[\w.-]+:)/i

/** Why a path cannot be used inside a repository; `undefined` if it can. Backslashes count as separators. */
export function whyNotRelative(path: string): string | undefined {
  if (PLAIN.test(path)) return undefined
  // Programs ignore leading white space; check what follows it.
  const slashed = path.trimStart().replaceAll('\\', '/')
  if (slashed.startsWith('//')) return 'is a network share'
  if (slashed.startsWith('/')) return 'is absolute'
  if (/^(?:~|\$HOME\b|\$\{HOME\}|%USERPROFILE%)/i.test(slashed)) return 'begins with a home folder'
  if (/^[A-Za-z]:/.test(slashed)) return 'begins with a drive letter'
  if (URL.test(slashed)) return 'is a URL'
  return normalPath(slashed) === undefined ? 'is outside the repository' : undefined
}

/** A relative path with forward slashes, without `.` and `..`; `undefined` if `..` leaves the root. */
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
    why: 'The next agent cannot open an absolute path of another machine, or a path outside the repository.',
    reads: pointers,
    *check(value: unknown): Iterable<Finding> {
      for (const place of pointers.flatMap(pointer => valuesAt(value, pointer))) {
        const text = place.value
        const fault = typeof text === 'string' ? whyNotRelative(text) : undefined
        if (fault === undefined) continue
        yield {
          path: place.path,
          message: `the path ${quote(text)} ${fault}`,
          hint: 'write the path relative to the root of the repository, such as docs/report.md',
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
    why: 'A backslash separates folders on one operating system only; on others it is part of a name.',
    reads: pointers,
    *check(value: unknown): Iterable<Finding> {
      for (const place of pointers.flatMap(pointer => valuesAt(value, pointer))) {
        const text = place.value
        if (typeof text !== 'string' || !text.includes('\\')) continue
        // A path that is not relative has another finding.
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
