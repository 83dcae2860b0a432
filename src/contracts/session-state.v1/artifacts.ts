import type { Path } from '../../document/index.ts'
import { GATES, type GateKey } from './phases.ts'
import type { SessionState } from './schema.ts'

/** A required artifact that is missing. */
export interface MissingArtifact {
  readonly gate: GateKey
  readonly artifact: string
  readonly path: Path
  /** Whether the state does not mention it, rather than `missing`. */
  readonly unstated: boolean
}

/** Every artifact that is marked as missing, or required and not mentioned. */
export function missingArtifacts(state: SessionState): MissingArtifact[] {
  return state.GateArtifacts ? GATES.flatMap(({ key }) => missingAt(state, key)) : []
}

/** The missing artifacts of one gate. */
export function missingAt(state: SessionState, gate: GateKey): MissingArtifact[] {
  const shown = state.GateArtifacts?.[gate]
  if (!shown) return []
  const { Required = [], Provided = {} } = shown
  const marked = Object.keys(Provided)
    .filter(artifact => Provided[artifact] === 'missing')
    .map(artifact => ({
      gate,
      artifact,
      path: ['GateArtifacts', gate, 'Provided', artifact],
      unstated: false,
    }))
  const unstated = Required.flatMap((artifact, i) =>
    Object.hasOwn(Provided, artifact)
      ? []
      : [{ gate, artifact, path: ['GateArtifacts', gate, 'Required', i], unstated: true }],
  )
  return [...marked, ...unstated]
}

/** Whether a schema or an externally consumed contract is planned to change. */
export function plansSchemaOrContract({ TouchedSurface }: SessionState): boolean {
  const { SchemaPlanned = [], ContractsPlanned = [] } = TouchedSurface ?? {}
  return SchemaPlanned.length > 0 || ContractsPlanned.length > 0
}
