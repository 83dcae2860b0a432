import { digestValue } from '../digest.ts'
import type { ReadEntry } from '../entries/entry.ts'
import { type EntrySummary, partsOf, textOf } from '../entries/summary.ts'

/** A log key that leads to another entry, and how the entries are related. */
export interface Link {
  readonly key: string
  readonly via: string
}

/**
 * Returns the links of an entry: to entries about the same handoff, record or artifact, the entry it is about,
 * statements about it, and the handoffs before and after it. Not by agent, session or mission: those link everything
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
    ...named('digest', ids.entry, 'its subject'),
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
    // A sent handoff names this entry, and others know it by the digest that includes the name.
    const parts = { ...partsOf(governance), audit_trail: `${origin}#${digest}` }
    const whole = digestValue({ ...partsOf(document), governance: parts })
    if (typeof whole === 'string')
      links.push(
        ...named('id', whole, 'the handoff after'),
        ...named('digest', whole, 'the received handoff'),
      )
  }
  return links
}

function named(space: 'id' | 'digest', value: string | undefined, via: string): Link[] {
  return value === undefined ? [] : [{ key: `${space}:${value}`, via }]
}
