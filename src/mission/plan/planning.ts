import type { Task } from '../runner.ts'

/** The task of a planner, for missions whose template has none. */
export const PLANNING: Task = {
  task_id: 'plan',
  role_type: 'planner',
  objective: 'Split the mission into tasks that reach its goal: {{mission.normalized_goal}}',
  depends_on: [],
  required_capabilities: ['planning'],
  allowed_tools: [],
  required_data_scopes: ['mission_metadata'],
  success_criteria: [
    'Every task has a role, what it needs, and criteria that show when it is done.',
    'No task waits for itself, and every dependency is a task of the graph.',
    'No task is called plan, and one reviewer at most reviews the whole.',
  ],
}
