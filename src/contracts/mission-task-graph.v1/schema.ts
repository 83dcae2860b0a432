import Type, { type Static } from 'typebox'
import { missionArtifact, RoleType, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Task = Type.Object(
  {
    task_id: Words('What the task is called, once in the mission.'),
    role_type: RoleType('Which part the agent plays that does the task.'),
    objective: Words('What the task is to achieve.'),
    depends_on: WordList('Ids of the tasks that have to be done first.'),
    required_capabilities: WordList('What the agent must be able to do.'),
    allowed_tools: WordList('Tools that the agent may use.'),
    required_data_scopes: WordList('Data that the agent must see.'),
    success_criteria: Type.Array(Words('One criterion, a text that is not empty.'), {
      minItems: 1,
      description: 'How one sees that the task is done: at least one criterion.',
    }),
  },
  { description: 'One task: who does what, after what, with what, and when it is done.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('mission_task_graph'),
    tasks: Type.Array(Task, { description: 'The tasks of the mission.' }),
  },
  {
    title: 'Mission task graph',
    description: 'The tasks that a planner took a mission apart into, and what depends on what.',
  },
)

/** The tasks of a mission, and what depends on what. */
export type MissionTaskGraph = Static<typeof schema>
export default schema
