import type { Task } from '../runner.ts'

/** The task of an agent that plans a mission, where its template has none. */
export const PLANNING: Task = {
  task_id: 'plan',
  role_type: 'planner',
  objective: 'Take the mission apart into tasks that reach its goal: {{mission.normalized_goal}}',
  depends_on: [],
  required_capabilities: ['planning'],
  allowed_tools: [],
  required_data_scopes: ['mission_metadata'],
  success_criteria: [
    'Every task says who does it, what it needs, and how one sees that it is done.',
    'No task waits for itself, and every dependency is a task of the graph.',
    'No task is called plan, and one reviewer at most reviews the whole.',
  ],
}
