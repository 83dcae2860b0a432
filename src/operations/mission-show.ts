import { missionCommand } from '../contract/index.ts'
import { WaybillError } from '../error.ts'
import { artifactNames, listArtifacts, type StoredArtifact } from '../store/index.ts'
import { MISSION_INPUT, readingMission, TENANT_INPUT, tenantOf, theRun } from './mission/open.ts'
import type { MissionShowOutput, ShownArtifact } from './mission-show/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: {
    mission: MISSION_INPUT,
    artifact: {
      type: 'string',
      positional: true,
      description:
        'The id or digest of one artifact, or a schema name such as review_packet (default: all).',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Shows the artifacts of a mission. */
export default defineOperation({
  name: 'mission show',
  summary: 'Show the artifacts of a mission',
  description: 'Prints them as stored, with the digests that decisions and log entries refer to.',
  examples: [
    { command: 'waybill mission show 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10', does: 'show all' },
    {
      command: 'waybill mission show 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 review_packet',
      does: 'show the review',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionShowOutput> {
  const { mission, artifact } = given
  const tenant = tenantOf(given)
  const all = await readingMission(app, given.mission, store =>
    store.tenant(tenant, async tx => {
      await theRun(tx, mission)
      const stored: StoredArtifact[] = []
      for (const name of artifactNames) stored.push(...(await listArtifacts(tx, name, mission)))
      return stored
    }),
  )
  const meant = artifact === undefined ? all : all.filter(stored => isMeant(stored, artifact))
  if (meant.length === 0)
    throw new WaybillError('not-found', `the mission has no artifact ${artifact}`, {
      hint: `${missionCommand('show', { tenant, mission })} lists all artifacts`,
    })
  return { mission, tenant, artifacts: meant.map(shown) }
}

function isMeant({ name, id, digest }: StoredArtifact, wanted: string): boolean {
  return [name, id, digest].includes(wanted)
}

function shown({ name, id, digest, payload, erased }: StoredArtifact): ShownArtifact {
  return { schemaName: name, id, digest, payload, erased }
}
