import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import type { HookEvent, Verdict } from '../../hooks/index.ts'
import { type Note, notesAsSections, readNotes } from '../../session/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import brief from '../brief.ts'
import type { App } from '../operation.ts'
import { usesWaybill } from './gate.ts'
import { knownRules } from './rules.ts'
import { beginSession, readSession, writeSession } from './session.ts'

/** Agents cut longer texts of a hook. */
const BUDGET = 2000

const FIRST = 'This repository hands work over with Waybill. No handoff is in force yet.'

/** Briefs an agent when its session starts or was compacted; silent where Waybill is not used. */
export async function briefAgent(event: HookEvent, app: App): Promise<Verdict> {
  const { root } = app
  // A folder that is no repository may hold many, whose handoffs are not its own.
  if (!usesWaybill(root) && !existsSync(join(root, '.git'))) return {}
  const text = await briefText(app)
  if (text === undefined && !usesWaybill(root)) return {}
  if (event.session !== undefined) beginSession(root, event.session, app.now)
  // Reading everything now keeps the calls that follow fast.
  const rules = await knownRules(root, () => loadConfig(root), { again: true })
  const checked = rules.flatMap(({ id, scope }) => (scope === undefined ? [] : id))
  return {
    context: [
      event.isCompacted
        ? 'The conversation was compacted; this is what is in force. Follow the rules.'
        : 'Follow the rules in force below and go on with the next steps.',
      ...(checked.length > 0 ? [`Waybill checks each tool call against ${listed(checked)}.`] : []),
      text ?? FIRST,
      ...notedText(readNotes(root)),
      'While working, keep decisions, facts and rules with `waybill note`. Before you finish, run ' +
        "`waybill handoff --state '<what is done>' --next '<step>' --decision '<decision and reason>'`.",
    ].join('\n\n'),
  }
}

/** Briefs an agent before its next turn after a compaction, where no session start follows one. */
export async function briefAfterCompaction(event: HookEvent, app: App): Promise<Verdict> {
  const { session } = event
  if (session === undefined || !readSession(app.root, session)?.compacted) return {}
  return briefAgent({ ...event, isCompacted: true }, app)
}

/** What an agent must keep when its conversation is compacted. */
export async function keepText({ session }: HookEvent, { root }: App): Promise<string | undefined> {
  if (!usesWaybill(root)) return undefined
  const known = session === undefined ? undefined : readSession(root, session)
  if (session !== undefined && known) writeSession(root, session, { ...known, compacted: true })
  const rules = await knownRules(root, () => loadConfig(root))
  const noted = readNotes(root).filter(({ kind }) => kind !== 'rule')
  if (rules.length === 0 && noted.length === 0) return undefined
  return [
    'Keep these rules and notes word for word in the summary:',
    ...rules.map(({ id, text }) => `- ${id}: ${text}`),
    ...notedText(noted),
  ].join('\n')
}

/** The brief; why there is none; or nothing where no document was found. */
async function briefText(app: App): Promise<string | undefined> {
  try {
    const { brief: text, refused, needs } = await brief.run({ budget: BUDGET }, app)
    if (text !== null) return text.trimEnd()
    if (needs !== null) return (await brief.run({ budget: needs }, app)).brief?.trimEnd()
    return `The newest handoff has errors (${listed(refused.map(({ path }) => path))}). Run waybill check.`
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return error.code === 'not-found' ? undefined : `There is no brief: ${error.message}`
  }
}

function notedText(notes: readonly Note[]): string[] {
  const { rules, decisions, facts, open } = notesAsSections(notes)
  const titled = { Rules: rules, Decisions: decisions, Facts: facts, Open: open }
  const lines = Object.entries(titled).flatMap(([title, items]) =>
    items.length === 0 ? [] : [`${title}:`, ...items],
  )
  return lines.length === 0 ? [] : [['Noted since the last handoff:', ...lines].join('\n')]
}
