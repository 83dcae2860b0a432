import type { CallToolResult } from '@modelcontextprotocol/client'
import { readOperations } from '../scripts/generate/operations.ts'
import { flagOf } from '../src/cli/parse.ts'
import { inWords } from '../src/mcp/call.ts'
import { catalogue } from '../src/mcp/catalogue.generated.ts'
import type { Rest } from '../src/mcp/pages.ts'
import { agentEntries, deriveTools } from '../src/mcp/tools.ts'
import { wordsOf } from '../src/mcp/words.ts'
import type { App } from '../src/operations/operation.ts'
import { connectHere } from './mcp-client.ts'
import { waybill } from './waybill.ts'

const operations = await readOperations()
const tools = deriveTools(catalogue)
const words = wordsOf(agentEntries(catalogue))

/** The names of all operations that agents have. */
export const offered: readonly string[] = agentEntries(catalogue).map(
  ({ operation }) => operation.name,
)

/** Whether an operation changes nothing, so that one place does for several calls. */
export const onlyReads = (name: string): boolean =>
  operations.find(operation => operation.name === name)?.effect === 'read'

/** What an operation is given. */
export type Input = Readonly<Record<string, unknown>>

/** Where an operation is called, and when. */
export interface Place {
  readonly root: string
  /** RFC 3339. */
  readonly now: string
  /** Variables of the environment, in addition to those of the test. */
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
    if (!answer.structuredContent) throw new Error(JSON.stringify(answer.content))
    return await wholeOf(answer.structuredContent as Input, cursor =>
      client.callTool({ name: tool, arguments: { ...given, cursor } }),
    )
  } finally {
    await client.close()
  }
}

/** What an agent gets of what the function answers. */
export function forAgents(name: string, input: Input, answer: unknown): unknown {
  const operation = operations.find(o => o.name === name)
  return inWords(operation?.forAgents?.(answer as never, input as never) ?? answer, words)
}

interface Page {
  readonly rest?: readonly Rest[]
  readonly part: string | unknown[]
}

/** A long answer, put together from its pages. */
async function wholeOf(first: Input, next: (cursor: string) => Promise<CallToolResult>) {
  const { rest, ...whole } = first as Record<string, unknown> & Partial<Page>
  const open = [...(rest ?? [])]
  for (let one = open.shift(); one; one = open.shift()) {
    const page = (await next(one.cursor)).structuredContent as unknown as Page
    const keys = one.at.split('/').slice(1)
    const last = keys.pop() ?? ''
    const place = keys.reduce((value, key) => value[key] as Record<string, unknown>, whole)
    place[last] = (place[last] as string).concat(page.part as string)
    open.push(...(page.rest ?? []))
  }
  return whole
}

/** The tool that has an operation, and the action that it is there. */
function placeOf(name: string): { tool: string; action: string } {
  for (const { name: tool, actions } of tools)
    for (const [action, { operation }] of actions)
      if (operation.name === name) return { tool, action }
  throw new Error(`no tool has ${name}`)
}
