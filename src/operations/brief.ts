import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import { ancestorsOf, type Lineage, type Member, readLineage } from '../session/index.ts'
import { loadConfig } from '../workspace/index.ts'
import { composeBrief, type Selection } from './brief/compose.ts'
import { LEAST_BUDGET } from './brief/fit.ts'
import { pathUnderRoot } from './chain/named.ts'
import { type App, defineOperation } from './operation.ts'
import { newestValid } from './resume/choose.ts'

const USUAL_BUDGET = 4000

const input = {
  type: 'object',
  properties: {
    paths: {
      type: 'array',
      items: { type: 'string' },
      positional: true,
      path: true,
      placeholder: 'path',
      description:
        'Documents, blocks (path#L12) or folders (default: the newest valid handoff document).',
    },
    lineage: {
      type: 'boolean',
      description:
        'Include the documents that the first one continues, back to the start of the chain.',
    },
    budget: {
      type: 'integer',
      placeholder: 'tokens',
      description: `The maximum size of the brief; a token is 3.5 bytes (default: ${USUAL_BUDGET}).`,
    },
  },
} as const

/** Renders a brief for the next agent, within a budget of tokens. */
export default defineOperation({
  name: 'brief',
  summary: 'Print what the next agent must read, within a budget of tokens',
  description:
    'Puts goal, decisions and blockers first, then next steps, then the rest, and lists what did not fit. Every ' +
    'line from a document is marked as quoted, inherited and unchecked lines as such; a document cannot imitate ' +
    'those marks. Writes nothing. Exits with 1 when a document has errors.',
  examples: [
    { command: 'waybill brief', does: 'brief from the newest valid handoff document' },
    {
      command: 'waybill brief --lineage --budget 8000',
      does: 'include the documents it continues',
    },
    {
      command: 'waybill brief missions/m-17 SESSION_STATE.yaml',
      does: 'brief from a mission and a state',
    },
  ],
  actor: 'any',
  effect: 'read',
  rootOf: 'documents',
  input,
  run: async ({ paths = [], lineage = false, budget = USUAL_BUDGET }, app) => {
    mustSuffice(budget)
    return composeBrief(await select(paths, lineage, app), budget, app)
  },
  failed: ({ brief }) => brief === null,
})

function mustSuffice(budget: number): void {
  if (Number.isSafeInteger(budget) && budget >= LEAST_BUDGET) return
  throw new WaybillError('usage', `a brief needs a budget of at least ${LEAST_BUDGET} tokens`)
}

/** Limits the files read: old documents add little, and each is read whole. */
const MOST_INHERITED = 100

async function select(paths: readonly string[], lineage: boolean, app: App): Promise<Selection> {
  if (paths.length > 0 && !lineage) return { paths, inherited: [], unread: 0 }
  const [named] = paths
  const also = named === undefined ? [] : [pathUnderRoot(named, app)]
  const config = await loadConfig(app.root)
  const known = await readLineage(app.root, {
    ignore: config.ignore,
    headings: config.headings,
    also,
  })
  const [path] = also
  const head = path === undefined ? await newest(known, app) : known.byPath.get(path)
  if (!head?.handoff) throw noLineage(named)
  const line = lineage ? ancestorsOf(head).toReversed() : []
  const files = (members: readonly Member[]) => members.map(({ path }) => join(app.root, path))
  return {
    paths: [...files([head]), ...paths.slice(1)],
    inherited: files(line.slice(0, MOST_INHERITED)),
    unread: Math.max(0, line.length - MOST_INHERITED),
  }
}

async function newest(lineage: Lineage, app: App): Promise<Member> {
  const { newest } = await newestValid(lineage, app)
  if (newest) return newest.member
  throw new WaybillError('not-found', 'no valid handoff document to brief from', {
    hint: 'name a document; run waybill check to see the errors in existing ones',
  })
}

function noLineage(name: string | undefined): WaybillError {
  return new WaybillError(
    'usage',
    `${name} is not a handoff document or note; only those have a lineage`,
  )
}
