import type { Json } from './change.ts'
import { hasBlock, type Layout, writeBlock, writeFlow } from './yaml-write.ts'

const LAYOUT: Layout = { step: 2, sequenceStep: 2, quotes: 'double' }

/** Formats a value as a YAML text that readers of YAML 1.1 and 1.2 understand alike. */
export function formatYaml(value: Json): string {
  const lines = hasBlock(value) ? writeBlock(value, 0, LAYOUT) : [writeFlow(value, LAYOUT)]
  return `${lines.join('\n')}\n`
}
