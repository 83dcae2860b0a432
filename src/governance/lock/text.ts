import type { Json, Locate, Path } from '../../document/index.ts'

/** A lockfile as written. */
export interface WrittenLock {
  readonly text: string
  readonly value: Json
  readonly locate: Locate
}

/** The layout of the current lockfile; two spaces for a new one. */
interface Layout {
  readonly indent: string
  readonly eol: string
  readonly old: WrittenLock | undefined
}

/**
 * Returns the text of a lockfile.
 *
 * Unchanged parts keep their bytes; an unchanged lockfile keeps its text.
 */
export function lockText(next: Json, old?: WrittenLock): string {
  if (old && JSON.stringify(old.value) === JSON.stringify(next)) return old.text
  const layout = layoutOf(old)
  return `${write(next, old?.value, { path: [], margin: '' }, layout)}${layout.eol}`
}

function layoutOf(old: WrittenLock | undefined): Layout {
  // The first indented line sets the indent.
  const [, indent = '  '] = /[\r\n]([ \t]+)"/.exec(old?.text ?? '') ?? []
  return { indent, eol: old?.text.includes('\r\n') ? '\r\n' : '\n', old }
}

interface Place {
  readonly path: Path
  readonly margin: string
}

function write(value: Json, was: Json | undefined, place: Place, layout: Layout): string {
  const written = JSON.stringify(value)
  if (was !== undefined && layout.old && JSON.stringify(was) === written)
    return sliceOf(layout.old, place.path, 'value')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return written
  const margin = place.margin + layout.indent
  const members = Object.entries(value as Readonly<Record<string, Json>>).map(([key, part]) => {
    const path = [...place.path, key]
    const before = memberOf(was, key)
    const name =
      before !== undefined && layout.old ? sliceOf(layout.old, path, 'key') : JSON.stringify(key)
    return `${margin}${name}: ${write(part, before, { path, margin }, layout)}`
  })
  const { eol } = layout
  return members.length === 0 ? '{}' : `{${eol}${members.join(`,${eol}`)}${eol}${place.margin}}`
}

function sliceOf({ text, locate }: WrittenLock, path: Path, part: 'key' | 'value'): string {
  const { start, end } = locate(path, part)
  return text.slice(start, end)
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const members = value as Readonly<Record<string, Json>>
  return Object.hasOwn(members, key) ? members[key] : undefined
}
