import type { Fault } from './document.ts'
import { lineIndex } from './position.ts'
import { nameOf, type ObjectNode, type ScalarNode, type SourceNode } from './source-tree.ts'

const HALF_CHARACTER = /\p{Surrogate}/u
const LONGEST = 60

/**
 * Finds everything in a text that parsers read differently: duplicate keys, integers beyond 2^53, numbers that are not
 * finite, and lone surrogates.
 *
 * `firstLine` is the number of lines above `text` in its file; messages name lines.
 */
export function ambiguities(root: SourceNode, text: string, firstLine: number): Fault[] {
  const { positionAt } = lineIndex(text)
  const lineOf = (node: SourceNode) => positionAt(node.span.start).line + 1 + firstLine
  const faults: Fault[] = []
  const visit = (node: SourceNode): void => {
    if (node.kind === 'scalar') {
      const fault = oddNumber(node) ?? halfCharacter(node)
      if (fault) faults.push(fault)
    } else if (node.kind === 'array') node.items.forEach(visit)
    else {
      for (const fault of duplicateKeys(node, lineOf)) faults.push(fault)
      node.members.forEach(({ key, value }) => {
        visit(key)
        visit(value)
      })
    }
  }
  visit(root)
  return faults
}

/** Sorts faults by position. */
export function inTextOrder(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
}

// A key for use in a message: short, on one line, with control characters escaped.
function quoteKey(key: string): string {
  const short = key.length > LONGEST ? `${key.slice(0, LONGEST)}…` : key
  return `'${short.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, spell)}'`
}

function spell(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function duplicateKeys(node: ObjectNode, lineOf: (node: SourceNode) => number): Fault[] {
  const seen = new Map<string, { readonly key: ScalarNode; message?: string }>()
  const faults: Fault[] = []
  for (const member of node.members) {
    const name = nameOf(member)
    const first = seen.get(name)
    if (!first) {
      seen.set(name, { key: member.key })
      continue
    }
    first.message ??= `the key ${quoteKey(name)} already exists on line ${lineOf(first.key)}; parsers disagree on which one counts`
    faults.push({
      code: 'syntax/duplicate-key',
      message: first.message,
      hint: 'remove one of the two',
      span: member.key.span,
    })
  }
  return faults
}

function oddNumber({ value, integer, span }: ScalarNode): Fault | undefined {
  if (typeof value !== 'number') return undefined
  if (!Number.isFinite(value)) {
    return {
      code: 'syntax/non-finite-number',
      message: 'this number is infinite, too large, or not a number',
      hint: 'write a smaller number, a string in quotes, or null',
      span,
    }
  }
  if (!integer || Number.isSafeInteger(value)) return undefined
  return {
    code: 'syntax/unsafe-integer',
    message: 'this integer is beyond 2^53, where parsers round differently',
    hint: 'write it as a string, in quotes',
    span,
  }
}

function halfCharacter({ value, span }: ScalarNode): Fault | undefined {
  if (typeof value !== 'string' || !HALF_CHARACTER.test(value)) return undefined
  return {
    code: 'syntax/lone-surrogate',
    message: 'this string contains a lone UTF-16 surrogate, which is not a character',
    hint: 'write both halves, or the character itself',
    span,
  }
}
