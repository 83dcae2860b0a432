import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '../error.ts'
import { readInForce, readLineage } from '../session/index.ts'
import { loadConfig } from '../workspace/index.ts'
import type { ReportForPeople } from './check/report.ts'
import check, { checkForPeople } from './check.ts'
import { cleansed } from './in-force/report.ts'
import { type App, defineOperation } from './operation.ts'
import type { ListedDocument, ShowOutput } from './show/output.ts'
import { titleOf, type ViewForPeople, viewsOf } from './show/views.ts'

/** With more documents, a file is listed instead of shown. */
const MOST_SHOWN = 3

/** The output of `show` for people. */
export interface ShowForPeople extends ShowOutput {
  readonly documents: readonly ViewForPeople[]
}

const input = {
  type: 'object',
  required: ['path'],
  properties: {
    path: {
      type: 'string',
      positional: true,
      path: true,
      description: 'The document; path#L12 for a code block in Markdown; - reads standard input.',
    },
  },
} as const

/** Shows a document in readable form and what is wrong with it. */
export default defineOperation({
  name: 'show',
  summary: 'Show one document in readable form',
  description:
    'Shows the sender, recipient, time and confidence, the content in reading order, and its errors. Of an invalid ' +
    'document, shows what is readable. Secrets are masked. Exits with 1 when a document has errors.',
  examples: [
    {
      command: 'waybill show handoffs/2026-02-11T14-30-00Z-schema.md',
      does: 'read a handoff document',
    },
    { command: 'waybill show notes.md#L12', does: 'read the code block that starts in line 12' },
    { command: 'waybill show context.json --format json', does: 'print it as data' },
  ],
  actor: 'any',
  effect: 'read',
  rootOf: 'documents',
  input,
  run: ({ path }, app): Promise<ShowOutput> => show(path, app, false),
  failed: ({ documents, listed }) => [...documents, ...listed].some(d => !d.accepted),
})

/** Like `show`, with the source line and reason of each diagnostic. */
export function showForPeople(
  { path }: { readonly path: string },
  app: App,
): Promise<ShowForPeople> {
  return show(path, app, true)
}

async function show(path: string, app: App, people: boolean): Promise<ShowForPeople> {
  const { file, block } = readAddress(path, app)
  const bytes = file === '-' ? await app.stdin() : undefined
  const once = bytes ? { ...app, stdin: () => Promise.resolve(bytes) } : app
  const reports = (await (people ? checkForPeople : check.run)({ paths: [file] }, once)).documents
  const chosen =
    block === undefined ? reports : reports.filter(report => report.path.endsWith(block))
  if (chosen.length === 0) {
    const blocks = reports.map(report => report.path.replace(/^.*#/, '#')).join(', ')
    throw new WaybillError(
      'not-found',
      `no document starts in line ${block?.slice(2)} of ${file}`,
      {
        hint: `name the line of the opening fence: ${blocks}`,
      },
    )
  }
  if (chosen.length > MOST_SHOWN) return { documents: [], listed: chosen.map(listed) }
  const views = await viewsOf(file, chosen, once)
  return { documents: await Promise.all(views.map(view => withInherited(view, app))), listed: [] }
}

/** Adds what is in force from earlier handoffs to the view of a handoff document. */
async function withInherited(view: ViewForPeople, app: App): Promise<ViewForPeople> {
  const { path, contract } = view
  if (contract !== 'handoff-document') return view
  const { ignore } = await loadConfig(app.root)
  const lineage = await readLineage(app.root, { ignore })
  const member = lineage.byPath.get(path)
  if (!member) return view
  const { items } = readInForce(app.root, member, lineage)
  const inherited = cleansed(items.filter(({ since }) => since.path !== path))
  if (inherited.length === 0) return view
  const entries = inherited.map(({ id, kind, text, since }) => ({
    id,
    marks: [kind],
    text,
    details: [{ label: 'Since', value: `${since.path}:${since.line}` }],
  }))
  return { ...view, sections: [...view.sections, { title: 'In force before', items: entries }] }
}

/** Splits off `#L…` unless a file with that exact name exists. */
function readAddress(path: string, { cwd }: App): { file: string; block?: string } {
  const [, file = path, block] = /^(.+)(#L[0-9]+)$/.exec(path) ?? []
  const whole = block === undefined || existsSync(resolve(cwd, path))
  const name = whole ? path : file
  if (name !== '-' && isFolder(resolve(cwd, name))) {
    throw new WaybillError('usage', `${name} is a folder, but show reads one document`, {
      hint: `waybill check ${name} checks all of its documents`,
    })
  }
  return { file: name, ...(!whole && { block }) }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    // The check reports why.
    return false
  }
}

function listed({ path, contract, accepted }: ReportForPeople): ListedDocument {
  return { path, contract, title: titleOf(contract), accepted }
}
