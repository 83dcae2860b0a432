import type { ToolDescription } from '../runner.ts'
import { plainText } from './plain-text.ts'

/** A tool as described by its server. */
interface ServerTool {
  readonly description?: string | undefined
  readonly inputSchema: unknown
}

/** The longest description, in bytes: agents read all of them. */
const LONGEST_DESCRIPTION = 2048
const LONGEST_TEXT = 1024
const LARGEST_SCHEMA = 16_384
const DEEPEST = 24

/**
 * Describes a tool for an agent in the server's words, shortened and without invisible characters or the server's
 * secrets.
 */
export function describeTool(
  name: string,
  server: string,
  tool: ServerTool,
  secrets: readonly string[],
): ToolDescription {
  const { text, isCut } = plainText(tool.description ?? '', LONGEST_DESCRIPTION, secrets)
  const words = `${text.trim()}${isCut ? '…' : ''}`
  const description = words === '' ? '' : `Description by its server ${server}: ${words}`
  return { name, description, inputSchema: schemaOf(tool.inputSchema, secrets) }
}

/** Replaces a schema that cannot be shown; the server then checks the arguments. */
function schemaOf(tool: unknown, secrets: readonly string[]): Readonly<Record<string, unknown>> {
  const full = cleaned(tool, secrets, 0)
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
    // Assigning this key would set the prototype.
    return name === '__proto__' ? [] : [[name, cleaned(part, secrets, depth + 1)] as const]
  })
  return Object.fromEntries(members.filter(([, part]) => part !== undefined))
}
