import { digestValue } from '../digest.ts'
import type { ReadEntry } from '../entries/entry.ts'
import { type EntrySummary, partsOf, textOf } from '../entries/summary.ts'

/** By which key of the log another entry is reached, and what ties it to this one. */
export interface Link {
  readonly key: string
  readonly via: string
}

/**
 * What an entry is tied to: other entries about the same handoff, record or artifact, the entry that it is about, what
 * was stated about it, and the handoffs before and after it. Not its agents, session or mission: those tie everything
 * to everything.
 */
export function linksOf(summary: EntrySummary, entry: ReadEntry, origin: string): readonly Link[] {
  const { ids, digest } = summary
  return [
    ...named('id', ids.handoff, 'the same handoff'),
    ...named('id', ids.record, 'the same record'),
    ...named('id', ids.document, 'the same document'),
    ...named('id', ids.decision, 'the same write-back'),
    ...(ids.artifacts ?? []).flatMap(id => named('id', id, 'the same artifact')),
    ...named('digest', ids.entry, 'what that is about'),
    ...named('id', digest ?? undefined, 'stated about it'),
    ...named('digest', ids.previous, 'the handoff before'),
    ...(entry.is === 'entry' ? linksOfStatement(entry, origin) : []),
  ]
}

function linksOfStatement(
  { kind, digest, statement }: Extract<ReadEntry, { is: 'entry' }>,
  origin: string,
): Link[] {
  if (!kind?.startsWith('handoff-')) return []
  const { document } = statement.predicate
  const { governance } = partsOf(document)
  const trail = textOf(partsOf(governance).audit_trail)
  const links = statement.subject.flatMap(({ name, digest: { sha256 } }) => [
    ...named('digest', sha256, 'the same document'),
    ...(name === 'handoff' ? named('id', sha256, 'the handoff after') : []),
  ])
  if (trail?.startsWith(`${origin}#`))
    links.push(...named('digest', trail.slice(origin.length + 1), 'its audit trail'))
  if (kind === 'handoff-sent') {
    // What went out names this entry, and only as such has it the digest that others know it by.
    const parts = { ...partsOf(governance), audit_trail: `${origin}#${digest}` }
    const whole = digestValue({ ...partsOf(document), governance: parts })
    if (typeof whole === 'string')
      links.push(
        ...named('id', whole, 'the handoff after'),
        ...named('digest', whole, 'as it arrived'),
      )
  }
  return links
}

function named(space: 'id' | 'digest', value: string | undefined, via: string): Link[] {
  return value === undefined ? [] : [{ key: `${space}:${value}`, via }]
}
