/** The head of a mission template, without tasks. */
export const HEAD = `title: Lead brief
description: Finds the leads that matter.
mission_type: lead_brief
defaults:
  risk_level: medium
  sensitivity_class: internal_business
  token_budget: 180000
  requested_outputs: [reviewed_summary]
`
/** A task with placeholders. */
export const FIRST = `  - task_id: find
    role_type: worker
    objective: "Find leads for {{ mission.normalized_goal }} among {{mission.context_refs.lead_ids}}"
    allowed_tools: [crm_search]
    success_criteria:
      - "answers {{mission.user_goal}}"
`
const SECOND = `  - task_id: review
    role_type: reviewer
    objective: Review it
    depends_on: [find]
    success_criteria: [it is reviewed]
`
/** A sound mission template. */
export const GOOD = `${HEAD}tasks:\n${FIRST}${SECOND}`
/** A sound template of prompts for workers. */
export const PROMPT = `role_type: worker
system_prompt: You find leads.
task_prompt: "{{task.objective}}"
model_route: tier_high
`
