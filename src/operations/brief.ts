import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import {
  type Lineage,
  type LineageInForce,
  type Member,
  readInForce,
  readLineage,
  realPathOf,
} from '../session/index.ts'
import { loadConfig, openFiles, pathFromRoot } from '../workspace/index.ts'
import { mustSuffice, USUAL_BUDGET } from './brief/budget.ts'
import { composeBrief, type Selection } from './brief/compose.ts'
import { type App, defineOperation } from './operation.ts'
import { newestValid } from './resume/choose.ts'

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
    only: {
      type: 'boolean',
      description: 'Leave out what is in force from the documents that a handoff continues.',
    },
    lineage: {
      type: 'boolean',
      description: 'Include what is in force from those documents (the default).',
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
    'Puts the rules in force first, then decisions in force, next steps, open loops, state, facts and the rest. What ' +
    'is in force comes from the whole lineage of a handoff. Rules are never cut; what else did not fit is listed. ' +
    'Every line from a document is marked as quoted, inherited and unchecked lines as such; a document cannot ' +
    'imitate those marks. Writes nothing. Exits with 1 when a document has errors or a rule does not fit.',
  examples: [
    { command: 'waybill brief', does: 'brief from the newest valid handoff document' },
    {
      command: 'waybill brief --budget 8000',
      does: 'allow twice the usual size',
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
  run: async ({ paths = [], only = false, budget = USUAL_BUDGET }, app) => {
    mustSuffice(budget)
    return composeBrief(await select(paths, only, app), budget, app)
  },
  failed: ({ brief }) => brief === null,
})

async function select(paths: readonly string[], only: boolean, app: App): Promise<Selection> {
  const { ignore, headings } = await loadConfig(app.root)
  const also = paths.flatMap(path => handoffAt(path, app) ?? [])
  if (paths.length > 0 && also.length === 0) return { paths }
  const lineage = await readLineage(app.root, { ignore, headings, also })
  const named = lineage.members.filter(({ path, handoff }) => handoff && also.includes(path))
  const heads = paths.length === 0 ? [await newest(lineage, app)] : named.toReversed()
  const found: LineageInForce[] = []
  for (const head of heads)
    if (!found.some(({ documents }) => documents.some(({ path }) => path === head.path)))
      found.push(readInForce(app.root, head, lineage, { only }))
  return {
    paths: paths.length === 0 ? heads.map(({ path }) => join(app.root, path)) : paths,
    ...(found.length > 0 && { inForce: together(found) }),
    ...(heads[0] && { head: heads[0].path }),
  }
}

/** What holds in several lineages. */
function together(found: readonly LineageInForce[]): LineageInForce {
  const items = found.flatMap(one => one.items)
  return {
    items: KINDS.flatMap(kind => items.filter(item => item.kind === kind)),
    ended: found.flatMap(({ ended }) => ended),
    conflicts: found.flatMap(({ conflicts }) => conflicts),
    documents: found.flatMap(({ documents }) => documents),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
    elsewhere: found.flatMap(({ elsewhere }) => elsewhere),
  }
}

const KINDS = ['rule', 'decision', 'fact']

/** Returns the path from the root of a Markdown file. */
function handoffAt(name: string, { root, cwd }: App): string | undefined {
  if (!/\.(?:md|markdown)$/i.test(name)) return undefined
  const path = pathFromRoot(name, { root, cwd })
  return openFiles(root).kindOf(path) === 'file' ? realPathOf(root, path) : undefined
}

async function newest(lineage: Lineage, app: App): Promise<Member> {
  const { newest } = await newestValid(lineage, app)
  if (newest) return newest.member
  throw new WaybillError('not-found', 'no valid handoff document to brief from', {
    hint: 'name a document; run waybill check to see the errors in existing ones',
  })
}
