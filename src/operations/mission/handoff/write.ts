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

/** The handoff document that is wanted of a mission. */
export interface HandoffWanted {
  readonly tenant: string
  readonly mission: string
  /** A folder, the file itself, a decision record, or one of its work items. */
  readonly where: string
  readonly adr?: string | undefined
  readonly agent?: string | undefined
  readonly dryRun?: boolean
  /** Where it is to stand, from the root, where that is known. */
  readonly path?: string
}

const ITEM = /^OBPI-([0-9]+\.[0-9]+\.[0-9]+)-[0-9]{2}$/i
const RECORD = /^ADR-[0-9]+\.[0-9]+\.[0-9]+$/i
/** What was meant to be one of them; nobody calls a folder so. */
const NEARLY = /^(?:ADR|OBPI)-[0-9.-]*$/i
const DOCUMENT = /\.(?:md|markdown)$/i

/** Writes what a mission has come to as a handoff document, checked as every other that waybill new writes. */
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

/** Where the document is to stand, and to what it belongs, as far as that was said. */
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
    throw new WaybillError('usage', `${quote(where)} is no decision record and no work item`, {
      hint: 'write it like ADR-0.0.25 or OBPI-0.0.25-03, or name a folder',
    })
  const named = resolve(cwd, where)
  if (openFiles(root).kindOf(relative(root, named)) === 'file')
    throw new WaybillError('usage', `${quote(where)} is a file that is there`, {
      hint: 'name a folder, or a file that is still to be written',
    })
  return {
    ...known,
    file: DOCUMENT.test(where) ? named : join(named, handoffName(now, slugFor(mission))),
  }
}

/** What goes on with it. */
function resumeOf({ path, mission }: HandoffWanted): string {
  return `waybill mission resume ${shellWord(path ?? mission)}`
}

/** What names the tenant behind a verb; one that a shell would take apart is left to whoever types it. */
function plainTenantFlag({ tenant }: HandoffWanted): string {
  return /^[\w.-]+$/.test(tenant) ? tenantFlag({ tenant }) : ''
}

/** The same program, with the content in the place of its standard input, and nobody to ask. */
function silent({ ask: _, ...app }: App, given: unknown): App {
  return { ...app, stdin: async () => new TextEncoder().encode(JSON.stringify(given)) }
}

function partsOf({ path, accepted, missing, diagnostics }: NewOutput): MissionHandoffParts {
  const isTold = ({ code, message }: NewOutput['diagnostics'][number]) =>
    code === 'schema/required' && missing.some(({ field }) => message.includes(quote(field)))
  const errors = diagnostics.filter(one => one.severity === 'error' && !isTold(one))
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
