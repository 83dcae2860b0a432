import type { GateKey } from '../phases.ts'
import type { SessionState } from '../schema.ts'
import type { StateChange } from './objections.ts'

/** Statuses of artifacts by name: `present`, `missing` or `not-applicable`. */
export type Artifacts = Readonly<Record<string, string>>

/** The changes that record the artifacts shown to a gate. */
export function showing(state: SessionState, gate: GateKey, artifacts: Artifacts): StateChange[] {
  const entry = state.GateArtifacts?.[gate]
  const names = Object.keys(artifacts)
  if (names.length === 0) return []
  if (!entry) {
    return [{ path: ['GateArtifacts', gate], value: { Required: names, Provided: artifacts } }]
  }
  const { Required = [], Provided = {} } = entry
  const changes: StateChange[] = []
  const further = names.filter(name => !Required.includes(name))
  if (further.length > 0) {
    changes.push({ path: ['GateArtifacts', gate, 'Required'], value: [...Required, ...further] })
  }
  for (const name of names) {
    const known = Object.hasOwn(Provided, name) ? Provided[name] : undefined
    const value = artifacts[name]
    if (value === undefined || value === known) continue
    changes.push({ path: ['GateArtifacts', gate, 'Provided', name], value })
  }
  return changes
}

/** The changes that take artifacts back which a gate was shown by mistake. */
export function takingBack(
  state: SessionState,
  gate: GateKey,
  names: readonly string[],
): StateChange[] {
  const { Required = [], Provided = {} } = state.GateArtifacts?.[gate] ?? {}
  const left = Object.entries(Provided).filter(([name]) => !names.includes(name))
  const value = {
    Required: Required.filter(name => !names.includes(name)),
    Provided: Object.fromEntries(left),
  }
  const known = names.some(name => Required.includes(name) || Object.hasOwn(Provided, name))
  return known ? [{ path: ['GateArtifacts', gate], value }] : []
}
