import type { CodeMeaning } from '../../contract/index.ts'

const refuses = (summary: string, why: string, remedy: string): CodeMeaning => ({
  severity: 'error',
  summary,
  why,
  remedy,
})

/** What is found in answers of agents, and in what is submitted, beyond what the contracts of their artifacts say. */
export const ANSWER_CODES = {
  'mission/answer-shape': refuses(
    'An answer is { "artifacts": [...] }, or one artifact alone.',
    'What stands anywhere else would be read by nobody, and lost.',
    'Let the agent answer in the form that its assignment names under returns.',
  ),
  'mission/answer-count': refuses(
    'An answer has no more than 64 artifacts.',
    'One task makes one thing; an answer of very many is a flood.',
    'Plan more tasks, or let the agent put together what belongs together.',
  ),
  'mission/answer-foreign': refuses(
    'An answer holds only artifacts that the task may return.',
    'A worker that wrote a review, or proposed a change, would pass by those who have to look at its work.',
    'Let the agent return what its assignment names, and say by schema_name which it is.',
  ),
  'mission/answer-incomplete': refuses(
    'An answer holds the artifact that the task is there for, and each says what cannot be known otherwise.',
    'Without it those who wait for the task have nothing to go on.',
    'The message names what is missing.',
  ),
  'mission/answer-disagrees': refuses(
    'What an artifact says of mission, tenant, task and author is so.',
    'An agent that writes under another name, or into another mission, would be believed.',
    'Let the agent leave these keys out: they are filled in.',
  ),
  'mission/answer-size': refuses(
    'An artifact has no more than a mebibyte.',
    'Every later agent is given it, and it is stored for good.',
    'Store bulk data elsewhere, and cite the place.',
  ),
  'mission/answer-not-json': refuses(
    'An artifact can be written as canonical JSON.',
    'What two readers read differently has no digest, and cannot be stored.',
    'The message says what stands in the way, such as half a surrogate pair or too many levels.',
  ),
  'mission/id-taken': refuses(
    'No other artifact of its sort in the mission has the id.',
    'What is cited by an id has to be one thing.',
    'Let the agent leave the id out: one is then made.',
  ),
  'mission/id-too-long': refuses(
    'Ids of tasks, artifacts and tenants have no more than 512 bytes.',
    'They are keys of the database, and keys have to be short.',
    'Give it a short id; texts such as the objective may be long.',
  ),
  'mission/id-not-free': refuses(
    'No task has an id that begins with waybill:.',
    'Such ids stand in the queue for what is no task, such as the delivery of a write-back: a task of that id would be taken for it, and never be done.',
    'Give the task another id.',
  ),
  'mission/text-hidden': refuses(
    'No id, no objective and no criterion of a task holds characters that people do not see.',
    'They stand in the handoffs of the mission, and no handoff with such text is accepted: the task would fail when its turn has come.',
    'Type the text anew, without the characters that the message names.',
  ),
  'mission/text-too-long': refuses(
    'The objective of a task, and its criteria together, have as many characters as a text in a handoff may have.',
    'No handoff with a longer one is accepted: the task would fail when its turn has come.',
    'Put large material into a file, and name it in the objective.',
  ),
  'mission/no-tasks': refuses(
    'A task graph has at least one task.',
    'A mission without tasks is never finished, and a plan without any plans nothing.',
    'Plan at least one task.',
  ),
  'mission/one-reviewer': refuses(
    'A mission has one task of the role reviewer, over all of its graphs.',
    'Review is one pass: what a second reviewer returns would be refused when its work is done.',
    'Leave one reviewer, and let it depend on everything that it has to look at.',
  ),
  'mission/too-many-planners': refuses(
    'A mission has no more than 64 tasks of the role planner, over all of its graphs.',
    'A planner may plan planners; without a bound a mission could plan on and on, and never come to its work.',
    'Let the planner plan the work itself; what needs more planning is several missions.',
  ),
  'mission/time-too-long': refuses(
    'A time budget is no longer than a year.',
    'What takes longer is no mission, but a service; and a deadline that is very far off is no date any more.',
    'Give less, or leave time_budget_ms out: the mission then has no deadline.',
  ),
  'mission/secret': refuses(
    'No text of an artifact looks like a credential.',
    'Artifacts are stored for good and given to other agents; a credential in one is no secret any more.',
    'Take it out, replace it where it is in use, and name the place where it is kept.',
  ),
  'mission/breaks-stored': refuses(
    'Everything that is stored of a mission stays as good as it was.',
    'A review dated before the first, or a package that asks for citations after the fact, would make sound artifacts fail.',
    'The message names the artifact that would fail, and why; a mission that needs another answer is a new one.',
  ),
} satisfies Readonly<Record<string, CodeMeaning>>
