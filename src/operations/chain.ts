import { WaybillError } from '../error.ts'
import {
  familiesOf,
  type InForce,
  type Lineage,
  lineOf,
  type Member,
  problemsOf,
  readAllInForce,
  readInForce,
  readLineage,
} from '../session/index.ts'
import { loadConfig } from '../workspace/index.ts'
import { drawChain } from './chain/draw.ts'
import { maskFields, maskTexts } from './chain/mask.ts'
import { pathUnderRoot } from './chain/named.ts'
import type { ChainMember, ChainOutput, ChainProblem } from './chain/output.ts'
import { cleansed, conflictOutput, statementOutput, supersededOutput } from './in-force/report.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      positional: true,
      path: true,
      placeholder: 'file',
      description: 'The document whose chain to show (default: all chains of the repository).',
    },
    as: {
      type: 'string',
      enum: ['text', 'mermaid', 'svg'],
      placeholder: 'form',
      description: 'The output form (default: text).',
    },
  },
} as const

/** Shows which handoff documents of a repository continue which. */
export default defineOperation({
  name: 'chain',
  summary: 'Show which handoff continues which, oldest first',
  description:
    'Shows all handoff documents that .gitignore does not exclude, or one document with its ancestors and ' +
    'descendants. Reports forks, merges and unconnected documents, and which decisions and rules were superseded. Drafts do not count. Writes nothing. Exits with ' +
    '1 when a link is broken: its document is missing, outside of the repository, newer, part of a circle, or ' +
    'unreadable.',
  examples: [
    { command: 'waybill chain', does: 'show every chain of this repository' },
    {
      command: 'waybill chain handoffs/2026-02-11T14-30-00Z-schema.md',
      does: 'show the ancestors and descendants of one document',
    },
    { command: 'waybill chain --as mermaid', does: 'draw it for a Markdown page' },
    { command: 'waybill chain --as svg > chain.svg', does: 'draw it as a picture' },
  ],
  actor: 'any',
  effect: 'read',
  rootOf: 'documents',
  input,
  run: (given, app) => chain(given, app),
  failed: ({ whole }) => !whole,
})

async function chain({ path, as }: TypeOf<typeof input>, app: App): Promise<ChainOutput> {
  const { ignore, headings } = await loadConfig(app.root)
  const about = path === undefined ? undefined : pathUnderRoot(path, app)
  const lineage = await readLineage(app.root, {
    ignore,
    headings,
    ...(about !== undefined && { also: [about] }),
  })
  const line = about === undefined ? undefined : lineOf(mustBeMember(about, lineage), lineage)
  const members = lineage.members.filter(member => line?.has(member) ?? true)
  const families = familyNumbers(lineage, members)
  const problems = problemsOf(lineage)
    .filter(({ documents }) => !line || isAbout(documents, line, lineage))
    .map(problemOf)
  const named = about === undefined ? undefined : lineage.byPath.get(about)
  const stated = named
    ? [readInForce(app.root, named, lineage)]
    : familiesOf(lineage).map(family => readAllInForce(app.root, family.members, lineage))
  const documents = members.map(member => memberOf(member, families.get(member) ?? 0))
  return {
    about: about ?? null,
    documents,
    families: new Set(families.values()).size,
    problems,
    whole: problems.every(({ severity }) => severity !== 'error'),
    ...statedBy(stated),
    drawing: as === undefined || as === 'text' ? null : drawChain(documents, problems, as),
  }
}

/** Returns what holds in the shown chains, and what no longer does. */
function statedBy(
  read: readonly InForce[],
): Pick<ChainOutput, 'inForce' | 'superseded' | 'conflicts'> {
  return {
    inForce: read.flatMap(({ items }) => cleansed(items).map(statementOutput)),
    superseded: read.flatMap(({ ended }) => supersededOutput(ended)),
    conflicts: read.flatMap(({ conflicts }) => conflicts.map(conflictOutput)),
  }
}

function mustBeMember(path: string, lineage: Lineage): Member {
  const member = lineage.byPath.get(path)
  if (member?.handoff) return member
  throw new WaybillError('usage', `${path} is not a handoff document or note, or is a draft`, {
    hint: 'run waybill chain to list them; waybill adopt makes a note of a file in another shape',
  })
}

function isAbout(
  documents: readonly string[],
  line: ReadonlySet<Member>,
  { byPath }: Lineage,
): boolean {
  return documents.some(path => {
    const member = byPath.get(path)
    // A problem with something else, such as an unreadable folder, concerns every document.
    return !member || line.has(member)
  })
}

/** Numbers the shown families in the order of their oldest documents. */
function familyNumbers(lineage: Lineage, shown: readonly Member[]): ReadonlyMap<Member, number> {
  const wanted = new Set(shown)
  const numbers = new Map<Member, number>()
  let number = 0
  for (const { members } of familiesOf(lineage)) {
    const own = members.filter(member => wanted.has(member))
    for (const member of own) numbers.set(member, number)
    if (own.length > 0) number++
  }
  return numbers
}

function problemOf(problem: ReturnType<typeof problemsOf>[number]): ChainProblem {
  return { ...problem, documents: maskTexts(problem.documents) }
}

function memberOf(member: Member, family: number): ChainMember {
  const fields = {
    path: member.path,
    timestamp: member.timestamp ?? null,
    mode: member.mode ?? null,
    adr: member.adr ?? null,
    branch: member.branch ?? null,
    agent: member.agent ?? null,
    session: member.session ?? null,
    title: member.title ?? null,
    continuesFrom: member.continuesFrom ?? null,
    predecessor: member.predecessor?.path ?? null,
  }
  return { ...maskFields(fields), family, handoff: member.handoff }
}
