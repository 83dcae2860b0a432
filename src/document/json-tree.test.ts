import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locateJson } from './json-locate.ts'
import { sourceTree } from './json-tree.ts'
import type { SourceNode } from './source-tree.ts'

/** The shape and places of a tree, without its scalar values. */
function outline(node: SourceNode | undefined): unknown {
  if (!node) return undefined
  const { start, end } = node.span
  if (node.kind === 'object')
    return [start, end, node.members.map(m => [m.key.span, m.key.value, outline(m.value)])]
  return node.kind === 'array' ? [start, end, node.items.map(outline)] : [start, end]
}

const spaced = fc.tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t', '    '))

test('the tree of a valid text has the places that a full parser finds', () => {
  fc.assert(
    fc.property(spaced, fc.constantFrom('', ' ', '\r\n\t'), ([value, indent], around) => {
      const text = `${around}${JSON.stringify(value, null, indent)}${around}`
      expect(outline(sourceTree(text))).toEqual(outline(locateJson(text).root))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '{}',
  '[]',
  '[[],{}]',
  '{"":{"a":[1,"]}",null]},"b":"\\""}',
  ' 1e5 ',
  '{"\\u0061\\"":{"\\\\":1},"b" :2}',
  '"x"',
  '[true , false]',
])('%s is read like any other', text => {
  expect(outline(sourceTree(text))).toEqual(outline(locateJson(text).root))
})
