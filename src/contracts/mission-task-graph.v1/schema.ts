import Type, { type Static } from 'typebox'
import { missionArtifact, RoleType, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Task = Type.Object(
  {
    task_id: Words('The id of the task, unique in the mission.'),
    role_type: RoleType('The role of the agent that does the task.'),
    objective: Words('The goal of the task.'),
    depends_on: WordList('Ids of the tasks that must be done first.'),
    required_capabilities: WordList('Capabilities that the agent needs.'),
    allowed_tools: WordList('Tools that the agent may use.'),
    required_data_scopes: WordList('Data that the agent needs to read.'),
    success_criteria: Type.Array(Words('A non-empty criterion.'), {
      minItems: 1,
      description: 'Criteria that the result must meet, at least one.',
    }),
  },
  { description: 'A task: its role, goal, dependencies, tools and success criteria.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('mission_task_graph'),
    tasks: Type.Array(Task, { description: 'The tasks of the mission.' }),
  },
  {
    title: 'Mission task graph',
    description: 'The tasks of a mission and their dependencies.',
  },
)

export type MissionTaskGraph = Static<typeof schema>
export default schema
