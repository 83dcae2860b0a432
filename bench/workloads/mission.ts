import { seeded, timeOf } from './random.ts'

const SIZE = 2_000

const mission = (number: number) => {
  const random = seeded(number)
  return {
    schema_version: 'v1',
    mission_id: `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`,
    created_at: timeOf(number),
    producer: 'front-desk',
  }
}

/** A mission envelope of about 2 KB. */
export function missionEnvelope(number: number): string {
  const random = seeded(number)
  const envelope = {
    schema_name: 'mission_envelope',
    ...mission(number),
    mission_type: 'research_brief',
    origin_surface: 'chat',
    tenant_id: `tenant-${random.hex(6)}`,
    actor_id: `user-${random.hex(6)}`,
    actor_role: 'editor',
    user_goal: random.sentences(2),
    normalized_goal: random.sentences(3),
    risk_level: 'medium',
    sensitivity_class: 'internal_business',
    time_budget_ms: 600_000,
    token_budget: 200_000,
    requested_outputs: ['brief', 'sources'],
    context_refs: {
      lead_ids: Array.from({ length: 6 }, () => `lead-${random.hex(8)}`),
      page_id: null,
      campaign_ids: [`campaign-${random.hex(8)}`],
    },
  }
  while (JSON.stringify(envelope, null, 2).length < SIZE)
    envelope.requested_outputs.push(random.sentence())
  return `${JSON.stringify(envelope, null, 2)}\n`
}

/** The decision that allows the tools of the graph's tasks. */
export function toolPolicy(tasks: number): string {
  const decision = {
    schema_name: 'policy_decision',
    ...mission(tasks),
    decision_id: 'policy-1',
    decision_type: 'tool_scope',
    subject: 'search',
    decision: 'allow',
    reason: 'Reading is what the mission is about.',
  }
  return `${JSON.stringify(decision)}\n`
}

/** A graph in which every task waits for up to three earlier ones; the last two wait for each other. */
export function taskGraph(tasks: number): string {
  const random = seeded(tasks)
  const name = (number: number) => `task-${String(number).padStart(5, '0')}`
  const earlier = (number: number) =>
    number === 0 ? [] : [...new Set([number - 1, random.below(number), random.below(number)])]
  const task = (number: number) => ({
    task_id: name(number),
    role_type: random.pick(['researcher', 'librarian', 'worker']),
    objective: random.sentence(),
    depends_on: (number === tasks - 2 ? [...earlier(number), tasks - 1] : earlier(number)).map(
      name,
    ),
    required_capabilities: ['reading'],
    allowed_tools: ['search'],
    required_data_scopes: ['public'],
    success_criteria: [random.sentence()],
  })
  const graph = {
    schema_name: 'mission_task_graph',
    ...mission(tasks),
    tasks: Array.from({ length: tasks }, (_, number) => task(number)),
  }
  return `${JSON.stringify(graph)}\n`
}
