import type { TypeOf } from '../operation.ts'

const Artifact = {
  type: 'object',
  required: ['schemaName', 'id', 'digest', 'payload', 'erased'],
  properties: {
    schemaName: { type: 'string', description: 'The schema name of the artifact.' },
    id: { type: 'string', description: 'Its id; for a graph, its digest.' },
    digest: { type: 'string', description: 'Hex SHA-256 of its canonical JSON.' },
    payload: {
      type: ['object', 'null'],
      description: 'The artifact; null when erased.',
    },
    erased: {
      type: ['object', 'null'],
      description: 'The time, author and reason of its erasure.',
    },
  },
  additionalProperties: false,
  description: 'One artifact as it is stored.',
} as const

const schema = {
  type: 'object',
  required: ['mission', 'tenant', 'artifacts'],
  properties: {
    mission: { type: 'string', description: 'The id of the mission.' },
    tenant: { type: 'string', description: 'The tenant of the mission.' },
    artifacts: {
      type: 'array',
      items: Artifact,
      description: 'Grouped by schema name, each by time.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill mission show',
  description: 'The artifacts of a mission.',
} as const

/** An artifact as it is shown. */
export interface ShownArtifact {
  readonly schemaName: string
  readonly id: string
  readonly digest: string
  readonly payload: Readonly<Record<string, unknown>> | null
  readonly erased: Readonly<Record<string, unknown>> | null
}

/** The output of `mission show`. */
export type MissionShowOutput = Omit<TypeOf<typeof schema>, 'artifacts'> & {
  readonly artifacts: readonly ShownArtifact[]
}
export default schema
