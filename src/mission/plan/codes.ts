import type { CodeMeaning } from '../../contract/index.ts'

const refuses = (summary: string, why: string, remedy: string): CodeMeaning => ({
  severity: 'error',
  summary,
  why,
  remedy,
})

/** Errors in answers of agents and in submitted missions, beyond the contracts of their artifacts. */
export const ANSWER_CODES = {
  'mission/answer-shape': refuses(
    'An answer is { "artifacts": [...] }, or one artifact alone.',
    'Content anywhere else would be ignored and lost.',
    'Let the agent answer in the form given in returns of its assignment.',
  ),
  'mission/answer-count': refuses(
    'An answer has at most 64 artifacts.',
    'A task produces one result; the limit stops floods.',
    'Plan more tasks, or let the agent combine artifacts.',
  ),
  'mission/answer-foreign': refuses(
    'An answer contains only artifacts that the task may return.',
    'A worker that returned a review or proposed a change would bypass review.',
    'Let the agent return only the artifacts that its assignment names, each with its schema_name.',
  ),
  'mission/answer-incomplete': refuses(
    'An answer contains the required artifact of its task, and each artifact has the fields that cannot be filled in.',
    'Dependent tasks need it as input.',
    'The message names what is missing.',
  ),
  'mission/answer-disagrees': refuses(
    'The mission, tenant, task and author in an artifact are correct.',
    "Otherwise an agent could write in another agent's name or into another mission.",
    'Let the agent omit these keys: they are filled in.',
  ),
  'mission/answer-size': refuses(
    'An artifact is at most 1 MiB.',
    'Later agents get it as input, and it is stored permanently.',
    'Store bulk data elsewhere and cite its location.',
  ),
  'mission/answer-not-json': refuses(
    'An artifact can be written as canonical JSON.',
    'A value without a canonical form has no digest and cannot be stored.',
    'The message has the cause, such as a lone surrogate or too many levels.',
  ),
  'mission/id-taken': refuses(
    'The id of an artifact is unique among its kind in the mission.',
    'A citation by id must be unambiguous.',
    'Let the agent omit the id: one is generated.',
  ),
  'mission/id-too-long': refuses(
    'Ids of tasks, artifacts and tenants have at most 512 bytes.',
    'They are database keys, which must be short.',
    'Give it a short id; texts such as the objective may be long.',
  ),
  'mission/id-not-free': refuses(
    'No task id begins with waybill:.',
    'The queue uses such ids for other work, such as delivering a write-back: a task with one would never run.',
    'Give the task another id.',
  ),
  'mission/text-hidden': refuses(
    'Ids, objectives and success criteria of tasks contain no invisible characters.',
    'Handoffs of the mission repeat this text, and a handoff with invisible characters is refused, so the task would fail.',
    'Retype the text without the characters that the message names.',
  ),
  'mission/text-too-long': refuses(
    'The objective of a task, and its criteria together, fit into a handoff.',
    'A handoff with longer text is refused, so the task would fail.',
    'Put large material into a file and name the file in the objective.',
  ),
  'mission/no-tasks': refuses(
    'A task graph has at least one task.',
    'A mission without tasks would never finish.',
    'Plan at least one task.',
  ),
  'mission/one-reviewer': refuses(
    'A mission has one task of the role reviewer, over all of its graphs.',
    'A mission is reviewed once: the answer of a second reviewer would be refused.',
    'Keep one reviewer, and let it depend on everything that it reviews.',
  ),
  'mission/too-many-planners': refuses(
    'A mission has at most 64 tasks of the role planner, over all of its graphs.',
    'A planner may plan further planners; without a limit a mission could plan forever.',
    'Let the planner plan the work itself, or split it into several missions.',
  ),
  'mission/time-too-long': refuses(
    'A time budget is at most one year.',
    'Longer work is a service, not a mission, and very late deadlines exceed the range of dates.',
    'Use a smaller value, or omit time_budget_ms for no deadline.',
  ),
  'mission/secret': refuses(
    'No text of an artifact looks like a credential.',
    'Artifacts are stored permanently and given to other agents, so a credential in one is exposed.',
    'Remove it, rotate it, and refer to where it is stored.',
  ),
  'mission/breaks-stored': refuses(
    'The stored artifacts of a mission stay valid.',
    'A review dated before the first, or a package that requires citations afterwards, would invalidate stored artifacts.',
    'The message names the artifact and the reason; submit a new mission for a different answer.',
  ),
} satisfies Readonly<Record<string, CodeMeaning>>
