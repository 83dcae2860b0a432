import { listed, nearest, quote, shellWord } from '../../contract/index.ts'
import type { MissionEnvelope } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'

const OPEN = '{{'
const CLOSE = '}}'
/** What the names of references begin with; what follows is a key of `context_refs`. */
const REFERENCE = 'mission.context_refs.'
/** Stands for what a mission may have and does not. */
const NONE = 'none'

/** A text taken apart: what stands between placeholders, and their names. */
type Part = { readonly text: string } | { readonly name: string } | { readonly open: string }

/** Takes a text apart in one pass; what is filled in is not looked at again. */
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
      // With one left open nothing behind it means what it seems to.
      break
    }
    parts.push({ name: name.trim() })
    from = end + CLOSE.length
  }
  parts.push({ text: text.slice(from) })
  return parts
}

/** What is wrong with the placeholders of a text, where those of some names are known. */
export function* placeholderFaults(
  text: string,
  known: readonly string[],
): Iterable<{ message: string; hint: string }> {
  for (const part of partsOf(text)) {
    if ('open' in part)
      yield {
        message: `the placeholder ${quote(part.open)} is not closed`,
        hint: "close it with '}}'; braces of that sort mean nothing else here",
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
        ? 'write what is meant; nothing is filled in here'
        : `there are ${listed(shown)}`,
  }
}

/** What placeholders stand for, by name; a reference that a mission lacks is an error, since its text would say nothing. */
export type Values = Readonly<Record<string, string>>

/** A text with its placeholders filled in. */
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
      ? `there is nothing to fill in for ${quote(name)}`
      : `the mission has no context reference ${quote(key)}`
  throw new WaybillError('usage', `${what}, and its template asks for it`, {
    hint: `${key === undefined ? 'submit the mission with it' : `give it with --context ${shellWord(key)}=…`}, or use another template`,
  })
}

/** The keys of an envelope that prompts may quote. */
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

/** The placeholders that the texts of a mission template may hold. */
export const TEMPLATE_PLACEHOLDERS: readonly string[] = [
  'mission.normalized_goal',
  'mission.user_goal',
  `${REFERENCE}<key>`,
]

/** The placeholders that prompts may hold. */
export const PROMPT_PLACEHOLDERS: readonly string[] = [
  'task.objective',
  'task.success_criteria',
  ...QUOTED.map(key => `mission.${key}`),
  `${REFERENCE}<key>`,
]

/** What the placeholders about a mission stand for. */
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
