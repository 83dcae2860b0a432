import { GROUPS } from '../operations/groups.ts'
import type { InputProperty, Operation } from '../operations/operation.ts'

/** An operation as agents are told of it, and what is loaded when it is called. */
export interface ToolEntry {
  readonly operation: Omit<Operation<never, never>, 'run' | 'failed' | 'examples'>
  load(): Promise<{ default: unknown }>
  output(): Promise<{ default: Schema }>
}

/** A JSON Schema, as far as it is looked into here. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** One tool: an operation, or the operations of a group by their actions. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema
  readonly readOnly: boolean
  /** What each action runs; a tool of one operation has one without a name. */
  readonly actions: ReadonlyMap<string, ToolEntry>
}

/** The input that says which operation of a group is meant. */
const ACTION = 'action'

/**
 * The tools that are derived from operations: one for each, and one for each group.
 *
 * What a person states, and what executes programs, is not there: neither such operations nor such inputs.
 */
export function deriveTools(entries: readonly ToolEntry[]): Tool[] {
  const tools = new Map<string, ToolEntry[]>()
  for (const entry of entries) {
    const { name, actor, effect } = entry.operation
    if (actor === 'human' || effect === 'execute') continue
    const [first = name] = name.split(' ')
    tools.set(first, [...(tools.get(first) ?? []), entry])
  }
  return [...tools].map(([name, members]) => derive(name, members))
}

function derive(name: string, members: readonly ToolEntry[]): Tool {
  const [first] = members
  const alone = members.length === 1 && first?.operation.name === name ? first : undefined
  const actions = new Map(
    members.map(entry => [alone ? '' : lastWord(entry.operation.name), entry] as const),
  )
  const summary = alone ? alone.operation.summary : (GROUPS[name] ?? name)
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

function inputOf(entry: ToolEntry): Schema {
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
  const properties = new Map<string, Schema>()
  const takers = new Map<string, string[]>()
  for (const [action, entry] of actions)
    for (const [key, property] of propertiesOf(entry)) {
      takers.set(key, [...(takers.get(key) ?? []), action])
      if (!properties.has(key)) properties.set(key, schemaOf(property))
    }
  const noted = [...properties].map(([key, schema]) => {
    const by = takers.get(key) ?? []
    const note = by.length < actions.size ? ` For ${by.join(', ')}.` : ''
    return [key, { ...schema, description: `${schema.description}${note}` }] as const
  })
  return {
    type: 'object',
    properties: {
      [ACTION]: { enum: [...actions.keys()], description: 'What to do.' },
      ...Object.fromEntries(noted),
    },
    required: [ACTION],
    additionalProperties: false,
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

function lastWord(name: string): string {
  return name.slice(name.indexOf(' ') + 1)
}

/** Which operation a call means, and what it gives to it; what that operation does not take is named. */
export function readCall(
  { actions }: Tool,
  given: Readonly<Record<string, unknown>>,
): { entry: ToolEntry; input: Record<string, unknown>; foreign: string[] } | undefined {
  const { [ACTION]: action, ...rest } = given
  const grouped = !actions.has('')
  const entry = actions.get(grouped ? String(action) : '')
  if (!entry) return undefined
  const input = grouped ? rest : { ...given }
  const known = new Set(propertiesOf(entry).map(([key]) => key))
  return { entry, input, foreign: Object.keys(input).filter(key => !known.has(key)) }
}
