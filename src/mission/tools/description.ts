import type { ToolDescription } from '../runner.ts'
import { plainText } from './plain-text.ts'

/** A tool as its server tells of it. */
interface ToldTool {
  readonly description?: string | undefined
  readonly inputSchema: unknown
}

/** In bytes; who chooses among tools reads all of it. */
const LONGEST_DESCRIPTION = 2048
const LONGEST_TEXT = 1024
const LARGEST_SCHEMA = 16_384
const DEEPEST = 24

/**
 * A tool as an agent is told of it: in the server's words, without what nobody would see in them, without the secrets that the
 * server was given, and not too long.
 */
export function describeTool(
  name: string,
  server: string,
  told: ToldTool,
  secrets: readonly string[],
): ToolDescription {
  const { text, isCut } = plainText(told.description ?? '', LONGEST_DESCRIPTION, secrets)
  const words = `${text.trim()}${isCut ? '…' : ''}`
  const description = words === '' ? '' : `In the words of its server, ${server}: ${words}`
  return { name, description, inputSchema: schemaOf(told.inputSchema, secrets) }
}

/** A schema that cannot be shown leaves the arguments to the server. */
function schemaOf(told: unknown, secrets: readonly string[]): Readonly<Record<string, unknown>> {
  const full = cleaned(told, secrets, 0)
  if (typeof full !== 'object' || full === null || Array.isArray(full)) return ANY
  if (JSON.stringify(full).length > LARGEST_SCHEMA) return ANY
  return { ...full, type: 'object' }
}

const ANY = { type: 'object' }

function cleaned(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (depth > DEEPEST) return undefined
  if (typeof value === 'string') return plainText(value, LONGEST_TEXT, secrets).text
  if (Array.isArray(value)) return value.map(item => cleaned(item, secrets, depth + 1) ?? null)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).flatMap(([key, part]) => {
    const name = plainText(key, LONGEST_TEXT, secrets).text
    // An assignment to this key would not make a member of it.
    return name === '__proto__' ? [] : [[name, cleaned(part, secrets, depth + 1)] as const]
  })
  return Object.fromEntries(members.filter(([, part]) => part !== undefined))
}
