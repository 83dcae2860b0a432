import type { Schema } from '../../src/contract/index.ts'
import { follow, type Node, namedSchema, typesOf } from './schema-node.ts'

/**
 * Generates a JavaScript function `isSound` that returns whether a closed schema accepts a value.
 *
 * It returns true only for what the full check accepts, and false when unsure, such as for a text that may be too
 * long in characters but not in UTF-16 units. An unsupported keyword fails the build.
 */
export function soundnessCode(root: Schema): string {
  const parts = new Parts(root)
  const condition = parts.conditionOf(root, 'value')
  // Keys added to Object.prototype would look like keys of the document.
  return `${parts.code()}
const nothing = {}
function isSound(value) {
  for (const _ in nothing) return false
  return ${condition}
}`
}

const READ = new Set([
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties'],
  ...[
    'patternProperties',
    'items',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minLength',
    'maxLength',
    'pattern',
  ],
  ...['minimum', 'maximum', '$ref'],
])
/** Keywords that constrain no value; a format always comes with an equivalent pattern. */
const IDLE = new Set([
  ...['$schema', '$id', '$defs', 'definitions', 'title', 'description', 'examples', 'format'],
])

const ANY_KEY = '^.*$'

/** Collects the functions and patterns of a check. */
class Parts {
  private readonly root: Schema
  private readonly bodies: string[] = []
  private readonly patterns: string[] = []
  private readonly named = new Map<string, string>()

  constructor(root: Schema) {
    this.root = root
  }

  code(): string {
    const patterns = this.patterns.map((source, i) => `const form${i} = new RegExp(${source}, 'u')`)
    const functions = this.bodies.map((body, i) => `function sound${i}(d) { ${body} }`)
    return [...patterns, ...functions].join('\n')
  }

  /** The expression that is true for values the schema accepts; `true` if it accepts all. */
  conditionOf(schema: Schema, value: string): string {
    const name = schema.$ref
    if (name === undefined) return this.conditionOfNode(schema, value)
    const known = this.named.get(name) ?? this.functionFor(follow(this.root, schema))
    this.named.set(name, known)
    return `${known}(${value})`
  }

  private functionFor(node: Node): string {
    return this.define(`return ${this.conditionOf(node, 'd')}`)
  }

  private conditionOfNode(node: Node, value: string): string {
    for (const word of Object.keys(node))
      if (!READ.has(word) && !IDLE.has(word)) throw new Error(`${word} cannot be checked`)
    const choices = node.const === undefined ? node.enum : [node.const]
    if (choices) return this.oneOf(choices, node, value)
    const types = typesOf(node)
    if (types.length === 0 && Object.keys(node).some(word => READ.has(word)))
      throw new Error('a constrained schema must have a type')
    const conditions = types.map(type => this.conditionOfType(type, node, value))
    return conditions.length > 1
      ? `(${conditions.map(condition => `(${condition})`).join(' || ')})`
      : (conditions[0] ?? 'true')
  }

  private oneOf(choices: readonly unknown[], node: Node, value: string): string {
    const types = typesOf(node)
    const fitting = choices.filter(
      choice => types.length === 0 || types.includes(choice === null ? 'null' : typeof choice),
    )
    if (fitting.length < choices.length || choices.some(isObject))
      throw new Error('enum values must be strings or null, of the given type')
    return `(${fitting.map(choice => `${value} === ${JSON.stringify(choice)}`).join(' || ')})`
  }

  private conditionOfType(type: string, node: Node, value: string): string {
    switch (type) {
      case 'string':
        return this.text(node, value)
      case 'number':
      case 'integer': {
        const kind = `Number.is${type === 'integer' ? 'Integer' : 'Finite'}(${value})`
        const lowest = node.minimum === undefined ? '' : ` && ${value} >= ${node.minimum}`
        const highest = node.maximum === undefined ? '' : ` && ${value} <= ${node.maximum}`
        return kind + lowest + highest
      }
      case 'boolean':
        return `typeof ${value} === 'boolean'`
      case 'null':
        return `${value} === null`
      case 'array':
        return `${this.list(node)}(${value})`
      case 'object':
        return `${this.object(node)}(${value})`
      default:
        throw new Error(`the type ${type} cannot be checked`)
    }
  }

  private text({ minLength = 0, maxLength, pattern }: Node, value: string): string {
    const conditions = [`typeof ${value} === 'string'`]
    // A character has one or two UTF-16 units.
    if (minLength > 0) conditions.push(`${value}.length >= ${minLength === 1 ? 1 : 2 * minLength}`)
    if (maxLength !== undefined) conditions.push(`${value}.length <= ${maxLength}`)
    if (pattern !== undefined) conditions.push(`${this.pattern(pattern)}.test(${value})`)
    return conditions.join(' && ')
  }

  private list({ items = {}, minItems = 0, maxItems, uniqueItems }: Node): string {
    const condition = this.conditionOf(items, 'v')
    const each = `for (let i = 0; i < d.length; i++) { const v = d[i]; if (!(${condition})) return false }`
    // The full check tests long lists for duplicates.
    const most = uniqueItems ? Math.min(maxItems ?? 1, 1) : maxItems
    const tooFew = minItems === 0 ? '' : ` || d.length < ${minItems}`
    const tooMany = most === undefined ? '' : ` || d.length > ${most}`
    return this.define(`
      if (!Array.isArray(d)${tooFew}${tooMany}) return false
      ${condition === 'true' ? '' : each}
      return true`)
  }

  /** Loads known keys one by one, which is fast even without warm-up, and then counts the present keys. */
  private object(node: Node): string {
    const { properties = {}, required = [], patternProperties = {} } = node
    const known = Object.entries(properties).map(([key, schema]) =>
      this.member(key, this.conditionOf(schema, 'v'), required.includes(key)),
    )
    if (required.some(key => !Object.hasOwn(properties, key)))
      throw new Error('a required property must be described')
    const [keys, ...more] = Object.keys(patternProperties)
    const isMixed = known.length > 0 || node.additionalProperties !== undefined
    if (more.length > 0 || (keys !== undefined && isMixed))
      throw new Error('keys must be known or have one pattern')
    const others = this.others(node, keys)
    return this.define(`
      if (typeof d !== 'object' || d === null || Array.isArray(d)) return false
      let v, open = ${required.length}
      ${known.join('\n')}
      ${others}`)
  }

  private member(key: string, condition: string, isRequired: boolean): string {
    // An inherited key would be found although the document lacks it.
    if (key in {}) throw new Error(`every object has a ${key}`)
    const load = `v = d[${JSON.stringify(key)}]`
    const refuse = condition === 'true' ? '' : `if (!(${condition})) return false`
    if (isRequired) return `${load}; ${refuse || 'if (v === undefined) return false'}`
    return `${load}; if (v !== undefined) { ${refuse}; open++ }`
  }

  private others(node: Node, keyPattern: string | undefined): string {
    const named = namedSchema(node)
    const isOpen = node.additionalProperties !== false && !node.properties
    if (!named && !isOpen) return 'for (const _ in d) open--; return open === 0'
    const condition = this.conditionOf(named ?? {}, 'd[k]')
    const tests = condition === 'true' ? [] : [`if (!(${condition})) return false`]
    if (keyPattern !== undefined && keyPattern !== ANY_KEY)
      tests.unshift(`if (!${this.pattern(keyPattern)}.test(k)) return false`)
    const known = Object.keys(node.properties ?? {}).map(key => `case ${JSON.stringify(key)}:`)
    if (tests.length === 0) return 'return true'
    const skip = known.length === 0 ? '' : `switch (k) { ${known.join(' ')} continue }`
    return `for (const k in d) { ${skip} ${tests.join('; ')} } return true`
  }

  private pattern(source: string): string {
    const text = JSON.stringify(source)
    const known = this.patterns.indexOf(text)
    return `form${known < 0 ? this.patterns.push(text) - 1 : known}`
  }

  private define(body: string): string {
    const known = this.bodies.indexOf(body)
    return `sound${known < 0 ? this.bodies.push(body) - 1 : known}`
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
