import { counted } from '../../contract/index.ts'
import type { HookEvent } from '../../hooks/index.ts'
import { holdLock, loadConfig, openStateFolder } from '../../workspace/index.ts'
import { handOver } from '../handoff.ts'
import type { App } from '../operation.ts'
import { type Judgement, usesWaybill } from './gate.ts'
import { type HookSession, readSession, type SessionWork, workOf, writeSession } from './session.ts'

/** Asks an agent that stops without a handoff for one, once in a session. */
export async function askForHandoff(event: HookEvent, app: App): Promise<Judgement> {
  const { session: id, isContinued = false } = event
  const session = isContinued ? undefined : sessionOf(id, app)
  if (id === undefined || !session || session.asked) return {}
  const { handoff = 'ask' } = (await loadConfig(app.root)).hooks ?? {}
  if (handoff !== 'ask') return {}
  const work = await workOf(session, app.root)
  if (work.isHandedOver && !work.hasNotes) return {}
  writeSession(app.root, id, { ...session, asked: true })
  return { reason: question(work) }
}

/** Writes a draft where a session ends, or its conversation is compacted, without a handoff. */
export async function draftHandoff(
  { session: id }: HookEvent,
  title: string,
  app: App,
): Promise<Judgement> {
  if (!sessionOf(id, app)) return {}
  // A plugin and the hooks of the repository may both be installed; one draft is enough.
  const lock = await holdLock(app.root, openStateFolder(app.root, 'hooks'))
  try {
    return await draftOnce(id, title, app)
  } finally {
    lock.release()
  }
}

async function draftOnce(id: string | undefined, title: string, app: App): Promise<Judgement> {
  const session = sessionOf(id, app)
  if (id === undefined || !session) return {}
  const { handoff = 'ask' } = (await loadConfig(app.root)).hooks ?? {}
  if (handoff === 'off') return {}
  const { changed, hasNotes, isKept } = await workOf(session, app.root)
  if (isKept && !hasNotes) return {}
  const output = await handOver(
    {
      state:
        `Drafted by the Waybill hook: the session of ${title} ended or was compacted before it handed over. ` +
        `It changed ${counted(changed.length, 'file')}; nothing here was verified.`,
      next: ['Review the changed files, and write down what is done and what is open.'],
      decision: hasNotes ? [] : ['No decision was noted.'],
      agent: title,
      session: id,
      slug: 'draft',
    },
    app,
    'note',
  )
  if (!output.created) return { notice: 'Waybill could not draft a handoff: run waybill handoff.' }
  writeSession(app.root, id, { ...session, drafts: [...(session.drafts ?? []), output.path] })
  return {
    drafted: output.path,
    notice: `Waybill drafted ${output.path}: this session left no handoff.`,
  }
}

function sessionOf(id: string | undefined, { root }: App): HookSession | undefined {
  return id !== undefined && usesWaybill(root) ? readSession(root, id) : undefined
}

const MOST_SHOWN = 10

function question({ changed }: SessionWork): string {
  const shown = changed.slice(0, MOST_SHOWN).map(path => `- ${path}`)
  const rest = changed.length - shown.length
  return [
    'This session left no handoff since its last change. Hand over now, then stop:',
    "waybill handoff --state '<what is done, and whether it works>' --next '<next step>' --decision '<decision and reason>'",
    'Repeat --next, --decision, --fact and --open as needed. Rules in force, open items, notes, branch and changed ' +
      'files are filled in.',
    ...(shown.length > 0 ? ['Changed in this session:', ...shown] : []),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ].join('\n')
}
