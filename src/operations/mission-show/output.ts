import type { TypeOf } from '../operation.ts'

const Artifact = {
  type: 'object',
  required: ['schemaName', 'id', 'digest', 'payload', 'erased'],
  properties: {
    schemaName: { type: 'string', description: 'What sort of artifact it is.' },
    id: { type: 'string', description: 'Its own id; a graph has its digest.' },
    digest: { type: 'string', description: 'Hex SHA-256 of its canonical JSON.' },
    payload: {
      type: ['object', 'null'],
      description: 'The artifact; null where it was erased.',
    },
    erased: {
      type: ['object', 'null'],
      description: 'When, by whom and why it was erased.',
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
    tenant: { type: 'string', description: 'Whose mission it is.' },
    artifacts: { type: 'array', items: Artifact, description: 'Sort by sort, each by time.' },
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

/** What `mission show` answers. */
export type MissionShowOutput = Omit<TypeOf<typeof schema>, 'artifacts'> & {
  readonly artifacts: readonly ShownArtifact[]
}
export default schema
