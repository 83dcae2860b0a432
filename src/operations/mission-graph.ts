import { drawMission, missionGraph } from '../mission/index.ts'
import { idOf, MISSION_INPUT, readingMission, TENANT_INPUT, tenantOf } from './mission/open.ts'
import type { MissionGraphOutput } from './mission-graph/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['mission'],
  properties: {
    mission: MISSION_INPUT,
    as: {
      type: 'string',
      enum: ['text', 'mermaid', 'svg'],
      description: 'The format (default: text).',
    },
    tenant: TENANT_INPUT,
  },
} as const

/** Draws the task graph of a mission. */
export default defineOperation({
  name: 'mission graph',
  summary: 'Draw the task graph of a mission as text, Mermaid or SVG',
  description:
    'Shows the tasks of all its graphs, coloured by state. In very large missions, the tasks of one layer share a box.',
  examples: [
    {
      command: 'waybill mission graph 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10',
      does: 'list the tasks with their dependencies',
    },
    {
      command: 'waybill mission graph 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --as svg > mission.svg',
      does: 'draw a picture',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionGraphOutput> {
  const which = { tenant: tenantOf(given), mission: idOf(given.mission) }
  const as = given.as === 'mermaid' || given.as === 'svg' ? given.as : 'text'
  const { mission, state, tasks, edges, folded, drawing } = await readingMission(
    app,
    given.mission,
    async store =>
      as === 'text'
        ? { ...(await missionGraph(store, which)), folded: 1, drawing: null }
        : drawMission(store, which, as),
  )
  const nameOf = (place: number) => tasks[place]?.task ?? ''
  return {
    ...{ mission, tenant: which.tenant, state, as },
    tasks: tasks.map(({ task, role, agent, state, attempt }) => ({
      ...{ task, role, agent, state, attempt },
    })),
    edges: edges.map(({ task, dependsOn }) => ({ from: nameOf(dependsOn), to: nameOf(task) })),
    folded,
    drawing,
  }
}
