import { join } from 'node:path'
import { quote } from '../../../contract/index.ts'
import { decode, MOST_BYTES, readDocuments } from '../../../document/index.ts'
import { WaybillError } from '../../../error.ts'
import { readSnapshot, type Store } from '../../../store/index.ts'
import { readOwnFile } from '../../../workspace/index.ts'
import { pathUnderRoot } from '../../chain/named.ts'
import type { App } from '../../operation.ts'
import resume from '../../resume.ts'
import { evidenceIn, evidenceOf, SESSION_FIELD } from './content.ts'
import type { MissionHandoffParts } from './output.ts'

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/

const HINT =
  'pass the whole id of a mission (see waybill mission list) or the handoff document of one'

/** Reports whether a word is a mission id rather than a path. */
export function isMissionId(word: string): boolean {
  return UUID.test(word)
}

/** A handoff document about a mission. */
export interface MissionDocument {
  readonly path: string
  readonly mission: string
  /** The artifacts it names, each with its digest. */
  readonly evidence: readonly string[]
}

/** Reads which mission a handoff document is about. */
export async function readMissionDocument(named: string, app: App): Promise<MissionDocument> {
  const path = pathUnderRoot(named, app, HINT)
  const bytes = readOwnFile(join(app.root, path), MOST_BYTES)
  if (!bytes)
    throw new WaybillError('not-found', `${quote(named)} is neither a mission nor a document`, {
      hint: HINT,
    })
  const { text, faults } = decode(bytes)
  const [document] = (await readDocuments(text, 'markdown', faults)).documents
  const value = document?.value as { frontmatter?: Record<string, unknown> | null } | undefined
  const mission = value?.frontmatter?.[SESSION_FIELD]
  if (typeof mission === 'string' && UUID.test(mission))
    return { path, mission, evidence: evidenceIn(text) }
  throw new WaybillError('usage', `${path} is not about a mission`, {
    hint: `a document from waybill mission pause --handoff has the mission id as ${SESSION_FIELD}`,
  })
}

/** A person's statement about a document that may be stale. */
export interface Stated {
  readonly as?: string | undefined
  readonly verifiedBy?: string | undefined
  readonly note?: string | undefined
}

/** Resumes from the document as waybill resume does, and checks that its artifacts are unchanged. */
export async function resumeFrom(
  { path, mission, evidence }: MissionDocument,
  { as, verifiedBy, note }: Stated,
  { tenant, store, app }: { readonly tenant: string; readonly store: Store; readonly app: App },
): Promise<MissionHandoffParts> {
  const snapshot = await store.tenant(tenant, tx => readSnapshot(tx, mission))
  const there = new Set(snapshot ? evidenceOf(snapshot) : [])
  const lost = evidence.filter(line => !there.has(line))
  const changed = lost.map(line => ({
    code: 'mission/evidence-differs',
    message: `the mission does not have this artifact from the document: ${line}`,
    hint: 'waybill mission replay shows what the mission has',
  }))
  if (changed.length > 0 || !snapshot)
    return { path, accepted: false, staleness: null, findings: changed }
  const output = await resume.run(
    {
      path: join(app.root, path),
      ...(as !== undefined && { as }),
      ...(verifiedBy !== undefined && { verifiedBy }),
      ...(note !== undefined && { note }),
    },
    app,
  )
  const errors = output.diagnostics.filter(({ severity }) => severity === 'error')
  return {
    path,
    accepted: output.accepted,
    staleness: output.staleness?.class ?? null,
    findings: errors.map(({ code, message, hint }) => ({
      code,
      message,
      ...(hint !== undefined && { hint }),
    })),
  }
}
