import type { Locate, Path, Span } from './document.ts'

/** A part of a JSON or YAML text with the place where it stands; never nested beyond some hundred levels. */
export type SourceNode = ObjectNode | ArrayNode | ScalarNode

/** An object or mapping with all its members, duplicates included, in the order of the text. */
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
  /** Set on a number that is written as an integer. */
  readonly integer?: boolean
}

/** The key under which a member stands in the value. */
export function nameOf(member: Member): string {
  return String(member.key.value)
}

/** The plain value of a part; of duplicate keys the last counts, and every key becomes an own property. */
export function toValue(node: SourceNode): unknown {
  switch (node.kind) {
    case 'object':
      // Not by assignment, which would take `__proto__` for the prototype.
      return Object.fromEntries(node.members.map(member => [nameOf(member), toValue(member.value)]))
    case 'array':
      return node.items.map(toValue)
    case 'scalar':
      return node.value
  }
}

/**
 * Makes the locator of a text; the tree is built when it is first asked.
 *
 * `distinct` says that no object holds a key twice: then most are found without an index.
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
 * Finds members of an object by name; of duplicates the last counts.
 *
 * Distinct ones are mostly asked for in the order of the text: the object is gone through once before it is indexed.
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
