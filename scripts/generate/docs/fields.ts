import type { Schema } from '../../../src/contract/index.ts'
import { code, prose, table } from './markdown.ts'

/** The schema keywords that the table of fields shows. */
type Node = Schema & {
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly anyOf?: readonly Node[]
}

interface Walk {
  readonly root: Node
  readonly rows: string[][]
  /** The field where a shared shape is documented first. */
  readonly first: Map<string, string>
}

/** The table of all fields of a schema; nested fields follow their parent. */
export function fieldTable(schema: Schema): string {
  const walk: Walk = { root: schema as Node, rows: [], first: new Map() }
  describeMembers(schema as Node, '', walk)
  return table(['Field', 'Type', 'Required', 'Meaning'], walk.rows)
}

function describeMembers(node: Node, path: string, walk: Walk): void {
  const required = new Set(node.required)
  for (const [key, member] of Object.entries(node.properties ?? {})) {
    if (path === '' && key === '$schema') continue
    describeField(member as Node, path === '' ? key : `${path}.${key}`, required.has(key), walk)
  }
  const other = mapValue(node)
  if (other) describeInner(other, path === '' ? '*' : `${path}.*`, walk)
}

function describeField(member: Node, path: string, required: boolean, walk: Walk): void {
  const { node, name } = follow(member, walk.root)
  const earlier = name === undefined ? undefined : walk.first.get(name)
  const type = typeOf(node, walk.root)
  const like =
    earlier === undefined || !hasMembers(node, walk.root) ? '' : `, like ${code(earlier)}`
  walk.rows.push([
    code(path),
    `${type}${like}`,
    required ? 'yes' : '',
    prose(node.description ?? ''),
  ])
  if (earlier !== undefined) return
  if (name !== undefined) walk.first.set(name, path)
  descend(node, path, walk)
}

/** An unnamed shape, such as a list entry: only its members have rows. */
function describeInner(member: Node, path: string, walk: Walk): void {
  const { node, name } = follow(member, walk.root)
  if (!hasMembers(node, walk.root)) return
  const earlier = name === undefined ? undefined : walk.first.get(name)
  if (earlier !== undefined) {
    walk.rows.push([
      code(path),
      `${typeOf(node, walk.root)}, like ${code(earlier)}`,
      '',
      prose(node.description ?? ''),
    ])
    return
  }
  if (name !== undefined) walk.first.set(name, path)
  descend(node, path, walk)
}

function descend(node: Node, path: string, walk: Walk): void {
  if (node.items) describeInner(node.items as Node, `${path}[]`, walk)
  else describeMembers(node, path, walk)
}

function hasMembers(node: Node, root: Node): boolean {
  if (node.items) return hasMembers(follow(node.items as Node, root).node, root)
  return node.properties !== undefined || mapValue(node) !== undefined
}

/** The type of map values if the keys are free. */
function mapValue(node: Node): Node | undefined {
  const [patterned] = Object.values(node.patternProperties ?? {})
  const other = node.additionalProperties
  const value = patterned ?? (typeof other === 'object' ? other : undefined)
  return value && Object.keys(value).length > 0 ? (value as Node) : undefined
}

function follow(node: Node, root: Node): { node: Node; name?: string } {
  if (!node.$ref) return { node }
  const name = node.$ref.slice(node.$ref.lastIndexOf('/') + 1)
  return { node: ((root.$defs ?? root.definitions)?.[name] ?? {}) as Node, name }
}

const MOST_VALUES = 16

function typeOf(node: Node, root: Node): string {
  if (node.const !== undefined) return code(String(node.const))
  if (node.enum) {
    const values = node.enum.map(value => code(String(value)))
    const shown = values.length > MOST_VALUES ? [...values.slice(0, MOST_VALUES), '…'] : values
    return shown.join(', ')
  }
  const limits = limitsOf(node)
  return [kindOf(node, root), ...limits].join(', ')
}

function kindOf(node: Node, root: Node): string {
  const types = [node.type ?? []].flat()
  if (node.items) {
    const entry = follow(node.items as Node, root).node
    const list = `list of ${entry.enum || entry.const !== undefined ? typeOf(entry, root) : plural(kindOf(entry, root))}`
    const others = types.filter(type => type !== 'array')
    return others.length > 0 ? `${others.join(' or ')}, or ${list}` : list
  }
  if (types.length === 0) return 'anything'
  const names = types.map(type =>
    type === 'array'
      ? 'list'
      : type === 'object' && !node.properties && mapValue(node)
        ? 'map'
        : type,
  )
  return node.format === 'date-time'
    ? names.join(' or ').replace('string', 'time')
    : names.join(' or ')
}

function plural(kind: string): string {
  return kind === 'anything' || kind.includes(' ') ? kind : `${kind}s`
}

function limitsOf(node: Node): string[] {
  const limits: string[] = []
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = node
  if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} to ${maximum}`)
  else if (minimum !== undefined) limits.push(`${minimum} or more`)
  else if (maximum !== undefined) limits.push(`${maximum} or less`)
  if (minLength === 1) limits.push('not empty')
  else if (minLength !== undefined) limits.push(`${minLength} characters or more`)
  if (maxLength !== undefined) limits.push(`${maxLength} characters or fewer`)
  if (minItems !== undefined) limits.push(minItems === 1 ? 'not empty' : `${minItems} or more`)
  if (maxItems !== undefined) limits.push(`${maxItems} or fewer`)
  if (node.uniqueItems) limits.push('each once')
  const example = node.examples?.[0]
  if (node.pattern && node.format !== 'date-time' && example !== undefined) {
    limits.push(`like ${code(String(example))}`)
  }
  return limits
}
