import { readOperations } from '../scripts/generate/operations.ts'
import { flagOf } from '../src/cli/parse.ts'
import { catalogue } from '../src/mcp/catalogue.generated.ts'
import { deriveTools } from '../src/mcp/tools.ts'
import type { App } from '../src/operations/operation.ts'
import { connectHere } from './mcp-client.ts'
import { waybill } from './waybill.ts'

const operations = await readOperations()
const tools = deriveTools(catalogue)

/** The names of all operations that agents have. */
export const offered: readonly string[] = operations
  .filter(o => o.actor !== 'human' && o.effect !== 'execute')
  .map(({ name }) => name)

/** What an operation is given. */
export type Input = Readonly<Record<string, unknown>>

/** Where an operation is called, and when. */
export interface Place {
  readonly root: string
  /** RFC 3339. */
  readonly now: string
  /** Variables of the environment, beside those of the test. */
  readonly env: Readonly<Record<string, string>>
  /** What calls of the function are given. */
  readonly app: App
}

const json = (value: unknown) => JSON.parse(JSON.stringify(value))

/** What an operation answers when its function is called. */
export async function byFunction(name: string, input: Input, { app }: Place): Promise<unknown> {
  const operation = operations.find(o => o.name === name)
  if (!operation) throw new Error(`there is no operation ${name}`)
  return json(await operation.run(input as never, app))
}

/** What it answers on a command line. */
export async function byCommandLine(name: string, input: Input, place: Place): Promise<unknown> {
  const { root, now, env } = place
  const properties = operations.find(o => o.name === name)?.input.properties ?? {}
  const given = Object.entries(properties).flatMap(([key, { positional }]) => {
    const value = input[key]
    if (value === undefined) return []
    const words = [value].flat().map(String)
    return positional ? words : value === true ? [flagOf(key)] : [flagOf(key), ...words]
  })
  // A list of a flag would swallow what stands behind it.
  const positional = Object.entries(properties).flatMap(([key, p]) =>
    p.positional && input[key] !== undefined ? [input[key]].flat().map(String) : [],
  )
  const flags = given.filter(word => !positional.includes(word))
  const args = [...name.split(' '), ...positional, ...flags, '--format', 'json', '--now', now]
  const { stdout, stderr } = await waybill([...args, '--root', root], { cwd: root, env })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** What it answers to an agent. */
export async function byTool(name: string, input: Input, place: Place): Promise<unknown> {
  const { root, now, env } = place
  const client = await connectHere({ root, now }, env)
  try {
    const { tool, action } = placeOf(name)
    const given = { ...(action !== '' && { action }), ...input }
    const answer = await client.callTool({ name: tool, arguments: given })
    if (answer.isError) throw new Error(JSON.stringify(answer.content))
    return answer.structuredContent
  } finally {
    await client.close()
  }
}

/** The tool that has an operation, and the action that it is there. */
function placeOf(name: string): { tool: string; action: string } {
  for (const { name: tool, actions } of tools)
    for (const [action, { operation }] of actions)
      if (operation.name === name) return { tool, action }
  throw new Error(`no tool has ${name}`)
}
