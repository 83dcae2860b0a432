import { listed, nearest, quote, shellWord } from '../../contract/index.ts'
import type { MissionEnvelope } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'

const OPEN = '{{'
const CLOSE = '}}'
/** The prefix of reference names; a key of `context_refs` follows. */
const REFERENCE = 'mission.context_refs.'
/** Fills in for an absent optional value. */
const NONE = 'none'

/** A part of a text: plain text, a placeholder or an unclosed placeholder. */
type Part = { readonly text: string } | { readonly name: string } | { readonly open: string }

/** Splits a text into parts in one pass; inserted values are not scanned again. */
function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (let at = text.indexOf(OPEN); at >= 0; at = text.indexOf(OPEN, from)) {
    parts.push({ text: text.slice(from, at) })
    const end = text.indexOf(CLOSE, at + OPEN.length)
    const name = end < 0 ? OPEN : text.slice(at + OPEN.length, end)
    if (name.includes(OPEN)) {
      parts.push({ open: text.slice(at, at + 20) })
      from = at + OPEN.length
      // After an unclosed placeholder nothing can be parsed reliably.
      break
    }
    parts.push({ name: name.trim() })
    from = end + CLOSE.length
  }
  parts.push({ text: text.slice(from) })
  return parts
}

/** Reports placeholders that are unclosed or unknown. */
export function* placeholderFaults(
  text: string,
  known: readonly string[],
): Iterable<{ message: string; hint: string }> {
  for (const part of partsOf(text)) {
    if ('open' in part)
      yield {
        message: `the placeholder ${quote(part.open)} is not closed`,
        hint: "close it with '}}'",
      }
    if ('name' in part && !isKnown(part.name, known)) yield unknown(part.name, known)
  }
}

function isKnown(name: string, known: readonly string[]): boolean {
  if (known.includes(name)) return true
  const key = name.startsWith(REFERENCE) ? name.slice(REFERENCE.length) : ''
  return known.includes(`${REFERENCE}<key>`) && /^[A-Za-z0-9_-]+$/.test(key)
}

function unknown(name: string, known: readonly string[]) {
  const meant = nearest(name, known)
  const shown = known.map(each => `{{${each}}}`)
  return {
    message: `there is no placeholder {{${name === '' ? '' : quote(name).slice(1, -1)}}}`,
    hint: meant
      ? `did you mean {{${meant}}}?`
      : known.length === 0
        ? 'remove it: this text has no placeholders'
        : `use one of ${listed(shown)}`,
  }
}

/** The values of placeholders by name; a missing reference is an error. */
export type Values = Readonly<Record<string, string>>

/**
 * Fills in the placeholders of a text.
 * @throws {WaybillError} 'usage' when a placeholder has no value.
 */
export function filled(text: string, values: Values): string {
  if (!text.includes(OPEN)) return text
  let whole = ''
  for (const part of partsOf(text)) {
    if ('text' in part) whole += part.text
    else whole += 'name' in part ? standsFor(part.name, values) : OPEN
  }
  return whole
}

function standsFor(name: string, values: Values): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value !== undefined) return value
  const key = name.startsWith(REFERENCE) ? name.slice(REFERENCE.length) : undefined
  const what =
    key === undefined
      ? `there is no value for ${quote(name)}`
      : `the mission has no context reference ${quote(key)}`
  throw new WaybillError('usage', `${what}, which its template requires`, {
    hint: `${key === undefined ? 'submit the mission with it' : `give it with --context ${shellWord(key)}=…`}, or use another template`,
  })
}

/** The envelope keys that prompts may quote. */
const QUOTED = [
  'mission_id',
  'mission_type',
  'origin_surface',
  'tenant_id',
  'actor_id',
  'actor_role',
  'user_goal',
  'normalized_goal',
  'risk_level',
  'sensitivity_class',
  'time_budget_ms',
  'token_budget',
  'requested_outputs',
] as const satisfies readonly (keyof MissionEnvelope)[]

/** The placeholders of mission templates. */
export const TEMPLATE_PLACEHOLDERS: readonly string[] = [
  'mission.normalized_goal',
  'mission.user_goal',
  `${REFERENCE}<key>`,
]

/** The placeholders of prompts. */
export const PROMPT_PLACEHOLDERS: readonly string[] = [
  'task.objective',
  'task.success_criteria',
  ...QUOTED.map(key => `mission.${key}`),
  `${REFERENCE}<key>`,
]

/** The values of the placeholders about a mission. */
export function missionValues(envelope: MissionEnvelope): Values {
  const values: Record<string, string> = {}
  for (const key of QUOTED) values[`mission.${key}`] = spelledOut(envelope[key])
  for (const [key, value] of Object.entries(envelope.context_refs ?? {}))
    values[REFERENCE + key] = spelledOut(value)
  return values
}

function spelledOut(value: unknown): string {
  if (value === undefined || value === null) return NONE
  if (Array.isArray(value)) return value.length === 0 ? NONE : value.map(spelledOut).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
