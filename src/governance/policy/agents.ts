import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { counted, nearest, quote } from '../../contract/index.ts'
import type { Place, PolicyFault } from './fault.ts'
import type { Placed } from './validate.ts'

/** An agent that a policy names, and where it does. */
export interface NamedAgent extends ReturnType<Place> {
  readonly id: string
}

/** The agents that a policy names, in its head and its conditions; each once, in their order. */
export function agentsNamed(form: PolicyJson, { place, piece }: Placed): NamedAgent[] {
  const ids = new Set<string>()
  const pending: unknown[] = [form]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (isAgent(next)) ids.add(next.id)
    pending.push(...Object.values(next))
  }
  const named = [...ids].map(id => {
    const start = piece.text.indexOf(`Waybill::Agent::"${id}"`)
    const end = start + `Waybill::Agent::"${id}"`.length
    // An id can be written with escapes, and is then not found as it is.
    const span = start < 0 ? { start: 0, end: piece.text.length } : { start, end }
    return { id, ...place({ start: piece.start + span.start, end: piece.start + span.end }) }
  })
  return named.sort((a, b) => a.line - b.line || a.column - b.column)
}

function isAgent(value: object): value is { readonly id: string } {
  const { type, id } = value as Readonly<Record<string, unknown>>
  return type === 'Waybill::Agent' && typeof id === 'string'
}

/** Warns of the agents that policies name and nobody knows: a forbid of such a one never applies. */
export function unknownAgents(
  named: readonly NamedAgent[],
  known: ReadonlySet<string>,
): PolicyFault[] {
  return named.flatMap(({ id, ...place }) => {
    if (known.has(id)) return []
    const near = nearest(id, known)
    const hint =
      near === undefined ? 'name it by its canonical id, or list it first' : `did you mean ${near}?`
    const message = `neither the manifest nor waybill.yaml knows an agent ${quote(id)}`
    return { code: 'policy/unknown-agent', severity: 'warning', message, hint, ...place }
  })
}

/** Warns where nobody can say whether the agents that policies name are known, at the first of them. */
export function agentsNotCompared(named: readonly NamedAgent[], why: string): PolicyFault[] {
  const [first, ...more] = named
  if (!first) return []
  const { id, ...place } = first
  const others = more.length > 0 ? ` and ${counted(more.length, 'other')}` : ''
  return [
    {
      code: 'policy/agents-not-compared',
      severity: 'warning',
      message: `whether there is an agent ${quote(id)}${others} that policies name could not be checked: ${why}`,
      hint: 'put the manifest there, or name it under agents in waybill.yaml; a forbid of a misspelled agent never applies',
      ...place,
    },
  ]
}
