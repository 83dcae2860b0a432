import { nearest, quote } from '../../contract/index.ts'
import { formatInstant, type Path, parsePointer } from '../../document/index.ts'
import type { Payload, Task } from '../runner.ts'
import { RETURNED } from './artifacts.ts'
import { checkArtifacts } from './check.ts'
import { placeholderFaults, TEMPLATE_PLACEHOLDERS } from './placeholders.ts'
import type { DefinitionFault } from './read-definition.ts'
import type { TemplateFile } from './template/schema.ts'

/** Reports faults of a template beyond its structure and prompts. */
export async function templateFaults(
  file: TemplateFile,
  tasks: readonly Task[],
): Promise<readonly DefinitionFault[]> {
  return [
    ...plannerFaults(file, tasks),
    ...(await graphFaults(file, tasks)),
    ...textFaults(file.tasks ?? []),
    ...nameFaults(file, tasks),
    ...retryFaults(file),
  ]
}

function* plannerFaults(file: TemplateFile, tasks: readonly Task[]): Iterable<DefinitionFault> {
  const [first] = tasks
  if (file.planner === 'agent' && (tasks.length !== 1 || first?.role_type !== 'planner'))
    yield {
      path: ['tasks'],
      message: 'with planner: agent, the template has one task, of the role planner',
      hint: 'remove the tasks, or set planner: template',
    }
  if (file.planner !== 'agent' && tasks.length === 0)
    yield {
      path: file.tasks ? ['tasks'] : [],
      message: 'the mission has no tasks',
      hint: 'add tasks, or let an agent plan them with planner: agent',
    }
  const reviews = tasks.flatMap((task, i) => (task.role_type === 'reviewer' ? [i] : []))
  for (const i of reviews.slice(1))
    yield {
      path: ['tasks', i, 'role_type'],
      message: 'a mission has one reviewer, and there is another reviewer task',
      hint: 'keep one of them',
    }
}

const MOMENT = 0
const OWNER = {
  schema_version: 'v1',
  mission_id: '00000000-0000-4000-8000-000000000000',
  created_at: formatInstant(MOMENT),
  producer: 'template',
}

/** Faults of the tasks by the task graph contract. Tools are decided for each mission, so all count as allowed here. */
async function graphFaults(
  file: TemplateFile,
  tasks: readonly Task[],
): Promise<readonly DefinitionFault[]> {
  if (!file.tasks) return []
  const graph = { ...OWNER, schema_name: 'mission_task_graph', tasks }
  const tools = new Set(tasks.flatMap(task => task.allowed_tools))
  const [checked] = await checkArtifacts([graph], [ENVELOPE, ...[...tools].map(allow)], {
    now: MOMENT,
  })
  const errors = checked?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  // Credentials are searched in the text of the template itself.
  return errors
    .filter(({ code }) => code !== 'mission/secret')
    .map(({ path, message, hint }) => ({ path: pathOf(graph, path), message, hint }))
}

const ENVELOPE: Payload = {
  ...OWNER,
  schema_name: 'mission_envelope',
  mission_type: 'template',
  origin_surface: 'template',
  tenant_id: 'template',
  actor_id: 'template',
  user_goal: 'template',
  normalized_goal: 'template',
  risk_level: 'low',
  sensitivity_class: 'public',
}

function allow(tool: string, i: number): Payload {
  return {
    ...OWNER,
    schema_name: 'policy_decision',
    decision_id: `pol_${i}`,
    decision_type: 'tool_scope',
    subject: tool,
    decision: 'allow',
    reason: 'decided for each mission',
  }
}

/** Converts a pointer to a path, with numbers for list indexes. */
function pathOf(value: unknown, pointer: string): Path {
  let at = value
  return parsePointer(pointer).map(key => {
    const isList = Array.isArray(at)
    at = (at as Payload | undefined | null)?.[key]
    return isList ? Number(key) : key
  })
}

function* textFaults(tasks: NonNullable<TemplateFile['tasks']>): Iterable<DefinitionFault> {
  for (const [i, task] of tasks.entries()) {
    for (const [path, text] of textsOf(task)) {
      const [key] = path
      const isFilled = key === 'objective' || key === 'success_criteria'
      const known = isFilled ? TEMPLATE_PLACEHOLDERS : []
      for (const fault of placeholderFaults(text, known))
        yield { path: ['tasks', i, ...path], ...fault }
    }
  }
}

function* textsOf(task: object): Iterable<[Path, string]> {
  for (const [key, value] of Object.entries(task)) {
    if (typeof value === 'string') yield [[key], value]
    if (!Array.isArray(value)) continue
    for (const [i, entry] of value.entries()) yield [[key, i], String(entry)]
  }
}

/** Faults of prompts and agents that name missing tasks or roles. */
function* nameFaults(file: TemplateFile, tasks: readonly Task[]): Iterable<DefinitionFault> {
  const ids = new Set(tasks.map(task => task.task_id))
  const roles = new Set<string>(tasks.map(task => task.role_type))
  // Tasks planned by an agent are unknown here.
  const isOpen = roles.has('planner')
  for (const key of Object.keys(file.prompts ?? {}))
    if (!isNamed(key, [...ids, ...roles], isOpen)) yield stray(['prompts', key], [...ids, ...roles])
  if (isOpen) return
  for (const key of Object.keys(file.agents ?? {}))
    if (!ids.has(key)) yield stray(['agents', key], [...ids])
}

function isNamed(key: string, known: readonly string[], isOpen: boolean): boolean {
  // A near miss of a role name is a typo, even when an agent plans the tasks.
  if (!isOpen || known.includes(key)) return known.includes(key)
  return Object.hasOwn(RETURNED, key) || nearest(key, Object.keys(RETURNED)) === undefined
}

function stray(path: Path, known: readonly string[]): DefinitionFault {
  const key = String(path.at(-1))
  const meant = nearest(key, known.length > 200 ? [] : known)
  return {
    path,
    atKey: true,
    message: `the mission has no ${path[0] === 'agents' ? 'task' : 'task or role'} ${quote(key)}`,
    hint: meant ? `did you mean '${meant}'?` : 'use an existing name, or remove the line',
  }
}

function* retryFaults({ retries }: TemplateFile): Iterable<DefinitionFault> {
  const { first_ms, longest_ms } = retries ?? {}
  if (first_ms === undefined || longest_ms === undefined || first_ms <= longest_ms) return
  yield {
    path: ['retries', 'first_ms'],
    message: `the first delay, ${first_ms} ms, is longer than the longest, ${longest_ms} ms`,
    hint: 'set longest_ms to at least first_ms',
  }
}
