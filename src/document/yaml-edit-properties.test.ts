import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { dump } from 'js-yaml'
import { expect, test } from 'vitest'
import { WaybillError } from '../error.ts'
import { type Change, isCollection, type Json, partOf, withChange } from './change.ts'
import { readYaml } from './yaml.ts'
import { editYaml } from './yaml-edit.ts'

const contracts = join(import.meta.dirname, '../contracts')
const fixtures = globSync('{orchestration,session-state}.v1/fixtures/*/*.yaml', { cwd: contracts })
  .filter(file => !file.endsWith('.facts.yaml'))
  .map(file => readFileSync(join(contracts, file), 'utf8').replace(/^\ufeff/, ''))
  .filter(text => readYaml(text).faults.length === 0)

const character = fc.constantFrom(...'a1 :#-"\'\n{,\\é😀\t.', 'yes', '5.3')
const key = fc.oneof(
  fc.string({ unit: character, maxLength: 4 }),
  fc.constantFrom('__proto__', '', 'null', 'no'),
)
const { value } = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: character, maxLength: 8 }),
    fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map(Object.fromEntries),
  ),
}))
const layout = fc.record({
  indent: fc.integer({ min: 2, max: 4 }),
  lineWidth: fc.constantFrom(10, 80),
  flowLevel: fc.constantFrom(-1, 0, 1, 2),
  seqNoIndent: fc.boolean(),
})
const printed = fc
  .tuple(value, layout, fc.array(fc.nat(), { maxLength: 3 }), fc.boolean())
  .map(([value, layout, notes, windows]) => {
    const text = withNotes(dump(value, { ...layout, noRefs: true }), notes)
    return windows ? text.replaceAll('\n', '\r\n') : text
  })
const document = fc.oneof(printed, fc.constantFrom(...fixtures))
const chosen = fc.record({ at: fc.nat(), value, act: fc.constantFrom('set', 'add', 'remove'), key })

/** Comments behind lines and between them, where they do not change what is read. */
function withNotes(text: string, notes: readonly number[]): string {
  return notes.reduce((current, note, i) => {
    const lines = current.split('\n')
    const at = note % lines.length
    const line = note % 2 ? `${lines[at]} # note ${i}` : `# note ${i}\n${lines[at]}`
    const changed = lines.with(at, line).join('\n')
    const same = JSON.stringify(readYaml(changed).value) === JSON.stringify(readYaml(current).value)
    return same && readYaml(changed).faults.length === 0 ? changed : current
  }, text)
}

function pathsOf(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (!isCollection(value)) return [path]
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return [path, ...keys.flatMap(k => pathsOf(partOf(value, k) ?? null, [...path, k]))]
}

function changeOf(
  root: Json,
  { at, value, act, key }: { at: number; value: Json; act: string; key: string },
): Change {
  const paths = pathsOf(root)
  const path = paths[at % paths.length] ?? []
  const part = path.reduce<Json | undefined>(partOf, root)
  if (act === 'remove' && path.length > 0) return { path, remove: true }
  if (act === 'add' && Array.isArray(part)) return { path: [...path, part.length], value }
  if (act === 'add' && (isCollection(part) || part === null)) return { path: [...path, key], value }
  return { path, value }
}

/** How many lines two texts have in common, from the top and from the end. */
function common(a: readonly string[], b: readonly string[]): number {
  const until = a.findIndex((line, i) => line !== b[i])
  return until < 0 ? Math.min(a.length, b.length) : until
}

/** The changed text; `undefined` where no way of writing keeps everything else, and the change is refused. */
function attempt(text: string, change: Change): string | undefined {
  try {
    return editYaml(text, [change])
  } catch (error) {
    if (error instanceof WaybillError && error.message.includes('would affect other parts')) return
    throw error
  }
}

test('any change of any list or object gives exactly the changed value, or in rare cases is refused', () => {
  let refused = 0
  fc.assert(
    fc.property(document, chosen, (text, choice) => {
      const before = readYaml(text).value as Json
      fc.pre(isCollection(before))
      const change = changeOf(before, choice)
      const edited = attempt(text, change)
      if (edited === undefined) {
        refused++
        return
      }
      const after = readYaml(edited)
      expect(after.faults).toEqual([])
      expect(JSON.stringify(after.value)).toBe(JSON.stringify(withChange(before, change)))
    }),
    { numRuns: 1500 },
  )
  expect(refused).toBeLessThan(15)
})

test('lines that have nothing to do with a change stay as they are', () => {
  const lines = (text: string) => text.split(/(?<=\n)/)
  for (const [i, text] of fixtures.entries()) {
    const { value, locate } = readYaml(text)
    const lineOf = (offset: number) =>
      lines(text.slice(0, offset)).length - (text[offset - 1] === '\n' ? 0 : 1)
    for (const path of pathsOf(value as Json)) {
      const part = path.reduce<Json | undefined>(partOf, value as Json)
      if (isCollection(part) || path.length === 0 || path.length % 3 !== i % 3) continue
      const after = editYaml(text, [{ path, value: 'changed' }])
      const [a, b] = [lines(text), lines(after)]
      const { start, end } = locate(path)
      expect(b.slice(0, common(a, b))).toEqual(a.slice(0, common(a, b)))
      // Only lines of the value itself differ: all above it and below it are the same.
      expect(common(a, b)).toBeGreaterThanOrEqual(
        Math.min(lineOf(start), lineOf(locate(path, 'key').start)),
      )
      expect(common(a.toReversed(), b.toReversed())).toBeGreaterThanOrEqual(
        a.length - 1 - lineOf(end),
      )
    }
  }
})

test('every part of a fixture can be changed, taken away and followed by another', () => {
  for (const [i, text] of fixtures.entries()) {
    const value = readYaml(text).value as Json
    // The fixtures are much alike: of each another tenth of its parts is enough.
    for (const path of pathsOf(value).filter((_, at) => at % 10 === i % 10)) {
      const part = path.reduce<Json | undefined>(partOf, value)
      const changes: Change[] = [{ path, value: { set: ['x', { y: 'z' }] } }]
      if (path.length > 0) changes.push({ path, remove: true })
      if (Array.isArray(part)) changes.push({ path: [...path, part.length], value: 'new' })
      else if (isCollection(part)) changes.push({ path: [...path, 'new'], value: [1] })
      for (const change of changes) {
        const after = editYaml(text, [change])
        expect(JSON.stringify(readYaml(after).value)).toBe(
          JSON.stringify(withChange(value, change)),
        )
      }
    }
  }
})
