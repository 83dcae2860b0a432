import type { CodeMeaning } from '../contract/index.ts'
import { ANSWER_CODES } from './plan/codes.ts'
import { FAILURE_CODES } from './run/failure-codes.ts'
import type { PipelineReason, RunnerCode } from './runner.ts'

const error = (summary: string, why: string, remedy: string): CodeMeaning => ({
  severity: 'error',
  summary,
  why,
  remedy,
})

const AGAIN = 'waybill mission retry tries the task again, once what stood in its way is gone.'

const RUNNER_CODES = {
  'mission/runner-missing': error(
    'waybill.yaml says what runs the agent of every task, and that is installed here.',
    'A task whose agent nothing can run would wait for ever.',
    'Add the agent under missions: runners: in waybill.yaml, or install what the message names; then retry.',
  ),
  'mission/runner-failed': error(
    'The program, model or remote agent that does a task ends without an error.',
    'What a run that went wrong has left behind is nothing that anybody may build on.',
    `The message has the last of what it said. ${AGAIN}`,
  ),
  'mission/runner-timeout': error(
    'An agent has its answer before its time is up.',
    'An agent that hangs would hold its task, and all that wait for it, for good.',
    'Give it more with seconds: under missions: runners: in waybill.yaml, or the mission a larger time budget; then retry.',
  ),
  'mission/runner-overflow': error(
    'An agent writes no more than its runner takes.',
    'A flood fills memory and disks long before anybody reads it.',
    'Let the agent store bulk data elsewhere and cite it; bytes: in waybill.yaml is the limit of programs.',
  ),
  'mission/runner-answer': error(
    'An agent answers with one JSON value.',
    'What is no JSON cannot be checked, and nothing unchecked is stored.',
    'Let it write its answer alone to standard output, and everything else to standard error.',
  ),
  'mission/runner-refused': error(
    'The other side takes the request.',
    'A refusal such as a key that does not count stays one, however often it is asked.',
    'The message has the reason: look at the address, the model and the variable that holds the key in waybill.yaml.',
  ),
  'mission/runner-unavailable': error(
    'The other side can be reached, and has room.',
    'A service that is away or overloaded comes back, so it was tried again, as often as the template allows.',
    AGAIN,
  ),
  'mission/agent-kept-out': error(
    'An agent that goes on with a task is not in quarantine.',
    'Its prompt was found to be another one while the task waited, and nobody has answered for that.',
    `Compare the prompt with its approved version, then run waybill lock reconcile. ${AGAIN}`,
  ),
  'mission/runner-cancelled': error(
    'An agent is let finish its work.',
    'It was ended from outside: by whoever runs it, or because its mission was cancelled or its worker stopped.',
    AGAIN,
  ),
} as const satisfies Readonly<
  Record<Exclude<RunnerCode, PipelineReason | 'mission/token-budget'>, CodeMeaning>
>

const RUN_CODES = {
  'mission/template-tool': {
    severity: 'warning',
    summary:
      'The tools that a template allows are named in waybill.yaml, where it names tools at all.',
    why: 'Nothing says which server has a tool that is named nowhere.',
    remedy: 'Write the name as it stands under missions: tools: in waybill.yaml, or add it there.',
  },
  'mission/template': error(
    'A template of missions or of prompts can be used as it is.',
    'What is wrong with it would be found by whoever begins a mission of it, and nothing would be begun.',
    'The message says what is wrong at that place; docs/guide/missions.md and writing-an-agent.md show whole ones.',
  ),
  'mission/answer-refused': error(
    'What an agent returns is accepted, at the latest in its second answer.',
    'It is told once what was wrong and may repair it; whoever is wrong twice is so a third time.',
    'waybill mission status --format json has what was found; mend the agent or its prompt, and retry.',
  ),
  'pipeline/foreign-context': error(
    'An agent of a pipeline answers with its own session context.',
    'A context under the name of another agent, or of another step, would mislead all that follow.',
    'The message says what stands there and what belongs there; let the agent copy it from its assignment.',
  ),
  'pipeline/nested': error(
    'The context of an agent of a pipeline is no deeper than max_agent_nesting in the orchestration file.',
    'Whoever wrote the file has limited how deep agents start agents; deeper, nobody oversees them.',
    'Let the orchestrator start the agent, or raise workflow.constraints.max_agent_nesting.',
  ),
  'pipeline/gone': error(
    'The agent of a task still stands in the orchestration file.',
    'Its status would have nowhere to go, and nobody would know that it ran.',
    'Somebody has taken it out, or what was written last is at fault: put it back, or run the pipeline again as it is now.',
  ),
  'pipeline/reserved-place': error(
    'An agent of a pipeline writes its context where nothing stands yet, or over one that was written for it before.',
    'The configuration, policies and templates decide how Waybill works, and no agent writes them; what else stands there is the work of somebody who would lose it.',
    'The message says what is there: give the output a file of its own in the orchestration file, or move the file away; then run the pipeline again.',
  ),
  'pipeline/complete': error(
    'An agent that is to run is not COMPLETE already.',
    'What somebody has completed by hand is not done over.',
    'Set it to PENDING with waybill pipeline set if it is to run; then run the pipeline again.',
  ),
  'mission/tool-call-unknown': error(
    'Every call that a result names has gone through the guard.',
    'A reference to a call that nobody has traced shows nothing, and can be invented.',
    'Let the agent name only the refs that tools gave it with their results, or none.',
  ),
  'mission/role-unfilled': error(
    'Every task that an agent plans is for a role that an agent of waybill.yaml has.',
    'A task that nobody does would keep the mission from ever being finished.',
    'Let the planner use the roles that the message names, or name an agent under missions: roles: in waybill.yaml; then retry.',
  ),
  'mission/artifact-refused': error(
    'The database takes what a task has produced.',
    'It checks structure, references and ids by itself; what it refuses is as wrong as what a rule refuses.',
    'The message names the constraint; mend the agent, and retry.',
  ),
  'mission/time-budget': error(
    'A task starts while its mission has time left (time_budget_ms).',
    'Work that nobody waits for any more is not begun.',
    'waybill mission retry gives the mission as much time as at first.',
  ),
  'mission/token-budget': error(
    'A task starts, and goes on, while its mission has tokens left (token_budget).',
    'The budget is what somebody was willing to pay; it is not overdrawn by starting what cannot fit.',
    'Submit the mission again with a larger --token-budget, or with fewer tasks.',
  ),
  'mission/pass-expired': error(
    'The pass that a librarian has given for a task has not expired when the task starts.',
    'What may be read is allowed for a time; after that it may have changed who may read it.',
    'Begin a new mission, with passes that last until their tasks are done: a librarian whose task is done gives no other.',
  ),
  'mission/data-denied': error(
    'An agent is given only data that a decision of its mission allows it: of the scopes that its task names, and of those of the tasks whose results it gets.',
    'What an agent was told cannot be taken back; and who may not read something may not read what others have made of it.',
    'The message names the scope and the decision; give the task to another agent, plan it without the scope, or change the policy and submit the mission anew.',
  ),
  'mission/data-scope': error(
    'A tool reaches only resources of families that stand among the data scopes of the task.',
    'A task that may call a tool may not, by that alone, read everything that lies behind it.',
    'Let the plan name the family under required_data_scopes, or the agent ask for something else.',
  ),
  'mission/pass-scope': error(
    'Where a task has a pass, its tools reach only resources of families that the pass allows.',
    'A librarian narrows a task to what it needs; what is not said to be inside counts as outside.',
    'Let the librarian allow the family; or say under missions: tools: in waybill.yaml what the tool reaches (families: [] where it is nothing).',
  ),
  'mission/place-unknown': error(
    'An argument that names a place lies at one of missions: places: in waybill.yaml, written as it is there.',
    'Nobody can tell to which family of resources anything else belongs: a way up, an escape, a pattern, a letter that only looks the same.',
    'Let the agent name a plain path below a known place, or add the place with its family.',
  ),
  'mission/tool-calls': error(
    'An attempt at a task makes no more than a thousand calls of tools.',
    'An agent in a loop would fill the trace, and keep the servers of its tools busy, without end.',
    'Let the agent ask for more at a time, or plan several tasks.',
  ),
  'mission/worker-lost': error(
    'Workers survive a task.',
    'A task that has cost ten workers their life is taken for the cause.',
    `Look at what its agent uses up, such as memory. ${AGAIN}`,
  ),
  'mission/cancelled': error(
    'A mission is done to its end.',
    'Somebody cancelled it: nothing of it starts any more, and what agents return is refused.',
    'The message has the reason; what is still wanted is a new mission.',
  ),
  'mission/erased': error(
    'What a task starts with is there.',
    'The envelope, the task itself or its pass was erased: nobody knows any more what was to be done, or what may be read.',
    'Submit a new mission; or retry the task of the librarian for a new pass, then the task itself.',
  ),
  'mission/handoff-needs-input': error(
    'A task is handed to its agent without anybody having to say more.',
    'The policies ask for something, such as an approval, before this agent may be run.',
    'Give what the message names: waybill approve states an approval. Or change the policy; then retry.',
  ),
  'mission/evidence-differs': error(
    'A mission has what the handoff document names that it was paused into.',
    'Whoever goes on by the document would build on something that is not there.',
    'waybill mission replay shows what the mission has; find out what was changed since.',
  ),
  'mission/handoff-lacks': error(
    'Everything that a handoff document of its mode has to say is known when a mission is paused into it.',
    'A document with gaps is taken for a whole one by the next session.',
    'Give what the message names, and pause again.',
  ),
  'mission/internal': error(
    'The runtime does what it is there for.',
    'This is a fault of Waybill or of its runContext, not of the agent.',
    `Report it with the message, if you can share it. ${AGAIN}`,
  ),
} as const satisfies Readonly<Record<`${'mission' | 'pipeline'}/${string}`, CodeMeaning>>

/** Why a task or a mission ended before its end, and what is found in answers of agents. */
export const MISSION_CODES = {
  ...RUN_CODES,
  ...FAILURE_CODES,
  ...RUNNER_CODES,
  ...ANSWER_CODES,
} as const

const DELIVERY =
  'waybill mission status shows how far it is; a delivery is tried again for some three hours.'
const PROPOSE = 'Let it be proposed anew, by another mission.'

/** What came of delivering an approved write-back. */
export const WRITEBACK_CODES = {
  'writeback/delivered': {
    severity: 'info',
    summary: 'The destination has taken the write-back.',
    why: 'It answered that it did; by the idempotency key it knows a second copy as one.',
    remedy: 'There is nothing to do.',
  },
  'writeback/not-configured': error(
    'waybill.yaml names a destination for the action of every approved proposal.',
    'Nobody knows where it should go, or with which secret it is signed.',
    `Add the action under missions: writebacks: in waybill.yaml, and set the variable of its secret. ${DELIVERY}`,
  ),
  'writeback/not-approved': error(
    'An entry of the log says that a proposal was approved, before it is delivered.',
    'What is not recorded was not approved, for all that anybody can show later, and a mere name has approved nothing where people have to sign by now.',
    `waybill mission status shows what was decided, and each proposal is decided on once. ${PROPOSE}`,
  ),
  'writeback/expired': error(
    'A proposal is delivered while its approval counts.',
    'An approval is given for the world as it was; after its time somebody has to look again.',
    `${PROPOSE} waybill mission approve --hours lets an approval count for longer.`,
  ),
  'writeback/erased': error(
    'A proposal is there when it is delivered.',
    'Its payload was erased after it was approved.',
    PROPOSE,
  ),
  'writeback/changed': error(
    'A proposal is delivered exactly as it was approved.',
    'The digest is another one: somebody has changed what stands in the database.',
    'waybill mission replay tells what differs; find out who can write to the database.',
  ),
  'writeback/denied': error(
    'The policies allow a write-back when it is approved, and again whenever it is sent.',
    'They may have changed since, and an agent that proposed it may be kept out by now.',
    `The message names the policies. ${PROPOSE} Where they could not decide it is tried again: waybill policy check shows why.`,
  ),
  'writeback/cancelled': error(
    'The mission of a write-back is not cancelled.',
    'Somebody has ended it after the proposal was approved: nothing of it is done any more.',
    PROPOSE,
  ),
  'writeback/refused': error(
    'The destination takes the write-back.',
    'It answered that it will not, and would again.',
    `The message has the answer. Mend the destination or the proposal. ${PROPOSE}`,
  ),
  'writeback/redirected': error(
    'The destination answers itself.',
    'What is signed for one address is not sent to another that somebody names.',
    `Write the address that is meant into waybill.yaml. ${PROPOSE}`,
  ),
  'writeback/unavailable': error(
    'The destination has room.',
    'It answered that it is overloaded or out of order, which passes.',
    DELIVERY,
  ),
  'writeback/unreachable': error(
    'The destination can be reached.',
    'A network or a service that is away comes back.',
    `Look at the address in waybill.yaml, and from where workers run. ${DELIVERY}`,
  ),
  'writeback/timeout': error(
    'The destination answers within half a minute.',
    'Whether it took the write-back is not known, so it is sent again under the same idempotency key.',
    DELIVERY,
  ),
  'writeback/given-up': error(
    'A delivery comes to an end within its tries.',
    'It was tried a dozen times over hours, or begun very often by workers that died over it.',
    `Mend what the message names. ${PROPOSE}`,
  ),
  'writeback/internal': error(
    'A delivery fails for a known reason.',
    'This is a fault of Waybill or of its runContext.',
    `Report it with the message, if you can share it. ${DELIVERY}`,
  ),
} as const satisfies Readonly<Record<`writeback/${string}`, CodeMeaning>>
