import type { Schema } from '../../../src/contract/index.ts'
import { follow, type Node, namedSchema, typesOf } from '../schema-node.ts'
import { postgresPattern } from './pattern.ts'

const READ = new Set([
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties'],
  ...['patternProperties', 'items', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern'],
  ...['minimum', 'maximum', '$ref'],
])
/** Keywords that constrain no value; a format always comes with an equivalent pattern. */
const IDLE = new Set([
  ...['$schema', '$id', '$defs', 'definitions', 'title', 'description', 'examples', 'format'],
])
const ANY_KEY = '^.*$'

/**
 * The body of a PL/pgSQL function of `payload jsonb` that returns whether a published schema accepts it.
 *
 * Every condition is tested with `is not true`, so null never passes. An unsupported keyword fails the build.
 */
export function checkBody(root: Schema): string {
  const writer = new Writer(root)
  writer.value(root, 'payload')
  const variables = writer.variables()
  const declared = variables.length === 0 ? '' : `declare\n  ${variables.join('\n  ')}\n`
  return `${declared}begin\n${writer.lines.join('\n')}\n  return true;\nend`
}

class Writer {
  readonly lines: string[] = []
  private readonly root: Schema
  private depth = 0
  private deepest = 0
  private indent = '  '
  private readonly following: string[] = []

  constructor(root: Schema) {
    this.root = root
  }

  variables(): string[] {
    return Array.from({ length: this.deepest }, (_, i) => `part${i + 1} jsonb;`)
  }

  value(schema: Schema, value: string): void {
    const name = schema.$ref
    if (name === undefined) {
      this.node(schema, value)
      return
    }
    if (this.following.includes(name)) throw new Error(`${name} is recursive`)
    this.following.push(name)
    this.node(follow(this.root, schema), value)
    this.following.pop()
  }

  private node(node: Node, value: string): void {
    for (const word of Object.keys(node))
      if (!READ.has(word) && !IDLE.has(word)) throw new Error(`${word} cannot be checked`)
    const choices = node.const === undefined ? node.enum : [node.const]
    if (choices) this.demand(oneOf(choices, value))
    else this.typed(typesOf(node), node, value)
  }

  private typed(types: readonly string[], node: Node, value: string): void {
    if (types.length === 0 && Object.keys(node).some(word => READ.has(word)))
      throw new Error('a constrained schema must have a type')
    const conditions = types.map(type => typeCondition(type, value))
    if (types.join() === 'string')
      this.demand([...conditions, ...textConditions(node, value)].join(' and '))
    else if (types.length > 0) {
      this.demand(conditions.join(' or '))
      for (const type of types) this.limits(type, types.length > 1, node, value)
    }
  }

  private limits(type: string, isOneOfSeveral: boolean, node: Node, value: string): void {
    const before = this.lines.length
    const outer = this.indent
    if (isOneOfSeveral) this.indent += '  '
    if (type === 'string') for (const limit of textConditions(node, value)) this.demand(limit)
    if (type === 'number' || type === 'integer') this.number(node, value)
    else if (type === 'array') this.list(node, value)
    else if (type === 'object') this.object(node, value)
    this.indent = outer
    if (!isOneOfSeveral || this.lines.length === before) return
    this.lines.splice(before, 0, `${outer}if ${typeCondition(type, value)} then`)
    this.lines.push(`${outer}end if;`)
  }

  private number({ minimum, maximum }: Node, value: string): void {
    if (minimum !== undefined) this.demand(`${value}::numeric >= ${minimum}`)
    if (maximum !== undefined) this.demand(`${value}::numeric <= ${maximum}`)
  }

  private list({ items = {}, minItems = 0, maxItems }: Node, value: string): void {
    if (minItems > 0) this.demand(`jsonb_array_length(${value}) >= ${minItems}`)
    if (maxItems !== undefined) this.demand(`jsonb_array_length(${value}) <= ${maxItems}`)
    const index = `i${this.depth + 1}`
    const each = `${index} in 0 .. jsonb_array_length(${value}) - 1`
    this.loop(
      items,
      () => each,
      part => `${part} := ${value} -> ${index};`,
    )
  }

  private object(node: Node, value: string): void {
    const { properties = {}, required = [] } = node
    if (required.some(key => !Object.hasOwn(properties, key)))
      throw new Error('a required property must be described')
    for (const [key, schema] of Object.entries(properties))
      this.member(schema, `${value} -> ${quoted(key)}`, required.includes(key))
    this.others(node, Object.keys(properties), value)
  }

  private member(schema: Schema, place: string, isRequired: boolean): void {
    const part = this.enter()
    const start = this.lines.length
    this.line(`${part} := ${place};`)
    const before = this.lines.length
    if (!isRequired) this.indent += '  '
    this.value(schema, part)
    if (!isRequired) this.indent = this.indent.slice(2)
    if (this.lines.length === before) {
      // Any value is valid; only its absence is an error.
      this.lines.length = start
      if (isRequired) this.demand(`(${place}) is not null`)
    } else if (!isRequired) {
      this.lines.splice(before, 0, `${this.indent}if ${part} is not null then`)
      this.line('end if;')
    }
    this.depth--
  }

  private others(node: Node, known: readonly string[], value: string): void {
    const patterns = Object.keys(node.patternProperties ?? {})
    if (patterns.some(pattern => pattern !== ANY_KEY))
      throw new Error('key patterns are not supported')
    if (patterns.length > 0 && known.length > 0)
      throw new Error('known keys cannot be combined with free ones')
    const rest =
      known.length === 0 ? value : `(${value} - array[${known.map(quoted).join(', ')}]::text[])`
    const named = namedSchema(node)
    if (node.additionalProperties === false && patterns.length === 0) this.demand(`${rest} = '{}'`)
    else if (named)
      this.loop(named, part => `${part} in select each.value from jsonb_each(${rest}) as each`)
  }

  /** A loop over parts; omitted if every part is accepted. */
  private loop(
    schema: Schema,
    each: (part: string) => string,
    first?: (part: string) => string,
  ): void {
    const start = this.lines.length
    const part = this.enter()
    this.line(`for ${each(part)} loop`)
    this.indent += '  '
    if (first) this.line(first(part))
    const before = this.lines.length
    this.value(schema, part)
    this.depth--
    this.indent = this.indent.slice(2)
    if (this.lines.length === before) this.lines.length = start
    else this.line('end loop;')
  }

  private enter(): string {
    this.depth++
    this.deepest = Math.max(this.deepest, this.depth)
    return `part${this.depth}`
  }

  private demand(condition: string): void {
    this.line(`if (${condition}) is not true then return false; end if;`)
  }

  private line(text: string): void {
    this.lines.push(this.indent + text)
  }
}

function textConditions({ minLength = 0, maxLength, pattern }: Node, value: string): string[] {
  const text = `(${value} #>> '{}')`
  return [
    // Only the empty text is shorter than one character.
    ...(minLength === 1 ? [`${value} <> '""'`] : []),
    ...(minLength > 1 ? [`char_length${text} >= ${minLength}`] : []),
    ...(maxLength === undefined ? [] : [`char_length${text} <= ${maxLength}`]),
    ...(pattern === undefined ? [] : [`${text} ~ ${quoted(postgresPattern(pattern))}`]),
  ]
}

function oneOf(choices: readonly unknown[], value: string): string {
  if (choices.some(choice => typeof choice === 'object' && choice !== null))
    throw new Error('enum values must not be lists or objects')
  return `${value} in (${choices.map(choice => quoted(JSON.stringify(choice))).join(', ')})`
}

function typeCondition(type: string, value: string): string {
  switch (type) {
    case 'integer':
      return `case when jsonb_typeof(${value}) = 'number' then trunc(${value}::numeric) = ${value}::numeric end`
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'array':
    case 'object':
      return `jsonb_typeof(${value}) = '${type}'`
    default:
      throw new Error(`the type ${type} cannot be checked`)
  }
}

/** An SQL string literal; backslashes are literal with standard_conforming_strings. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
