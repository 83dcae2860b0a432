import type { Locate, Path, Span } from './document.ts'

/** A part of a JSON or YAML text with its span; nesting is bounded by the parsers. */
export type SourceNode = ObjectNode | ArrayNode | ScalarNode

/** An object or mapping with all its members, duplicates included, in text order. */
export interface ObjectNode {
  readonly kind: 'object'
  readonly span: Span
  readonly members: readonly Member[]
}

/** A key and its value. */
export interface Member {
  readonly key: ScalarNode
  readonly value: SourceNode
}

/** An array or sequence. */
interface ArrayNode {
  readonly kind: 'array'
  readonly span: Span
  readonly items: readonly SourceNode[]
}

/** A string, number, boolean or null; its span includes quotes. */
export interface ScalarNode {
  readonly kind: 'scalar'
  readonly span: Span
  readonly value: string | number | boolean | null
  /** Set on a number written as an integer. */
  readonly integer?: boolean
}

/** The key of a member in the value. */
export function nameOf(member: Member): string {
  return String(member.key.value)
}

/** The plain value of a part; the last duplicate key wins, and every key becomes an own property. */
export function toValue(node: SourceNode): unknown {
  switch (node.kind) {
    case 'object':
      // Assignment would set the prototype for `__proto__`.
      return Object.fromEntries(node.members.map(member => [nameOf(member), toValue(member.value)]))
    case 'array':
      return node.items.map(toValue)
    case 'scalar':
      return node.value
  }
}

/**
 * Creates the locator of a text; the tree is built on first use.
 *
 * `distinct` states that no object has duplicate keys, so that most parts are found without an index.
 */
export function locator(
  build: () => SourceNode | undefined,
  text: string,
  distinct = false,
): Locate {
  let tree: { readonly root: SourceNode | undefined } | undefined
  const finders = new Map<ObjectNode, Finder>()
  const memberOf = (node: ObjectNode, name: string): Member | undefined => {
    let find = finders.get(node)
    if (!find) {
      find = finder(node, distinct)
      finders.set(node, find)
    }
    return find(name)
  }
  return (path: Path, part = 'value') => {
    tree ??= { root: build() }
    let node = tree.root
    if (!node) return { start: 0, end: text.length }
    let key: Span | undefined
    for (const segment of path) {
      const member: Member | undefined =
        node.kind === 'object' ? memberOf(node, String(segment)) : undefined
      const next: SourceNode | undefined = member?.value ?? itemOf(node, segment)
      if (!next) return node.span
      key = member?.key.span
      node = next
    }
    return part === 'key' && key ? key : node.span
  }
}

type Finder = (name: string) => Member | undefined

/**
 * Finds members of an object by name; the last duplicate wins.
 *
 * Distinct members are mostly requested in text order: scan the object once before indexing it.
 */
function finder({ members }: ObjectNode, distinct: boolean): Finder {
  let next = distinct ? 0 : members.length
  let index: Map<string, Member> | undefined
  return name => {
    while (next < members.length) {
      const member = members[next++]
      if (member && nameOf(member) === name) return member
    }
    index ??= new Map(members.map(member => [nameOf(member), member]))
    return index.get(name)
  }
}

function itemOf(node: SourceNode, segment: string | number): SourceNode | undefined {
  if (node.kind !== 'array') return undefined
  const index = Number(segment)
  return String(index) === String(segment) ? node.items[index] : undefined
}
