import { type Fields, type Schema } from '../../src/contract/index.ts'
import { formatPointer, parsePointer, type Path } from '../../src/document/index.ts'

/** A JSON Schema node with the keywords that limit a value. */
interface Node extends Schema {
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

/** One change to a value, in the words of JSON Patch (RFC 6902). */
export interface Mutation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

const ONE_OF_EACH_TYPE = [null, true, 7, 1.5, 'text', [], {}]
/** Longer texts would fill the files with letters; a limit this far off is read like a nearer one. */
const LONGEST_TEXT = 600
const MOST_ITEMS = 50

/** A value with every optional key filled in for which the schema tells a good value. */
export function complete(root: Schema, value: unknown, schema: Schema = root): unknown {
  const node = follow(root, schema)
  if (Array.isArray(value)) {
    if (!node.items) return value
    const [first, ...rest] = value
    const sample = value.length > 0 ? complete(root, first, node.items) : sampleOf(root, node.items)
    return sample === undefined ? value : [sample, ...rest]
  }
  if (!isFields(value)) return value
  const entries = new Map(Object.entries(value))
  for (const [key, property] of Object.entries(node.properties ?? {})) {
    const own = entries.get(key)
    const filled = own === undefined ? sampleOf(root, property) : complete(root, own, property)
    if (filled !== undefined) entries.set(key, filled)
  }
  const named = namedSchema(node)
  if (named && !node.properties) {
    const [key, own] = [...entries][0] ?? ['name', undefined]
    const filled = own === undefined ? sampleOf(root, named) : complete(root, own, named)
    if (filled !== undefined) entries.set(key, filled)
  }
  return Object.fromEntries(entries)
}

/** A value that a schema accepts, if that can be told without knowing what its pattern means. */
function sampleOf(root: Schema, schema: Schema): unknown {
  const node = follow(root, schema)
  if (node.const !== undefined) return node.const
  const known = node.examples?.[0] ?? node.enum?.find(choice => choice !== null)
  if (known !== undefined) return known
  switch (typesOf(node).find(type => type !== 'null')) {
    case 'object':
      return complete(root, {}, node)
    case 'array': {
      const item = node.items && sampleOf(root, node.items)
      return item === undefined ? [] : Array.from({ length: node.minItems ?? 1 }, () => item)
    }
    case 'string':
      return node.pattern ? undefined : 'text'.padEnd(node.minLength ?? 0, '.').slice(0, node.maxLength)
    case 'integer':
    case 'number':
      return node.minimum ?? 0
    case 'boolean':
      return true
    default:
      return undefined
  }
}

/**
 * Every change to a value that touches one limit of its schema, in the schema's order.
 *
 * A shape that comes again is only left out and set to null: the validators read the same limit in the same way.
 */
export function mutationsOf(root: Schema, base: unknown): Mutation[] {
  const found = new Map<string, Mutation>()
  const add = (mutation: Mutation) => found.set(JSON.stringify(mutation), mutation)
  const seen = new Set<string>()
  const visit = (schema: Schema, value: unknown, path: Path): void => {
    const node = follow(root, schema)
    const at = formatPointer(path)
    const limits = limitsOf(node)
    if (seen.has(limits)) {
      add({ op: 'replace', path: at, value: null })
      return
    }
    seen.add(limits)
    for (const other of othersThan(node, value)) add({ op: 'replace', path: at, value: other })
    if (Array.isArray(value) && value.length > 0 && node.items) visit(node.items, value[0], [...path, 0])
    if (!isFields(value)) return
    for (const key of unknownKeys(node, path)) add({ op: 'add', path: formatPointer([...path, key]), value: 'text' })
    for (const key of node.required ?? []) add({ op: 'remove', path: formatPointer([...path, key]) })
    for (const [key, member] of members(node, value)) visit(member, value[key], [...path, key])
  }
  visit(root, base, [])
  return [...found.values()].filter(({ op, path }) => op !== 'remove' || has(base, parsePointer(path)))
}

/** A copy of a value with one change; the only `add` is that of a key to an object. */
export function mutate(value: unknown, { op, path, value: other }: Mutation): unknown {
  const change = (part: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key === undefined) return other
    if (Array.isArray(part)) return part.map((item, i) => (String(i) === key ? change(item, rest) : item))
    const entries = new Map(Object.entries(part as Fields))
    if (op === 'remove' && rest.length === 0) entries.delete(key)
    else entries.set(key, change(entries.get(key), rest))
    // Object.fromEntries makes own keys, also one named __proto__.
    return Object.fromEntries(entries)
  }
  return change(value, parsePointer(path))
}

/** What a node demands, without the words about it: the same for two nodes that validators treat alike. */
function limitsOf(node: Node): string {
  return JSON.stringify(node, (key, part) => (key === 'description' || key === 'examples' ? undefined : part))
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
  const texts = text === undefined ? [] : [`${text}x`, `${text}\n`, text.toUpperCase(), text.toLowerCase()]
  return choices.length > 0 ? [...texts, '', 0, 1, false, String(choices[0])] : []
}

function otherNumbers({ minimum, maximum, ...node }: Node): unknown[] {
  const isNumber = typesOf(node).some(type => type === 'integer' || type === 'number')
  return [
    ...(minimum === undefined ? [] : [minimum - 1, minimum]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum]),
    ...(isNumber ? [-1.5, 1e300] : []),
  ]
}

function otherTexts({ minLength = 0, maxLength = LONGEST_TEXT, pattern, ...node }: Node, value: unknown): unknown[] {
  const texts: string[] = []
  if (minLength > 0) texts.push('x'.repeat(minLength - 1), '𝒳'.repeat(minLength))
  // Outside the basic plane a character has two UTF-16 units and counts as one.
  if (maxLength < LONGEST_TEXT) texts.push('x'.repeat(maxLength + 1), '𝒳'.repeat(maxLength))
  if (pattern === undefined) return texts
  const good = typeof value === 'string' ? value : (node.examples?.[0] ?? '')
  const digits = String(good).replace(/[0-9]/g, digit => String.fromCodePoint(0x660 + Number(digit)))
  return [...texts, '', `${good}\n`, `\n${good}`, ` ${good}`, `${good}x`, digits, String(good).toUpperCase()]
}

function otherLists({ minItems = 0, maxItems = MOST_ITEMS, uniqueItems }: Node, value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length === 0) return []
  const lists: unknown[] = []
  if (minItems > 1) lists.push(value.slice(0, minItems - 1))
  if (maxItems < MOST_ITEMS) lists.push(Array.from({ length: maxItems + 1 }, () => value[0]))
  if (uniqueItems) lists.push([value[0], value[0]], [1, true], [0, false, 0])
  return lists
}

/** A key that nobody meant, one that was nearly right, and at the top those that trip programs up. */
function unknownKeys(node: Node, path: Path): string[] {
  const known = Object.keys(node.properties ?? {}).filter(key => key !== '$schema')
  const longest = known.toSorted((a, b) => b.length - a.length)[0]
  const near = longest === undefined ? [] : [`${longest}s`, swapped(longest)]
  const odd = path.length === 0 ? ['a/b~c', '__proto__', 'constructor', 'clé', ''] : []
  return ['zzz', ...near, ...odd].filter(key => !known.includes(key))
}

function swapped(word: string): string {
  const middle = word.length >> 1
  return word.slice(0, middle - 1) + (word[middle] ?? '') + (word[middle - 1] ?? '') + word.slice(middle + 1)
}

function members(node: Node, value: Fields): [string, Schema][] {
  const named = namedSchema(node)
  return Object.keys(value).flatMap((key): [string, Schema][] => {
    const own = node.properties
    const member = own && Object.hasOwn(own, key) ? own[key] : named
    return member ? [[key, member]] : []
  })
}

function namedSchema(node: Node): Schema | undefined {
  const other = node.additionalProperties
  return typeof other === 'object' ? other : Object.values(node.patternProperties ?? {})[0]
}

function typesOf({ type = [] }: Node): readonly string[] {
  return typeof type === 'string' ? [type] : type
}

function follow(root: Schema, schema: Schema): Node {
  if (!schema.$ref) return schema
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  return root.$defs?.[name] ?? root.definitions?.[name] ?? schema
}

function has(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) && has((value as Fields)[key], rest)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
