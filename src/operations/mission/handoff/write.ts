import { join, relative, resolve } from 'node:path'
import { quote, shellWord, tenantFlag } from '../../../contract/index.ts'
import { WaybillError } from '../../../error.ts'
import { handoffName } from '../../../session/index.ts'
import { readSnapshot, type Store } from '../../../store/index.ts'
import { openFiles } from '../../../workspace/index.ts'
import type { NewOutput } from '../../new/output.ts'
import newDocument from '../../new.ts'
import type { App } from '../../operation.ts'
import { SESSION_FIELD, sectionsOf } from './content.ts'
import type { MissionHandoffParts } from './output.ts'

/** A request for a handoff document about a mission. */
export interface HandoffWanted {
  readonly tenant: string
  readonly mission: string
  /** A folder, the file itself, a decision record, or a work item of one. */
  readonly where: string
  readonly adr?: string | undefined
  readonly agent?: string | undefined
  readonly dryRun?: boolean
  /** The path of the document from the root, when already known. */
  readonly path?: string
}

const ITEM = /^OBPI-([0-9]+\.[0-9]+\.[0-9]+)-[0-9]{2}$/i
const RECORD = /^ADR-[0-9]+\.[0-9]+\.[0-9]+$/i
/** A mistyped record or item; folders are not named like this. */
const NEARLY = /^(?:ADR|OBPI)-[0-9.-]*$/i
const DOCUMENT = /\.(?:md|markdown)$/i

/** Writes a handoff document about a mission; it passes the same checks as with `waybill new`. */
export async function writeHandoff(
  wanted: HandoffWanted,
  store: Store,
  app: App,
): Promise<MissionHandoffParts> {
  const { tenant, mission } = wanted
  const snapshot = await store.tenant(tenant, tx => readSnapshot(tx, mission))
  if (!snapshot) throw new WaybillError('not-found', `there is no mission ${mission}`)
  const { file, adr, item } = placeOf(wanted, app)
  const given = {
    frontmatter: {
      [SESSION_FIELD]: mission,
      ...(item !== undefined && { obpi_id: item }),
    },
    sections: sectionsOf(snapshot, { resume: resumeOf(wanted), tenant: plainTenantFlag(wanted) }),
  }
  const output = await newDocument.run(
    {
      contract: 'handoff-document',
      from: '-',
      slug: slugFor(mission),
      ...(file !== undefined && { file }),
      ...(adr !== undefined && { adr }),
      ...(wanted.agent !== undefined && { agent: wanted.agent }),
      ...(wanted.dryRun && { dryRun: true }),
    },
    silent(app, given),
  )
  return partsOf(output)
}

function slugFor(mission: string): string {
  return `mission-${mission.slice(0, 8)}`
}

/** Returns where the document goes and which decision record it belongs to, as far as known. */
function placeOf({ where, path, adr, mission }: HandoffWanted, { root, cwd, now }: App) {
  const [, number] = ITEM.exec(where) ?? []
  const item = number === undefined ? {} : { item: where.toUpperCase(), adr: `ADR-${number}` }
  const record = RECORD.test(where) ? { adr: where.toUpperCase() } : item
  const known: { file?: string; adr?: string; item?: string } = {
    ...(adr !== undefined && { adr }),
    ...record,
  }
  if (path !== undefined) return { ...known, file: join(root, path) }
  if ('adr' in record) return known
  if (NEARLY.test(where))
    throw new WaybillError('usage', `${quote(where)} is not a decision record or work item`, {
      hint: 'write it like ADR-0.0.25 or OBPI-0.0.25-03, or name a folder',
    })
  const named = resolve(cwd, where)
  if (openFiles(root).kindOf(relative(root, named)) === 'file')
    throw new WaybillError('usage', `${quote(where)} exists already`, {
      hint: 'name a folder, or a file that does not exist yet',
    })
  return {
    ...known,
    file: DOCUMENT.test(where) ? named : join(named, handoffName(now, slugFor(mission))),
  }
}

/** The command that resumes the mission. */
function resumeOf({ path, mission }: HandoffWanted): string {
  return `waybill mission resume ${shellWord(path ?? mission)}`
}

/** The tenant flag for a command; empty when the name would need shell quoting. */
function plainTenantFlag({ tenant }: HandoffWanted): string {
  return /^[\w.-]+$/.test(tenant) ? tenantFlag({ tenant }) : ''
}

/** The same app with the content as standard input and no prompts. */
function silent({ ask: _, ...app }: App, given: unknown): App {
  return { ...app, stdin: async () => new TextEncoder().encode(JSON.stringify(given)) }
}

function partsOf({ path, accepted, missing, diagnostics }: NewOutput): MissionHandoffParts {
  const isReported = ({ code, message }: NewOutput['diagnostics'][number]) =>
    code === 'schema/required' && missing.some(({ field }) => message.includes(quote(field)))
  const errors = diagnostics.filter(one => one.severity === 'error' && !isReported(one))
  return {
    path,
    accepted,
    staleness: null,
    findings: [
      ...missing.map(({ field, what }) => ({
        code: 'mission/handoff-lacks',
        message: `${field} is missing: ${what}`,
        ...(field.includes('adr_id') && { hint: 'name the decision record with --adr' }),
      })),
      ...errors.map(({ code, message, hint }) => ({
        code,
        message,
        ...(hint !== undefined && { hint }),
      })),
    ],
  }
}
