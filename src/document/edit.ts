import { applyEdits, modify } from 'jsonc-parser'
import { type Change, impossible, type Json, partOf, withChange } from './change.ts'
import type { Format } from './document.ts'
import { readJson } from './json.ts'
import { editYaml } from './yaml-edit.ts'

/** Edits a JSON or YAML text by path, as `editYaml` does, and keeps everything else. */
export function editDocument(text: string, format: Format, changes: readonly Change[]): string {
  return format === 'json' ? changes.reduce(editedJson, text) : editYaml(text, changes)
}

function editedJson(text: string, change: Change): string {
  const { value, faults } = readJson(text)
  if (faults.length > 0) throw impossible(change, 'the text cannot be read')
  // Text without faults parses to a plain value.
  const old = value as Json
  const wanted = JSON.stringify(withChange(old, change))
  if (wanted === JSON.stringify(old)) return text
  const { path, value: part } = reachable(old, change)
  const result = applyEdits(
    text,
    modify(text, [...path], part, { formattingOptions: styleOf(text) }),
  )
  const after = readJson(result)
  if (after.faults.length === 0 && JSON.stringify(after.value) === wanted) return result
  throw impossible(change, 'the edit would affect other parts of the text')
}

/** A change that ends at an existing part or next to one: null on the way becomes a list or object. */
function reachable(old: Json, change: Change): { path: Change['path']; value: Json | undefined } {
  if ('remove' in change) return { path: change.path, value: undefined }
  let place: Json | undefined = old
  for (const [depth, segment] of change.path.entries()) {
    if (place === null) {
      const path = change.path.slice(0, depth)
      const rest = { path: change.path.slice(depth), value: change.value }
      return { path, value: withChange(null, rest) }
    }
    if (place === undefined) break
    place = partOf(place, segment)
  }
  return { path: change.path, value: change.value }
}

/** Indentation as in the first indented line. */
function styleOf(text: string) {
  const [, indent = '  '] = /[\r\n]([ \t]+)"/.exec(text) ?? []
  const eol = /\r\n?|\n/.exec(text)?.[0] ?? '\n'
  return { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol }
}
