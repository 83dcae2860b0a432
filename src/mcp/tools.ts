import { GROUPS } from '../operations/groups.ts'
import type { InputProperty, Operation } from '../operations/operation.ts'
import { actionOf, SHARED, toolOf } from './shared-tools.ts'

/** An operation as agents are told of it, and what is loaded when it is called. */
export interface ToolEntry {
  readonly operation: Omit<Operation<never, never>, 'run' | 'failed' | 'parts' | 'examples'>
  load(): Promise<{ default: unknown }>
  output(): Promise<{ default: Schema }>
}

/** A JSON Schema, as far as it is looked into here. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** One tool: an operation, or several by their actions. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema
  readonly readOnly: boolean
  /** What each action runs; a tool of one operation has one without a name. */
  readonly actions: ReadonlyMap<string, ToolEntry>
}

/** The input that says which of several operations is meant. */
const ACTION = 'action'

/**
 * The tools that are derived from operations: one for each, one for each group, and those of the table of shared tools.
 *
 * What a person states, and what executes programs, is not there: neither such operations nor such inputs.
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

/** What one operation takes from agents. */
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
  const inputs = new Map<string, Taking[]>()
  for (const [action, entry] of actions)
    for (const [key, property] of propertiesOf(entry)) {
      const required = entry.operation.input.required?.includes(key) === true
      inputs.set(key, [...(inputs.get(key) ?? []), { action, property, required }])
    }
  const properties = [...inputs].map(([key, takings]) => [key, merged(takings, actions.size)])
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
interface Taking {
  readonly action: string
  readonly property: InputProperty
  readonly required: boolean
}

/** One input of several actions: whatever one of them takes fits, and each meaning says for which actions it is. */
function merged(takings: readonly Taking[], ofAll: number): Schema {
  const types = new Set(takings.flatMap(({ property }) => property.type))
  const items = takings.find(({ property }) => property.items)?.property.items
  const isClosed = takings.every(({ property }) => property.enum)
  const values = new Set(takings.flatMap(({ property }) => property.enum ?? []))
  const meanings = new Map<string, string[]>()
  for (const { action, property, required } of takings) {
    const { description } = property
    const taker = required ? `${action} (required)` : action
    meanings.set(description, [...(meanings.get(description) ?? []), taker])
  }
  const isPlain = takings.length === ofAll && meanings.size === 1 && !takings.some(t => t.required)
  const told = [...meanings].map(([meaning, by]) =>
    isPlain ? meaning : `${meaning} For ${by.join(', ')}.`,
  )
  return {
    type: types.size === 1 ? [...types][0] : [...types],
    ...(items && { items }),
    ...(isClosed && { enum: [...values] }),
    description: told.join(' '),
  }
}

/** An input as JSON Schema: what only the command line and the boundary need to know is left out. */
function schemaOf({ type, items, enum: values, description }: InputProperty): Schema {
  return {
    type,
    ...(items && { items }),
    ...(values && { enum: values }),
    description,
  }
}

/** The schema of what a tool answers: that of its operation, or any of those of a group. */
export async function outputSchemaOf({ actions, title }: Tool): Promise<Schema> {
  const schemas = await Promise.all(
    [...actions.values()].map(async ({ output }) => plain((await output()).default)),
  )
  const [only] = schemas
  if (schemas.length === 1 && only) return only
  return { type: 'object', description: title, anyOf: schemas }
}

/** Inside another schema a dialect and a name of its own would be out of place. */
function plain({ $schema, $id, ...schema }: Schema): Schema {
  return schema
}

/** Which operation a call means, and what it gives to it. */
export function readCall(
  { actions }: Tool,
  given: Readonly<Record<string, unknown>>,
): { entry: ToolEntry; input: Record<string, unknown> } | undefined {
  const { [ACTION]: action, ...rest } = given
  const grouped = !actions.has('')
  const entry = actions.get(grouped ? String(action) : '')
  return entry && { entry, input: grouped ? rest : { ...given } }
}
