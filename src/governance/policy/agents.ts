import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { counted, nearest, quote } from '../../contract/index.ts'
import type { Place, PolicyFault } from './fault.ts'
import type { Placed } from './validate.ts'

/** An agent id in a policy, with its place. */
export interface NamedAgent extends ReturnType<Place> {
  readonly id: string
}

/** The agents that a policy names in head and conditions; each once, in order. */
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
    // An id written with escapes is not found verbatim.
    const span = start < 0 ? { start: 0, end: piece.text.length } : { start, end }
    return { id, ...place({ start: piece.start + span.start, end: piece.start + span.end }) }
  })
  return named.sort((a, b) => a.line - b.line || a.column - b.column)
}

function isAgent(value: object): value is { readonly id: string } {
  const { type, id } = value as Readonly<Record<string, unknown>>
  return type === 'Waybill::Agent' && typeof id === 'string'
}

/** Warns of unknown agents in policies: a forbid that names one never applies. */
export function unknownAgents(
  named: readonly NamedAgent[],
  known: ReadonlySet<string>,
): PolicyFault[] {
  return named.flatMap(({ id, ...place }) => {
    if (known.has(id)) return []
    const near = nearest(id, known)
    const hint =
      near === undefined ? 'use its canonical id, or add the agent first' : `did you mean ${near}?`
    const message = `agent ${quote(id)} is not in the manifest or waybill.yaml`
    return { code: 'policy/unknown-agent', severity: 'warning', message, hint, ...place }
  })
}

/** Warns, at the first agent, when the agents in policies cannot be checked. */
export function agentsNotCompared(named: readonly NamedAgent[], why: string): PolicyFault[] {
  const [first, ...more] = named
  if (!first) return []
  const { id, ...place } = first
  const others = more.length > 0 ? ` and ${counted(more.length, 'other')}` : ''
  return [
    {
      code: 'policy/agents-not-compared',
      severity: 'warning',
      message: `cannot check whether agent ${quote(id)}${others} exists: ${why}`,
      hint: 'add the manifest, or set its path under agents in waybill.yaml; a forbid of a misspelled agent never applies',
      ...place,
    },
  ]
}
