import { withoutPlaceholders } from '../../../contracts/index.ts'
import { formatDuration, maskSecrets } from '../../../document/index.ts'
import type { MissionSnapshot } from '../../../store/index.ts'

/** Where a handoff document names the mission that it is about: by the session that its documents belong to. */
export const SESSION_FIELD = 'session_id'

/** How much of a text of a mission stands in a document. */
const LONGEST = 300
/** How many entries of one sort are named. */
const MOST = 50

type Lines = readonly string[]

/** The sections of the handoff document of a mission; `tenant` is the flag that its verbs take, behind a space. */
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
      'Tasks, artifacts and decisions stand in the database of the mission; this document names them by id and digest.',
      'While the mission is paused nothing new starts; what ran when it was paused is finished.',
      ...budgetOf(run),
      ...(run.reason ? [`The mission has a failure: ${inline(run.reason.message)}`] : []),
    ],
    'Decisions Made': decisionsOf(snapshot),
    'Immediate Next Steps': [
      `1. Go on with the mission: \`${resume}${tenant}\``,
      `2. See how far it is: ${status}`,
      `3. Do its tasks: \`waybill mission work\``,
    ].join('\n'),
    'Pending Work / Open Loops': orNone(open.map(openLine)),
    'Verification Checklist': [`[ ] The mission is still paused: ${status}`],
    'Evidence / Artifacts': orNone(evidenceOf(snapshot)),
  }
}

/** What the artifacts of a mission are, each with its digest; all of them, since they are verified again. */
export function evidenceOf({ artifacts }: Pick<MissionSnapshot, 'artifacts'>): string[] {
  return artifacts.map(({ name, id, digest }) => `${name} ${plainId(id)} sha256:${digest}`)
}

/** The artifacts that a document names as evidence. */
export function evidenceIn(text: string): string[] {
  return text.split('\n').flatMap(line => {
    const words = line.trim().replace(/^- /, '')
    return /^[a-z_]+ [^\s]+ sha256:[0-9a-f]{64}$/.test(words) ? [words] : []
  })
}

/** An id as one word that begins no markup. */
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

/** What is left of the time of a mission: while it is paused its end moves on, so that no date would be true. */
function timeOf({ deadline, pausedAt }: MissionSnapshot['run']): string {
  if (deadline === null) return 'It has no time budget.'
  if (pausedAt === null) return `Its time ends at ${deadline}.`
  const left = Date.parse(deadline) - Date.parse(pausedAt)
  if (left <= 0)
    return 'Its time budget is used up: no task starts any more, and whoever tries the failed ones again gives it as much as at first.'
  const words = `${formatDuration(left)} (${Math.floor(left / 1000)} s)`
  return `Of its time budget ${words} are left; the clock stands while it is paused, and goes on when it is resumed.`
}

function decisionsOf({ artifacts, decisions }: MissionSnapshot): Lines {
  const policies = artifacts
    .filter(({ name }) => name === 'policy_decision')
    .map(({ id, payload }) => {
      if (!payload) return `What policies decided was erased (${plainId(id)})`
      const [decision, subject, reason] = [payload.decision, payload.subject, payload.reason]
      const what = `${inline(String(decision))} for ${inline(String(subject))}`
      return `Policies decided ${what} (${plainId(id)}): ${inline(String(reason))}`
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

/** What Markdown may take for more than it is; an underscore within a word, as ids have it, is nothing but that. */
const MARKUP = /[`<>*[\]#|\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

/** A label with its masked value would still be taken for a credential, and the document refused. */
const ASSIGNED = /=[=>~]{0,2}(?=\s{0,99}\S{0,9}…)/g

/** A text of a mission as a part of one line that is no Markdown: whoever wrote it does not write this document. */
function inline(text: string): string {
  const plain = maskSecrets(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(MARKUP, ' ')
  // Without its markup it may be a credential that it was not with it.
  const line = maskSecrets(plain).replace(ASSIGNED, ' ').trim()
  return withoutPlaceholders(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line)
}
