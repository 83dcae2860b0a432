import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADAPTERS, installOf, put, takeOut } from '../index.ts'

const files = (
  await Promise.all(
    Object.values(ADAPTERS).flatMap(adapter =>
      [false, true].map(async isLocal => (await installOf(adapter, isLocal)).files),
    ),
  )
).flat()
const jsonFiles = files.filter(({ kind }) => kind === 'json')
const blockFiles = files.filter(({ kind }) => kind === 'block')

const name = fc.constantFrom('a', 'b "c"', 'Stop', 'PreToolUse', 'waybill', 'other')
const group = fc.record(
  { matcher: fc.string(), hooks: fc.array(fc.record({ command: fc.string() })) },
  { requiredKeys: [] },
)
const hooks = fc.dictionary(name, fc.array(group, { maxLength: 3 }), { maxKeys: 3 })
const servers = fc.dictionary(fc.constantFrom('other', 'x'), fc.jsonValue(), { maxKeys: 2 })
const settings = fc.record(
  { hooks, mcpServers: servers, mcp: servers, model: fc.jsonValue(), _: fc.jsonValue() },
  { requiredKeys: [] },
)
const form = fc.record({
  indent: fc.constantFrom<string | number>(0, 1, 2, 4, '\t'),
  end: fc.constantFrom('\n', '\r\n'),
  last: fc.constantFrom('', '\n', '\n\n'),
})

test('what is put into any JSON settings, once or twice, keeps every value and leaves no byte behind', () => {
  fc.assert(
    fc.property(
      settings,
      form,
      fc.constantFrom(...jsonFiles),
      (value, { indent, end, last }, file) => {
        const text = (JSON.stringify(value, null, indent) + last).replaceAll('\n', end)
        const merged = put(text, file) ?? ''
        expect(merged).not.toBe(text)
        expect(put(merged, file)).toBe(merged)
        expect(holds(JSON.parse(merged), JSON.parse(text))).toBe(true)
        expect(takeOut(merged, file)).toBe(text)
        expect(takeOut(text, file)).toBe(text)
      },
    ),
  )
})

/** Whether a value has all that another has, lists in the same order from their beginning. */
function holds(value: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return value === part
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(part).every(([key, inner]) => holds((value as never)[key], inner))
}

test('what is put into any instructions, once or twice, leaves no byte behind', () => {
  const line = fc.constantFrom('', '# Title', ' text', '```', '<!-- x -->')
  const text = fc
    .tuple(fc.array(line), fc.constantFrom('\n', '\r\n'))
    .map(([lines, end]) => lines.join(end))
    .filter(text => text !== '')
  fc.assert(
    fc.property(text, fc.constantFrom(...blockFiles), (before, file) => {
      const merged = put(before, file) ?? ''
      expect(merged.startsWith(before)).toBe(true)
      expect(put(merged, file)).toBe(merged)
      expect(takeOut(merged, file)).toBe(before)
    }),
  )
})

test('a file that has to be there first stays, even empty', () => {
  for (const file of blockFiles.filter(file => file.kind === 'block' && file.ifPresent))
    expect(takeOut(put('', file) ?? '', file)).toBe('')
})
