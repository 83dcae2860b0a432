import { mergeConflict, sketch } from './decode.ts'
import type { Documents, Fault, Format, Reading } from './document.ts'
import { readJson } from './json.ts'
import { lineIndex } from './position.ts'

/**
 * Parses a text into its documents.
 *
 * Decoding faults and conflict markers replace the faults that parsing would report, since they cause them. The parsers
 * of YAML and Markdown are loaded on first use.
 */
export async function readDocuments(
  text: string,
  format: Format,
  decoding: readonly Fault[] = [],
): Promise<Documents> {
  const range = lineIndex(text).rangeOf
  const conflict = decoding.length === 0 ? mergeConflict(text) : undefined
  const instead = conflict ? [conflict] : decoding
  if (instead.length > 0)
    return { documents: [{ ...unreadable(text, instead), format, text, range }], ignored: 0 }
  if (format !== 'markdown') {
    const reading =
      format === 'json'
        ? readJson(text)
        : await (await import('./yaml-reading.ts')).readYamlText(text)
    return { documents: [{ ...reading, format, text, range }], ignored: 0 }
  }
  const { readMarkdownDocuments } = await import('./markdown-document.ts')
  return readMarkdownDocuments(text, range)
}

function unreadable(text: string, faults: readonly Fault[]): Reading {
  const span = faults[0]?.span ?? { start: 0, end: 0 }
  return { value: sketch(text), faults, locate: () => span }
}
