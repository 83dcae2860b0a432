import type { Fields, Schema } from '../../src/contract/index.ts'
import { formatPointer, type Path, parsePointer } from '../../src/document/index.ts'
import { follow, isFields, type Node, namedSchema, typesOf } from './schema-node.ts'

/** One change to a value, as in JSON Patch (RFC 6902). */
export interface Mutation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

const ONE_OF_EACH_TYPE = [null, true, 7, 'text', [], {}]
/** Limits the size of the files: longer limits are not tested. */
const LONGEST_TEXT = 600
const MOST_ITEMS = 50

/**
 * Every change to a value that tests one limit of its schema, in schema order.
 *
 * A repeated shape is only removed and set to null: validators treat the same limits alike, and the files stay
 * small.
 */
export function mutationsOf(root: Schema, base: unknown): Mutation[] {
  const found = new Map<string, Mutation>()
  const seen = new Set<string>()
  const visit = (schema: Schema, value: unknown, path: Path): void => {
    const node = follow(root, schema)
    const limits = limitsOf(node)
    const isNew = !seen.has(limits)
    seen.add(limits)
    for (const mutation of isNew
      ? changesOf(node, value, path)
      : replacements([null], value, path)) {
      found.set(JSON.stringify(mutation), mutation)
    }
    if (isNew)
      for (const [key, schema, member] of membersOf(node, value))
        visit(schema, member, [...path, key])
  }
  visit(root, base, [])
  return [...found.values()]
}

function changesOf(node: Node, value: unknown, path: Path): Mutation[] {
  const changes = replacements(othersThan(node, value), value, path)
  if (!isFields(value)) return changes
  const at = (key: string) => formatPointer([...path, key])
  const known = (node.required ?? []).filter(key => Object.hasOwn(value, key))
  return [
    ...changes,
    ...unknownKeys(node, path).map(key => ({ op: 'add' as const, path: at(key), value: 'text' })),
    ...known.map(key => ({ op: 'remove' as const, path: at(key) })),
  ]
}

function replacements(others: readonly unknown[], value: unknown, path: Path): Mutation[] {
  const at = formatPointer(path)
  return others
    .filter(other => other !== value)
    .map(other => ({ op: 'replace', path: at, value: other }))
}

/** The members of a value that its schema describes; of a list, only the first. */
function membersOf(node: Node, value: unknown): [string | number, Schema, unknown][] {
  if (Array.isArray(value)) return value.length > 0 && node.items ? [[0, node.items, value[0]]] : []
  if (!isFields(value)) return []
  const { properties = {} } = node
  return Object.entries(value).flatMap(([key, member]): [string, Schema, unknown][] => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : namedSchema(node)
    return schema ? [[key, schema, member]] : []
  })
}

/** Copies a value with one change; `add` only adds a key to an object. */
export function mutate(value: unknown, { op, path, value: other }: Mutation): unknown {
  const change = (part: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key === undefined) return other
    if (Array.isArray(part))
      return part.map((item, i) => (String(i) === key ? change(item, rest) : item))
    const entries = new Map(Object.entries(part as Fields))
    if (op === 'remove' && rest.length === 0) entries.delete(key)
    else entries.set(key, change(entries.get(key), rest))
    // Object.fromEntries creates own keys, even __proto__.
    return Object.fromEntries(entries)
  }
  return change(value, parsePointer(path))
}

/** The constraints of a node without descriptions: equal for nodes that validators treat alike. */
function limitsOf(node: Node): string {
  return JSON.stringify(node, (key, part) =>
    key === 'description' || key === 'examples' ? undefined : part,
  )
}

function othersThan(node: Node, value: unknown): unknown[] {
  return [
    ...ONE_OF_EACH_TYPE,
    ...otherChoices(node),
    ...otherNumbers(node),
    ...otherTexts(node, value),
    ...otherLists(node, value),
  ]
}

function otherChoices(node: Node): unknown[] {
  const choices = node.const === undefined ? (node.enum ?? []) : [node.const]
  const text = choices.find(choice => typeof choice === 'string')
  const texts =
    text === undefined ? [] : [`${text}x`, `${text}\n`, text.toUpperCase(), text.toLowerCase()]
  // If true is allowed, 1 and "true" are not, and vice versa.
  const alike = choices.every(choice => typeof choice === 'string')
    ? []
    : [0, 1, false, String(choices[0])]
  return [...texts, ...alike]
}

function otherNumbers({ minimum, maximum, ...node }: Node): unknown[] {
  const isNumber = typesOf(node).some(type => type === 'integer' || type === 'number')
  return [
    ...(minimum === undefined ? [] : [minimum - 1, minimum]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum]),
    ...(isNumber ? [-1.5, 1.5, 1e300] : []),
  ]
}

function otherTexts(
  { minLength = 0, maxLength = LONGEST_TEXT, pattern, ...node }: Node,
  value: unknown,
): unknown[] {
  const texts: string[] = []
  if (minLength > 0) texts.push('x'.repeat(minLength - 1), '𝒳'.repeat(minLength))
  // A character outside of the basic plane has two UTF-16 units but counts as one.
  if (maxLength < LONGEST_TEXT) texts.push('x'.repeat(maxLength + 1), '𝒳'.repeat(maxLength))
  if (pattern === undefined) return texts
  const good = typeof value === 'string' ? value : (node.examples?.[0] ?? '')
  const digits = String(good).replace(/[0-9]/g, digit =>
    String.fromCodePoint(0x660 + Number(digit)),
  )
  return [
    ...texts,
    '',
    `${good}\n`,
    `\n${good}`,
    ` ${good}`,
    `${good}x`,
    digits,
    String(good).toUpperCase(),
  ]
}

function otherLists(
  { minItems = 0, maxItems = MOST_ITEMS, uniqueItems }: Node,
  value: unknown,
): unknown[] {
  if (!Array.isArray(value) || value.length === 0) return []
  const lists: unknown[] = []
  if (minItems > 1) lists.push(value.slice(0, minItems - 1))
  if (maxItems < MOST_ITEMS) lists.push(Array.from({ length: maxItems + 1 }, () => value[0]))
  if (uniqueItems) lists.push([value[0], value[0]], [1, true], [0, false, 0])
  return lists
}

/** An unknown key, a misspelled one, and at the root keys that are hard to handle. */
function unknownKeys(node: Node, path: Path): string[] {
  const known = Object.keys(node.properties ?? {}).filter(key => key !== '$schema')
  const longest = known.toSorted((a, b) => b.length - a.length)[0]
  const near = longest === undefined ? [] : [`${longest}s`, swapped(longest)]
  const odd = path.length === 0 ? ['a/b~c', '__proto__', 'constructor', 'clé', ''] : []
  return ['zzz', ...near, ...odd].filter(key => !known.includes(key))
}

function swapped(word: string): string {
  return `${word[0] ?? ''}${word[2] ?? ''}${word[1] ?? ''}${word.slice(3)}`
}
