import { type Event, parseEvents, YAMLException } from 'js-yaml'
import { ambiguities, inTextOrder } from './ambiguity.ts'
import type { Fault, Reading } from './document.ts'
import { MAX_DEPTH } from './json-scan.ts'
import { locator, type SourceNode, toValue } from './source-tree.ts'
import { readPlainly } from './yaml-plainly.ts'
import { sketchYaml } from './yaml-sketch.ts'
import { yamlTree } from './yaml-tree.ts'
import { emptyFault, parserFault } from './yaml-wording.ts'

/**
 * Parses a YAML text (1.2, core schema, one document, no aliases) without a byte order mark.
 *
 * Most texts are plain and need no parser. A text that the parser rejects yields a sketch of its root keys. `firstLine`
 * is the number of lines above the text in its file.
 */
export function readYaml(text: string, firstLine = 0): Reading {
  return readPlainly(text) ?? readByParser(text, firstLine)
}

/** Parses a YAML text with the parser only. */
export function readByParser(text: string, firstLine = 0): Reading {
  let events: Event[]
  try {
    // The parser counts a scalar as a level, and also the attempt to read a flow collection as a key; the tree counts
    // exactly.
    events = parseEvents(text, { maxDepth: MAX_DEPTH + 2 })
  } catch (error) {
    return reading(sketchYaml(text), [refusal(error, text)], text)
  }
  const { root, faults } = yamlTree(text, events)
  if (!root) {
    const empty = emptyFault({ start: 0, end: text.length })
    return reading(root, faults.length > 0 ? faults : [empty], text)
  }
  return reading(root, inTextOrder([...faults, ...ambiguities(root, text, firstLine)]), text)
}

function reading(root: SourceNode | undefined, faults: readonly Fault[], text: string): Reading {
  return { value: root && toValue(root), faults, locate: locator(() => root, text) }
}

function refusal(error: unknown, text: string): Fault {
  const known = error instanceof YAMLException
  return parserFault(
    known ? error.reason : 'it cannot be parsed',
    (known && error.mark?.position) || 0,
    text,
  )
}
