import { changesSince, classifyStaleness } from '../../contracts/index.ts'
import { parseInstant } from '../../document/index.ts'
import type { Section } from './output.ts'
import { fieldsOf, lines, listOf, said } from './said.ts'
import type { Body, ViewContext } from './view.ts'

/** Describes a handoff document: its staleness and its sections. */
export function describeHandoffDocument(
  value: unknown,
  { now, drift, ageLimits }: ViewContext,
): Body {
  const document = fieldsOf(value)
  const { mode, adr_id, obpi_id, branch, session_id, timestamp } = fieldsOf(document.frontmatter)
  const time = typeof timestamp === 'string' ? parseInstant(timestamp) : undefined
  const stale = time === undefined ? undefined : classifyStaleness(now - time, ageLimits)
  return {
    facts: lines(
      ['Staleness', stale && `${stale.staleness}: ${stale.reason}`],
      ['Changes', drift && changesSince(drift)],
      ['Mode', mode],
      ['Decision', adr_id],
      ['Work item', obpi_id],
      ['Branch', branch],
      ['Session', session_id],
    ),
    sections: listOf(document.sections).flatMap(section),
  }
}

function section(value: unknown): Section[] {
  const { title, level, body } = fieldsOf(value)
  const text = withoutBlankEnds(said(body) ?? '')
  // The document's title has no text of its own.
  return [{ title: said(title) ?? '', ...((text || level !== 1) && { text }) }]
}

function withoutBlankEnds(text: string): string {
  const lines = text.split(/\r?\n/)
  const first = lines.findIndex(line => line.trim() !== '')
  return first < 0 ? '' : lines.slice(first).join('\n').trimEnd()
}
