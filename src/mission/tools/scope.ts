import type { PromptPackage } from '../../contracts/index.ts'
import type { Task } from '../runner.ts'
import { decisionId, toolsOf } from './decision-id.ts'

/** The relevant parts of a policy decision. */
interface Verdict {
  readonly decision_id: string
  readonly decision_type: string
  readonly subject: string
  readonly decision: 'allow' | 'deny'
}

/** What limits the tools of a task. */
interface ScopeParts {
  readonly mission: string
  /** The canonical id of the task's agent. */
  readonly agent: string
  readonly task: Pick<Task, 'allowed_tools' | 'role_type'>
  readonly prompt: Pick<PromptPackage, 'tool_scope'> | null
  /** The policy decisions of the mission. */
  readonly decisions: readonly Verdict[]
}

/**
 * Returns the tools that a task may use: those allowed by its plan, its prompt package and the decision for its agent,
 * role and tools, without tools denied for the whole mission. No decision means no permission.
 */
export function toolScope({ mission, agent, task, prompt, decisions }: ScopeParts): string[] {
  const names = toolsOf(task.allowed_tools)
  if (names.length === 0) return names
  const denied = new Set(
    decisions.flatMap(({ decision_type, decision, subject }) =>
      decision_type === 'tool_scope' && decision === 'deny' ? [subject] : [],
    ),
  )
  const byId = new Map(decisions.map(one => [one.decision_id, one]))
  const packed = prompt && new Set(prompt.tool_scope)
  const whose = { id: agent, roles: [task.role_type] }
  const isAllowed = (name: string) => {
    const own = byId.get(decisionId(mission, { kind: 'tool', name, agent: whose, tools: names }))
    return own?.decision === 'allow' && own.subject === name && !denied.has(name)
  }
  return [...new Set(task.allowed_tools)].filter(
    name => isAllowed(name) && (!packed || packed.has(name)),
  )
}
