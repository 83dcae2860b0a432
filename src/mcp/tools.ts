import { GROUPS } from '../operations/groups.ts'
import { fileNameOf, type InputProperty, type Operation } from '../operations/operation.ts'
import { actionOf, OF_PROGRAMS, SHARED, toolOf } from './shared-tools.ts'
import { shortDescription, shortText } from './short.ts'
import { type Words, wordsOf } from './words.ts'

/** The description of an operation, and loaders for its implementation. */
export interface ToolEntry {
  readonly operation: Omit<
    Operation<never, never>,
    'run' | 'failed' | 'parts' | 'examples' | 'forAgents'
  >
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
  /** The inputs as clients list them; a rare input is only named by its actions. */
  readonly inputSchema: Schema
  /** Every input of every action. */
  readonly accepted: Schema
  readonly readOnly: boolean
  /** The operation of each action; a tool with one operation has one action with an empty name. */
  readonly actions: ReadonlyMap<string, ToolEntry>
}

/** The input that selects one of several operations. */
const ACTION = 'action'

/**
 * Derives the tools from operations: one per operation, one per group, and those of the table of shared tools.
 *
 * Leaves out operations and inputs for people, operations for programs, and those that execute programs.
 */
export function deriveTools(entries: readonly ToolEntry[]): Tool[] {
  const tools = new Map<string, ToolEntry[]>()
  const offered = agentEntries(entries)
  for (const entry of offered) {
    const tool = toolOf(entry.operation.name)
    tools.set(tool, [...(tools.get(tool) ?? []), entry])
  }
  const words = wordsOf(offered)
  return [...tools].map(([name, members]) => derive(name, members, words))
}

/** The operations that agents have. */
export function agentEntries(entries: readonly ToolEntry[]): ToolEntry[] {
  return entries.filter(
    ({ operation: { name, actor, effect } }) =>
      actor !== 'human' && effect !== 'execute' && !OF_PROGRAMS.includes(name),
  )
}

function derive(name: string, members: readonly ToolEntry[], words: Words): Tool {
  const [first] = members
  const isShared = Object.hasOwn(SHARED, name)
  const isAlone = !isShared && members.length === 1 && first?.operation.name === name
  const alone = isAlone ? first : undefined
  const actions = new Map(
    members.map(entry => [alone ? '' : actionOf(entry.operation.name, name), entry] as const),
  )
  const summary = alone ? alone.operation.summary : (SHARED[name]?.summary ?? GROUPS[name] ?? name)
  const inputs = alone ? inputOf(alone) : groupInput(name, actions)
  const properties = { ...(inputs.properties as object), cursor: CURSOR }
  const accepted = { ...inputs, properties }
  return {
    name,
    title: summary,
    description: words(
      alone ? shortDescription(name, summary, alone.operation.description) : summary,
    ),
    inputSchema: listed(name, accepted, words),
    accepted,
    readOnly: members.every(({ operation }) => operation.effect === 'read'),
    actions,
  }
}

/** The text that an operation else reads from standard input. */
const CONTENT: InputProperty = { type: 'string', description: 'The text itself.' }

/** The inputs that agents may give. */
export function propertiesOf({ operation }: ToolEntry): [string, InputProperty][] {
  const given = Object.entries(operation.input.properties).filter(
    ([, { actor }]) => actor !== 'human',
  )
  return given.some(([, { inline }]) => inline) ? [...given, ['content', CONTENT]] : given
}

/** The input that asks for the rest of a long answer. */
const CURSOR: InputProperty = { type: 'string', description: 'The rest of an answer.' }

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

/** The inputs of several actions; the description of `action` says which of them each action takes. */
function groupInput(tool: string, actions: ReadonlyMap<string, ToolEntry>): Schema {
  const inputs = new Map<string, InputProperty[]>()
  for (const entry of actions.values())
    for (const [key, property] of propertiesOf(entry))
      inputs.set(key, [...(inputs.get(key) ?? []), property])
  const properties = [...inputs].map(([key, usages]) => [key, merged(usages)])
  const calls = [...actions].map(([action, entry]) => signatureOf(tool, action, entry))
  return {
    type: 'object',
    properties: {
      [ACTION]: { type: 'string', enum: [...actions.keys()], description: calls.join('\n') },
      ...Object.fromEntries(properties),
    },
    required: [ACTION],
    additionalProperties: false,
  }
}

/** An action with its inputs; those that are not listed on their own show their types. */
function signatureOf(tool: string, action: string, entry: ToolEntry): string {
  const { summary, input } = entry.operation
  const inputs = propertiesOf(entry).map(([key, { type, enum: values, description }]) => {
    const name = input.required?.includes(key) ? key : `${key}?`
    const isListed = shortText(tool, key, description) !== null
    const few = values && values.length <= MOST_SHOWN ? values.join('|') : undefined
    return isListed || (type === 'string' && !few) ? name : `${name}: ${few ?? type}`
  })
  return `${action}(${inputs.join(', ')}): ${summary}`
}

/** More values are named only by the refusal of another one. */
const MOST_SHOWN = 3

/** Merges an input of several actions: the union of what they accept. */
function merged(usages: readonly InputProperty[]): Schema {
  const [first] = usages
  const types = new Set(usages.flatMap(({ type }) => type))
  const items = usages.find(usage => usage.items)?.items
  const isClosed = usages.every(usage => usage.enum)
  const values = new Set(usages.flatMap(usage => usage.enum ?? []))
  return {
    type: types.size === 1 ? [...types][0] : [...types],
    ...(items && { items }),
    ...(isClosed && { enum: [...values] }),
    description: first?.description,
  }
}

/** A schema as clients list it: in the words of tools, and without the keyword that only repeats what a refusal says. */
function listed(
  tool: string,
  { properties, additionalProperties: _, ...schema }: Schema,
  words: Words,
): Schema {
  const inputs = Object.entries(properties as Readonly<Record<string, InputProperty>>)
  const plain = inputs.flatMap(([key, { type, items, description, ...rest }]) => {
    // Inputs of several types have none here, as few clients take a list of types.
    const typed = typeof type === 'string' ? { type, ...(items && { items }) } : {}
    const text = key === ACTION ? description : shortText(tool, key, description)
    if (text === null) return []
    return [[key, { ...typed, ...rest, ...(text && { description: words(text) }) }]]
  })
  return { ...schema, properties: Object.fromEntries(plain) }
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
