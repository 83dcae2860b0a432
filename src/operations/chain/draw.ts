import { type Drawing, drawMermaid, drawSvg, type NodeStatus } from '../../session/index.ts'
import { subjectsOf } from './broken.ts'
import type { ChainMember, ChainProblem } from './output.ts'

/** Draws a chain with the oldest documents on top; the missing target of a link is drawn too. */
export function drawChain(
  documents: readonly ChainMember[],
  problems: readonly ChainProblem[],
  as: 'mermaid' | 'svg',
): string {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const broken = new Set(errors.flatMap(subjectsOf))
  const continued = new Set(documents.map(({ predecessor }) => predecessor))
  const nodes = documents.map(member => ({
    id: member.path,
    label: labelOf(member),
    status: statusOf(member, broken.has(member.path), continued.has(member.path)),
  }))
  const lost = documents.filter(
    ({ predecessor, continuesFrom }) => predecessor === null && continuesFrom !== null,
  )
  const drawing: Drawing = {
    direction: 'down',
    nodes: [
      ...nodes,
      ...lost.map(({ path, continuesFrom }) => ({
        id: beforeOf(path),
        label: continuesFrom ?? '',
        status: 'missing' as const,
      })),
    ],
    edges: documents.flatMap(({ path, predecessor, continuesFrom }) =>
      continuesFrom === null ? [] : [{ from: predecessor ?? beforeOf(path), to: path }],
    ),
  }
  return as === 'mermaid'
    ? drawMermaid(drawing)
    : drawSvg(drawing, 'Handoffs and their predecessors')
}

/** NUL occurs in no path. */
function beforeOf(path: string): string {
  return `${path}\0`
}

function labelOf({ path, agent, title }: ChainMember): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return [name, agent, title].filter(part => part !== null && part !== '').join('\n')
}

function statusOf({ handoff }: ChainMember, broken: boolean, continued: boolean): NodeStatus {
  if (broken) return 'failed'
  if (!handoff) return 'waiting'
  return continued ? 'done' : 'active'
}
