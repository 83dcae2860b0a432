import type { PromptPackage } from '../../contracts/index.ts'
import type { Task } from '../runner.ts'

/** What a policy decision says. */
interface Verdict {
  readonly decision_type: string
  readonly subject: string
  readonly decision: 'allow' | 'deny'
}

/** What narrows the tools of a task. */
interface ScopeParts {
  readonly task: Pick<Task, 'allowed_tools'>
  readonly prompt: Pick<PromptPackage, 'tool_scope'> | null
  /** The policy decisions of the mission. */
  readonly decisions: readonly Verdict[]
}

/** The tools that a task may use: what its plan, its prompt package and a decision all allow; deny wins, silence is no permission. */
export function toolScope({ task, prompt, decisions }: ScopeParts): string[] {
  const verdicts = decisions.filter(({ decision_type }) => decision_type === 'tool_scope')
  const subjects = (wanted: string) =>
    new Set(verdicts.flatMap(({ decision, subject }) => (decision === wanted ? [subject] : [])))
  const [allowed, denied] = [subjects('allow'), subjects('deny')]
  const packed = prompt && new Set(prompt.tool_scope)
  return [...new Set(task.allowed_tools)].filter(
    tool => allowed.has(tool) && !denied.has(tool) && (!packed || packed.has(tool)),
  )
}
