import { withoutPlaceholders } from '../../../contracts/index.ts'
import { formatDuration, maskSecrets } from '../../../document/index.ts'
import type { MissionSnapshot } from '../../../store/index.ts'

/** The frontmatter field that holds the mission id. */
export const SESSION_FIELD = 'session_id'

/** How many characters of a mission's text a document quotes. */
const LONGEST = 300
/** How many entries a list names. */
const MOST = 50

type Lines = readonly string[]

/** Builds the sections of a mission's handoff document; `tenant` is the flag for its commands, with a leading space. */
export function sectionsOf(
  snapshot: MissionSnapshot,
  { resume, tenant }: { readonly resume: string; readonly tenant: string },
): Readonly<Record<string, string | Lines>> {
  const { run, tasks, mission } = snapshot
  const status = `\`waybill mission status ${mission}${tenant}\``
  const done = tasks.filter(({ state }) => state === 'done')
  const open = tasks.filter(({ state }) => state !== 'done')
  const goal = inline(goalOf(snapshot))
  return {
    'Current State Summary': [
      `The mission ${mission} is ${run.state}: ${done.length} of ${tasks.length} tasks are done.`,
      `Its goal: ${goal}`,
      `Done: ${few(done.map(({ task }) => inline(task))).join(', ') || 'nothing yet'}.`,
    ].join('\n\n'),
    'Important Context': [
      'Tasks, artifacts and decisions are stored in the database of the mission; this document names them by id and digest.',
      'While the mission is paused no new task starts; tasks that were running are finished.',
      ...budgetOf(run),
      ...(run.reason ? [`The mission failed: ${inline(run.reason.message)}`] : []),
    ],
    'Decisions Made': decisionsOf(snapshot),
    'Immediate Next Steps': [
      `1. Resume the mission: \`${resume}${tenant}\``,
      `2. See its status: ${status}`,
      `3. Run its tasks: \`waybill mission work\``,
    ].join('\n'),
    'Pending Work / Open Loops': orNone(open.map(openLine)),
    'Verification Checklist': [`[ ] The mission is still paused: ${status}`],
    'Evidence / Artifacts': orNone(evidenceOf(snapshot)),
  }
}

/** Lists all artifacts with their digests; resuming verifies each. */
export function evidenceOf({ artifacts }: Pick<MissionSnapshot, 'artifacts'>): string[] {
  return artifacts.map(({ name, id, digest }) => `${name} ${plainId(id)} sha256:${digest}`)
}

/** Reads the artifacts that a document names as evidence. */
export function evidenceIn(text: string): string[] {
  return text.split('\n').flatMap(line => {
    const words = line.trim().replace(/^- /, '')
    return /^[a-z_]+ [^\s]+ sha256:[0-9a-f]{64}$/.test(words) ? [words] : []
  })
}

/** An id as one word without Markdown markup. */
function plainId(id: string): string {
  return withoutPlaceholders(encodeURIComponent(id))
}

function goalOf({ artifacts }: MissionSnapshot): string {
  const envelope = artifacts.find(({ name }) => name === 'mission_envelope')
  return String(envelope?.payload?.normalized_goal ?? 'erased')
}

function budgetOf(run: MissionSnapshot['run']): Lines {
  const { tokenBudget, tokensUsed } = run
  const tokens = tokenBudget === null ? [] : [`${tokensUsed} of ${tokenBudget} tokens are used.`]
  return [timeOf(run), ...tokens]
}

/** Describes the remaining time; a pause moves the deadline, so a date would be wrong then. */
function timeOf({ deadline, pausedAt }: MissionSnapshot['run']): string {
  if (deadline === null) return 'It has no time budget.'
  if (pausedAt === null) return `Its time ends at ${deadline}.`
  const left = Date.parse(deadline) - Date.parse(pausedAt)
  if (left <= 0)
    return 'Its time budget is used up: no more tasks start; waybill mission retry gives it the full time again.'
  const words = `${formatDuration(left)} (${Math.floor(left / 1000)} s)`
  return `Of its time budget ${words} are left; the clock stops while it is paused.`
}

function decisionsOf({ artifacts, decisions }: MissionSnapshot): Lines {
  const policies = artifacts
    .filter(({ name }) => name === 'policy_decision')
    .map(({ id, payload }) => {
      if (!payload) return `A policy decision was erased (${plainId(id)})`
      const [decision, subject, reason] = [payload.decision, payload.subject, payload.reason]
      const what = `${inline(String(decision))} for ${inline(String(subject))}`
      return `Policy decision: ${what} (${plainId(id)}): ${inline(String(reason))}`
    })
  const people = decisions.map(
    ({ proposal, decision, decidedBy, why }) =>
      `${inline(decidedBy)} has ${inline(decision)} the write-back ${plainId(proposal)}: ${inline(why)}`,
  )
  return orNone([...few(people), ...few(policies)])
}

function openLine({ task, state, agent, waitingFor, reason }: MissionSnapshot['tasks'][number]) {
  const waits = state === 'waiting' && waitingFor !== null ? ` for ${inline(waitingFor)}` : ''
  const why = reason ? `: ${inline(reason.message)}` : ''
  return `Task ${inline(task)} of ${inline(agent)} is ${state}${waits}${why}`
}

function few(lines: Lines): Lines {
  return lines.length > MOST ? [...lines.slice(0, MOST), `${lines.length - MOST} more`] : lines
}

function orNone(lines: Lines): Lines {
  return lines.length > 0 ? lines : ['None.']
}

/** Characters that Markdown may interpret; an underscore inside a word is literal. */
const MARKUP = /[`<>*[\]#|\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

/** A label with a masked value would still match as a credential and get the document refused. */
const ASSIGNED = /=[=>~]{0,2}(?=\s{0,99}\S{0,9}…)/g

/** Flattens untrusted text to one line without Markdown or credentials. */
function inline(text: string): string {
  const plain = maskSecrets(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(MARKUP, ' ')
  // Removing markup may reveal a credential.
  const line = maskSecrets(plain).replace(ASSIGNED, ' ').trim()
  return withoutPlaceholders(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line)
}
