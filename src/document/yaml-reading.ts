import type { Reading } from './document.ts'
import { readPlainly } from './yaml-plainly.ts'

/** Parses a YAML text as `readYaml` does; the parser is loaded for the first text that is not plain. */
export async function readYamlText(text: string, firstLine = 0): Promise<Reading> {
  return readPlainly(text) ?? (await import('./yaml.ts')).readByParser(text, firstLine)
}
