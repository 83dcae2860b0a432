import aggregationPacket from '../../../schemas/aggregation-packet.v1.json' with { type: 'json' }
import librarianPass from '../../../schemas/librarian-pass.v1.json' with { type: 'json' }
import missionTaskGraph from '../../../schemas/mission-task-graph.v1.json' with { type: 'json' }
import promptPackage from '../../../schemas/prompt-package.v1.json' with { type: 'json' }
import researchArtifact from '../../../schemas/research-artifact.v1.json' with { type: 'json' }
import reviewPacket from '../../../schemas/review-packet.v1.json' with { type: 'json' }
import workerResult from '../../../schemas/worker-result.v1.json' with { type: 'json' }
import writebackProposal from '../../../schemas/writeback-proposal.v1.json' with { type: 'json' }
import type { Returns, Task } from '../runner.ts'
import { MOST_ARTIFACTS, RETURNED, sortOf } from './artifacts.ts'

type Json = Readonly<Record<string, unknown>>

interface Published extends Json {
  readonly required: readonly string[]
  readonly properties: Json
}

const SCHEMAS: Readonly<Record<string, Published>> = {
  mission_task_graph: missionTaskGraph,
  prompt_package: promptPackage,
  research_artifact: researchArtifact,
  librarian_pass: librarianPass,
  worker_result: workerResult,
  aggregation_packet: aggregationPacket,
  review_packet: reviewPacket,
  writeback_proposal: writebackProposal,
}

/** Root fields that are filled in. */
const ROOT = ['schema_version', 'mission_id', 'created_at', 'producer']

const made = new Map<Task['role_type'], Returns>()

/**
 * Returns what a task of a role must return. The schema describes `{ "artifacts": [...] }`; one artifact alone is
 * accepted too. `schema_name` tells artifacts apart.
 */
export function returnsOf(role: Task['role_type']): Returns {
  const known = made.get(role)
  if (known) return known
  const artifacts = RETURNED[role]
  const schemas = artifacts.map(name => answered(name, artifacts.length === 1))
  const [only] = schemas
  const returns: Returns = {
    artifacts,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['artifacts'],
      properties: {
        artifacts: {
          type: 'array',
          description: `The artifacts of the task, with at least one ${artifacts[0]}.`,
          minItems: 1,
          maxItems: MOST_ARTIFACTS,
          items: schemas.length === 1 ? only : { anyOf: schemas },
        },
      },
      additionalProperties: false,
    },
  }
  made.set(role, returns)
  return returns
}

/** The schema of an artifact in an answer; filled-in fields are optional. */
function answered(name: string, isAlone: boolean): Json {
  const sort = sortOf(name)
  const optional = [...ROOT, ...(isAlone ? ['schema_name'] : [])]
  if (sort?.idKey) optional.push(sort.idKey)
  if (sort?.task === 'own') optional.push('task_id')
  // A nested schema must not have its own $id or $schema.
  const { $id: _id, $schema: _dialect, ...schema } = SCHEMAS[name] ?? NOTHING
  const { $schema: _editors, ...properties } = schema.properties as Json
  const required = (schema.required as readonly string[]).filter(key => !optional.includes(key))
  return { ...schema, required, properties }
}

const NOTHING: Published = { required: [], properties: {} }
