import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { Fault, Span } from './document.ts'
import { syntaxFaults } from './json-wording.ts'
import type { Member, SourceNode } from './source-tree.ts'

/** The result of the recovering JSON parser. */
interface LocatedJson {
  readonly root: SourceNode | undefined
  readonly faults: readonly Fault[]
}

/**
 * Finds the position of every part of a JSON text, even an invalid one, and its first syntax errors.
 *
 * The text must not nest deeper than `endOfDepth` allows, since the parser recurses.
 */
export function locateJson(text: string): LocatedJson {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true })
  return { root: tree && toNode(tree, text), faults: syntaxFaults(text, errors) }
}

function toNode(node: Node, text: string): SourceNode {
  const span = spanOf(node, text)
  const children = node.children ?? []
  switch (node.type) {
    case 'object':
      return { kind: 'object', span, members: children.flatMap(child => toMember(child, text)) }
    case 'array':
      return { kind: 'array', span, items: children.map(child => toNode(child, text)) }
    case 'number':
      return {
        kind: 'scalar',
        span,
        value: node.value,
        integer: !/[.eE]/.test(text.slice(span.start, span.end)),
      }
    default:
      return { kind: 'scalar', span, value: node.value ?? null }
  }
}

function toMember(node: Node, text: string): Member[] {
  const [key, value] = node.children ?? []
  if (node.type !== 'property' || !key) return []
  const span = spanOf(key, text)
  const missing = { start: span.end, end: span.end }
  return [
    {
      key: { kind: 'scalar', span, value: String(key.value) },
      value: value ? toNode(value, text) : { kind: 'scalar', span: missing, value: null },
    },
  ]
}

/** In invalid JSON, an unclosed part has no length or too large a one, and ends with the text. */
function spanOf({ offset, length }: Node, text: string): Span {
  return { start: offset, end: length < 0 ? text.length : Math.min(offset + length, text.length) }
}
