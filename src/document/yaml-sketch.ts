import type { Member, ScalarNode, SourceNode } from './source-tree.ts'

const ROOT_KEY = /^([A-Za-z_$][\w$-]*):(?:[ \t]+(.*))?$/gm
const NO_PLAIN_STRING = /^[#|>&*!%@`{}[\],]/

/**
 * The root keys that an invalid YAML text seems to have, each with the string on its line or null: enough to recognise
 * the document.
 */
export function sketchYaml(text: string): SourceNode | undefined {
  const members = new Map<string, Member>()
  for (const { index, 0: line, 1: key = '', 2: rest = '' } of text.matchAll(ROOT_KEY)) {
    if (members.has(key)) continue
    const keySpan = { start: index, end: index + key.length }
    members.set(key, {
      key: { kind: 'scalar', span: keySpan, value: key },
      value: readRest(rest, index + line.length - rest.length),
    })
  }
  if (members.size === 0) return undefined
  return { kind: 'object', span: { start: 0, end: text.length }, members: [...members.values()] }
}

function readRest(rest: string, start: number): ScalarNode {
  const quote = rest.charAt(0)
  if (quote === '"' || quote === "'") {
    const close = rest.indexOf(quote, 1)
    if (close < 0) return scalar(null, start, 0)
    return scalar(rest.slice(1, close), start, close + 1)
  }
  if (NO_PLAIN_STRING.test(rest)) return scalar(null, start, 0)
  const comment = rest.search(/[ \t]#/)
  const plain = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd()
  return scalar(plain || null, start, plain.length)
}

function scalar(value: string | null, start: number, length: number): ScalarNode {
  return { kind: 'scalar', span: { start, end: start + length }, value }
}
