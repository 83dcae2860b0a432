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

const AGAIN = 'waybill mission retry runs the task again after the cause is fixed.'

const RUNNER_CODES = {
  'mission/runner-missing': error(
    'Every agent of a task has a runner in waybill.yaml, and the runner is installed.',
    'Without a runner the task would wait forever.',
    'Add the agent to missions.runners in waybill.yaml, or install what the message names; then retry.',
  ),
  'mission/runner-failed': error(
    'The program, model or remote agent that runs a task finishes without an error.',
    'The output of a failed run cannot be trusted.',
    `The message has its last output. ${AGAIN}`,
  ),
  'mission/runner-timeout': error(
    'An agent answers before its timeout.',
    'An agent that hangs would block its task and all dependent tasks.',
    'Raise seconds in missions.runners in waybill.yaml, or the time budget of the mission; then retry.',
  ),
  'mission/runner-overflow': error(
    'The output of an agent stays within the limit of its runner.',
    'Unlimited output would fill memory and disks.',
    'Let the agent store bulk data elsewhere and cite it; bytes in waybill.yaml sets the limit of a program.',
  ),
  'mission/runner-answer': error(
    'An agent answers with one JSON value.',
    'Other output cannot be checked, and only checked output is stored.',
    'Let it write only its answer to standard output, and everything else to standard error.',
  ),
  'mission/runner-refused': error(
    'The remote service accepts the request.',
    'A refusal, such as an invalid API key, does not go away by retrying.',
    'The message has the reason: check the address, the model and the variable with the key in waybill.yaml.',
  ),
  'mission/runner-unavailable': error(
    'The remote service is reachable and has capacity.',
    'Outages pass, so the task was retried as often as the template allows.',
    AGAIN,
  ),
  'mission/agent-kept-out': error(
    'An agent that continues a task is not in quarantine.',
    'Its prompt changed while the task waited, and the change was not approved.',
    `Compare the prompt with its approved version, then run waybill lock reconcile. ${AGAIN}`,
  ),
  'mission/runner-cancelled': error(
    'An agent finishes without being stopped from outside.',
    'The remote service or a person stopped it, its mission was cancelled, or its worker stopped.',
    AGAIN,
  ),
} as const satisfies Readonly<
  Record<Exclude<RunnerCode, PipelineReason | 'mission/token-budget'>, CodeMeaning>
>

const RUN_CODES = {
  'mission/template-tool': {
    severity: 'warning',
    summary: 'If waybill.yaml lists tools, it lists every tool that a template allows.',
    why: 'Waybill cannot tell which server has an unlisted tool.',
    remedy: 'Use the name from missions.tools in waybill.yaml, or add the tool there.',
  },
  'mission/template': error(
    'A mission template or prompt template is valid.',
    'No mission can start from an invalid template.',
    'The message says what is wrong and where; docs/guide/missions.md and writing-an-agent.md have complete examples.',
  ),
  'mission/answer-refused': error(
    'The answer of an agent is valid, at the latest after one repair.',
    'The agent gets the errors once and may repair its answer; more attempts rarely help.',
    'waybill mission status --format json lists the errors; fix the agent or its prompt, and retry.',
  ),
  'pipeline/foreign-context': error(
    'An agent of a pipeline answers with its own session context.',
    'A context that names another agent or step would mislead the steps that follow.',
    'The message has the actual and the expected value; let the agent copy it from its assignment.',
  ),
  'pipeline/nested': error(
    'The context of an agent of a pipeline is nested no deeper than max_agent_nesting in the orchestration file.',
    'The file limits how deeply agents may start other agents.',
    'Let the orchestrator start the agent, or raise workflow.constraints.max_agent_nesting.',
  ),
  'pipeline/gone': error(
    'The agent of a task is still in the orchestration file.',
    'Its status could not be stored, and the run would be invisible.',
    'The agent was removed, or the last edit is wrong: put it back, or run the pipeline again without it.',
  ),
  'pipeline/reserved-place': error(
    'An agent of a pipeline writes its context to a new file, or over its own earlier context.',
    'Agents must not write configuration, policies or templates, which control Waybill, or overwrite other files.',
    'The message names the file: choose another output path in the orchestration file, or move the file away; then run the pipeline again.',
  ),
  'pipeline/complete': error(
    'An agent to run is not yet COMPLETE.',
    'Work that a person completed is not repeated.',
    'To run it, set it to PENDING with waybill pipeline set; then run the pipeline again.',
  ),
  'mission/tool-call-unknown': error(
    'Every tool call that a result names is in the trace.',
    'A reference to a call that was not traced proves nothing: it can be invented.',
    'Let the agent use only the refs that came with tool results, or none.',
  ),
  'mission/role-unfilled': error(
    'Every planned task is for a role that waybill.yaml gives to an agent.',
    'A task without an agent would block the mission forever.',
    'Let the planner use the roles that the message names, or name an agent in missions.roles in waybill.yaml; then retry.',
  ),
  'mission/artifact-refused': error(
    'The database accepts the output of a task.',
    'The database also checks structure, references and ids.',
    'The message names the constraint; fix the agent, and retry.',
  ),
  'mission/time-budget': error(
    'A task starts while its mission has time left (time_budget_ms).',
    'Past the deadline no new work starts.',
    "waybill mission retry restarts the mission's time budget.",
  ),
  'mission/token-budget': error(
    'A task starts and continues while its mission has tokens left (token_budget).',
    'The budget limits the cost of a mission; work that would exceed it does not start.',
    'Submit the mission again with a larger --token-budget, or with fewer tasks.',
  ),
  'mission/pass-expired': error(
    'The librarian pass of a task has not expired when the task starts.',
    'Read access is granted for a limited time; permissions may have changed since.',
    'Submit a new mission with passes that outlast their tasks: a finished librarian task issues no further pass.',
  ),
  'mission/data-denied': error(
    'An agent gets only data that a policy decision of its mission allows: for the scopes of its task, and of the tasks whose results it gets.',
    'Data given to an agent cannot be withdrawn, and results made from data need the same permission as the data.',
    'The message names the scope and the decision; give the task to another agent, plan it without the scope, or change the policy and submit the mission again.',
  ),
  'mission/data-scope': error(
    'A tool accesses only resource families in the data scopes of the task.',
    'Permission to call a tool is not permission to read all its data.',
    'Add the family to required_data_scopes in the plan, or let the agent use other data.',
  ),
  'mission/pass-scope': error(
    'If a task has a pass, its tools access only resource families that the pass allows.',
    'A librarian limits a task to the data that it needs; undeclared data counts as outside.',
    'Let the librarian allow the family, or declare the families of the tool in missions.tools in waybill.yaml (families: [] for none).',
  ),
  'mission/place-unknown': error(
    'A location argument lies below one of missions.places in waybill.yaml, written exactly as there.',
    'Waybill cannot assign other locations to a resource family, such as paths with .., escapes, patterns or lookalike letters.',
    'Let the agent use a plain path below a configured place, or add the place with its family.',
  ),
  'mission/tool-calls': error(
    'An attempt makes at most 1,000 tool calls.',
    'An agent in a loop would fill the trace and load the tool servers.',
    'Let the agent request more per call, or plan several tasks.',
  ),
  'mission/worker-lost': error(
    'A worker does not die while it runs a task.',
    'After ten workers died over a task, the task is assumed to be the cause.',
    `Check the resource use of its agent, such as memory. ${AGAIN}`,
  ),
  'mission/cancelled': error(
    'A mission is not cancelled.',
    'No task of a cancelled mission starts, and late answers of agents are discarded.',
    'The message has the reason; submit a new mission for work that is still needed.',
  ),
  'mission/erased': error(
    'The inputs of a task exist.',
    'The envelope, the task or its pass was erased, so its goal or its permissions are unknown.',
    'Submit a new mission; or retry the librarian task for a new pass, then this task.',
  ),
  'mission/handoff-needs-input': error(
    'A task is handed to its agent without further input.',
    'The policies require something, such as an approval, before this agent may run.',
    'Provide what the message names (waybill approve gives an approval), or change the policy; then retry.',
  ),
  'mission/evidence-differs': error(
    'A mission contains the evidence that its handoff document names.',
    'The next session would rely on evidence that is missing.',
    'waybill mission replay shows what the mission contains; find out what changed since.',
  ),
  'mission/handoff-lacks': error(
    'A mission can fill in every required field of the handoff document that it is paused into.',
    'The next session would treat an incomplete document as complete.',
    'Provide what the message names, and pause again.',
  ),
  'mission/internal': error(
    'The runtime works without an internal error.',
    'This is a bug in Waybill or a problem of its environment, not of the agent.',
    `Report it with the message if you can share it. ${AGAIN}`,
  ),
} as const satisfies Readonly<Record<`${'mission' | 'pipeline'}/${string}`, CodeMeaning>>

/** Why a task or a mission failed, and errors in answers of agents. */
export const MISSION_CODES = {
  ...RUN_CODES,
  ...FAILURE_CODES,
  ...RUNNER_CODES,
  ...ANSWER_CODES,
} as const

const DELIVERY =
  'waybill mission status shows its progress; a delivery is retried for about three hours.'
const PROPOSE = 'Submit another mission that proposes it again.'

/** Results of delivering an approved write-back. */
export const WRITEBACK_CODES = {
  'writeback/delivered': {
    severity: 'info',
    summary: 'The destination accepted the write-back.',
    why: 'It confirmed the delivery; the idempotency key lets it recognize duplicates.',
    remedy: 'Nothing to do.',
  },
  'writeback/not-configured': error(
    'waybill.yaml configures a destination for the action of every approved proposal.',
    'Without it Waybill does not know where to send the proposal or how to sign it.',
    `Add the action to missions.writebacks in waybill.yaml, and set the variable with its secret. ${DELIVERY}`,
  ),
  'writeback/not-approved': error(
    'A log entry records the approval of a proposal before it is delivered.',
    'An approval without a record cannot be proved later, and an approval by name only does not count once waybill.yaml requires signatures.',
    `waybill mission status shows the decision; a proposal can be decided only once. ${PROPOSE}`,
  ),
  'writeback/expired': error(
    'A proposal is delivered before its approval expires.',
    'Circumstances change; after that time a person must review again.',
    `${PROPOSE} waybill mission approve --hours sets a longer validity.`,
  ),
  'writeback/erased': error(
    'A proposal still exists when it is delivered.',
    'Its payload was erased after it was approved.',
    PROPOSE,
  ),
  'writeback/changed': error(
    'A proposal is unchanged since its approval.',
    'Its digest differs: the proposal was changed in the database.',
    'waybill mission replay shows the difference; find out who can write to the database.',
  ),
  'writeback/denied': error(
    'The policies allow a write-back when it is approved, and again each time it is sent.',
    'They may have changed since, or an agent that proposed it may be in quarantine.',
    `The message names the policies. ${PROPOSE} If a policy fails to evaluate, the delivery is retried: waybill policy check shows why.`,
  ),
  'writeback/cancelled': error(
    'The mission of a write-back is not cancelled.',
    'It was cancelled after the proposal was approved.',
    PROPOSE,
  ),
  'writeback/refused': error(
    'The destination accepts the write-back.',
    'It refused, and would refuse again.',
    `The message has the answer. Fix the destination or the proposal. ${PROPOSE}`,
  ),
  'writeback/redirected': error(
    'The destination does not redirect.',
    'A message signed for one address is not sent to another.',
    `Set the final address in waybill.yaml. ${PROPOSE}`,
  ),
  'writeback/unavailable': error(
    'The destination is available.',
    'It answered with a temporary error, such as overload.',
    DELIVERY,
  ),
  'writeback/unreachable': error(
    'The destination can be reached.',
    'Network and service outages pass.',
    `Check the address in waybill.yaml, and the network of the workers. ${DELIVERY}`,
  ),
  'writeback/timeout': error(
    'The destination answers within half a minute.',
    'Whether it accepted the write-back is unknown, so it is sent again with the same idempotency key.',
    DELIVERY,
  ),
  'writeback/given-up': error(
    'A delivery succeeds within its attempts.',
    'It failed twelve times over some hours, or too many workers died during it.',
    `Fix what the message names. ${PROPOSE}`,
  ),
  'writeback/internal': error(
    'A delivery fails for a known reason.',
    'This is a bug in Waybill or a problem of its environment.',
    `Report it with the message if you can share it. ${DELIVERY}`,
  ),
} as const satisfies Readonly<Record<`writeback/${string}`, CodeMeaning>>
