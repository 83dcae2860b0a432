import type { Reading } from './document.ts'
import { locator, type SourceNode } from './source-tree.ts'
import { YamlParts } from './yaml-parts.ts'
import { readPlainYaml } from './yaml-plain.ts'

/** Parses a plain YAML text without the parser, and again for positions when needed. */
export function readPlainly(text: string): Reading | undefined {
  const value = readPlainYaml(text)
  return value && { value, faults: [], locate: locator(() => plainTree(text), text, true) }
}

function plainTree(text: string): SourceNode | undefined {
  const parts = new YamlParts()
  readPlainYaml(text, parts)
  return parts.root
}
