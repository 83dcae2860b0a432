import { GROUPS } from '../operations/groups.ts'
import { fileNameOf, type InputProperty, type Operation } from '../operations/operation.ts'
import { actionOf, SHARED, toolOf } from './shared-tools.ts'

/** The description of an operation, and loaders for its implementation. */
export interface ToolEntry {
  readonly operation: Omit<Operation<never, never>, 'run' | 'failed' | 'parts' | 'examples'>
  load(): Promise<{ default: unknown }>
  output(): Promise<{ default: Schema }>
}

/** A JSON Schema, as far as this module reads it. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** A tool: one operation, or several distinguished by action. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema
  readonly readOnly: boolean
  /** The operation of each action; a tool with one operation has one action with an empty name. */
  readonly actions: ReadonlyMap<string, ToolEntry>
}

/** The input that selects one of several operations. */
const ACTION = 'action'

/**
 * Derives the tools from operations: one per operation, one per group, and those of the table of shared tools.
 *
 * Leaves out operations and inputs for people, and operations that execute programs.
 */
export function deriveTools(entries: readonly ToolEntry[]): Tool[] {
  const tools = new Map<string, ToolEntry[]>()
  for (const entry of entries) {
    const { name, actor, effect } = entry.operation
    if (actor === 'human' || effect === 'execute') continue
    const tool = toolOf(name)
    tools.set(tool, [...(tools.get(tool) ?? []), entry])
  }
  return [...tools].map(([name, members]) => derive(name, members))
}

function derive(name: string, members: readonly ToolEntry[]): Tool {
  const [first] = members
  const isShared = Object.hasOwn(SHARED, name)
  const isAlone = !isShared && members.length === 1 && first?.operation.name === name
  const alone = isAlone ? first : undefined
  const actions = new Map(
    members.map(entry => [alone ? '' : actionOf(entry.operation.name, name), entry] as const),
  )
  const summary = alone ? alone.operation.summary : (SHARED[name]?.summary ?? GROUPS[name] ?? name)
  return {
    name,
    title: summary,
    description: alone ? `${summary}. ${alone.operation.description}` : describe(summary, actions),
    inputSchema: alone ? inputOf(alone) : groupInput(actions),
    readOnly: members.every(({ operation }) => operation.effect === 'read'),
    actions,
  }
}

function describe(summary: string, actions: ReadonlyMap<string, ToolEntry>): string {
  const lines = [...actions].map(([action, { operation }]) => `- ${action}: ${operation.summary}.`)
  return [`${summary}.`, ...lines].join('\n')
}

/** The inputs that agents may give. */
export function propertiesOf({ operation }: ToolEntry): [string, InputProperty][] {
  return Object.entries(operation.input.properties).filter(([, { actor }]) => actor !== 'human')
}

/** The input schema of one operation for agents. */
export function inputOf(entry: ToolEntry): Schema {
  const properties = propertiesOf(entry)
  const required = entry.operation.input.required ?? []
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([key, property]) => [key, schemaOf(property)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function groupInput(actions: ReadonlyMap<string, ToolEntry>): Schema {
  const inputs = new Map<string, Usage[]>()
  for (const [action, entry] of actions)
    for (const [key, property] of propertiesOf(entry)) {
      const required = entry.operation.input.required?.includes(key) === true
      inputs.set(key, [...(inputs.get(key) ?? []), { action, property, required }])
    }
  const properties = [...inputs].map(([key, usages]) => [key, merged(usages, actions.size)])
  return {
    type: 'object',
    properties: {
      [ACTION]: { enum: [...actions.keys()], description: 'What to do.' },
      ...Object.fromEntries(properties),
    },
    required: [ACTION],
    additionalProperties: false,
  }
}

/** An action that takes an input. */
interface Usage {
  readonly action: string
  readonly property: InputProperty
  readonly required: boolean
}

/** Merges an input of several actions: the union of what they accept, with a description per meaning. */
function merged(usages: readonly Usage[], ofAll: number): Schema {
  const types = new Set(usages.flatMap(({ property }) => property.type))
  const items = usages.find(({ property }) => property.items)?.property.items
  const isClosed = usages.every(({ property }) => property.enum)
  const values = new Set(usages.flatMap(({ property }) => property.enum ?? []))
  const meanings = new Map<string, string[]>()
  for (const { action, property, required } of usages) {
    const { description } = property
    const taker = required ? `${action} (required)` : action
    meanings.set(description, [...(meanings.get(description) ?? []), taker])
  }
  const isPlain = usages.length === ofAll && meanings.size === 1 && !usages.some(t => t.required)
  const texts = [...meanings].map(([meaning, by]) =>
    isPlain ? meaning : `${meaning} For ${by.join(', ')}.`,
  )
  return {
    type: types.size === 1 ? [...types][0] : [...types],
    ...(items && { items }),
    ...(isClosed && { enum: [...values] }),
    description: texts.join(' '),
  }
}

/** An input as JSON Schema, without what only the CLI and validation need. */
function schemaOf({ type, items, enum: values, description }: InputProperty): Schema {
  return {
    type,
    ...(items && { items }),
    ...(values && { enum: values }),
    description,
  }
}

/** The output schema of a tool: says which resources have the schemas, since in full they would be 200 KB of every session. */
export function outputSchemaOf({ actions }: Tool): Schema {
  const uris = [...actions.values()].map(({ operation }) => schemaUriOf(operation.name))
  return { type: 'object', description: `Schema: ${uris.join(', ')}.` }
}

/** The resource with the output schema of an operation. */
export function schemaUriOf(operation: string): string {
  return `waybill://schema/${fileNameOf(operation)}`
}

/** Resolves a call to its operation and input; undefined for an unknown action. */
export function readCall(
  { actions }: Tool,
  given: Readonly<Record<string, unknown>>,
): { entry: ToolEntry; input: Record<string, unknown> } | undefined {
  const { [ACTION]: action, ...rest } = given
  const grouped = !actions.has('')
  const entry = actions.get(grouped ? String(action) : '')
  return entry && { entry, input: grouped ? rest : { ...given } }
}
