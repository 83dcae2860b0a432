import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoadedContract, Rules } from '../src/contract/index.ts'
import { contracts, loadContract } from '../src/contracts/index.ts'
import type { Format } from '../src/document/index.ts'
import { type CheckOptions, check, type Diagnostic, type Facts } from '../src/index.ts'
import { checkFixture, type Fixture, fixturesOf } from './fixture.ts'
import {
  blownUp,
  changeText,
  changeValue,
  edits,
  serialise,
  textEdits,
} from './hostile/mutations.ts'
import { expectProportion } from './hostile/proportion.ts'
import { isLong } from './long.ts'

/** Changes tried on the values and on the texts of each contract. */
const RUNS = isLong ? 200 : 100
/** Those whose time is measured. */
const FEW_RUNS = 3
/** Characters to which a list is repeated at least. */
const LENGTH = 30_000
const NOW = '2026-06-01T12:00:00Z'

interface Seed {
  readonly text: string
  readonly path: string
  readonly format: Format
  readonly value: unknown
  readonly facts: Facts
}

/** A valid fixture with the facts that its rules were given. */
async function seedOf(fixture: Fixture, loaded: LoadedContract): Promise<Seed> {
  const facts: Record<string, { value: unknown }> = {}
  const watched = watch(loaded, (_name, _rule, context) => {
    for (const [name, value] of Object.entries(context.facts)) facts[name] = { value }
  })
  const { document } = await checkFixture(fixture, watched)
  const { format, value } = document
  const path = basename(fixture.file)
  return { text: readFileSync(fixture.file, 'utf8'), path, format, value, facts }
}

type AnyRule = Rules<never, never>[string]
type AnyContext = { readonly facts: object }
type Seen = (name: string, rule: AnyRule, context: AnyContext, value: unknown) => void

/** A contract whose rules tell of every call before they run. */
function watch(loaded: LoadedContract, seen: Seen): LoadedContract {
  const rules = Object.entries(loaded.rules).map(([name, rule]) => {
    const check: AnyRule['check'] = (value, context) => {
      seen(name, rule, context, value)
      return rule.check(value, context)
    }
    return [name, { ...rule, check }] as const
  })
  return { ...loaded, rules: Object.fromEntries(rules) }
}

/** What must hold of every result, whatever the text. */
async function expectSound(text: string, options: CheckOptions): Promise<void> {
  const result = await check(text, options)
  // The place between \r and \n belongs to the line.
  const lines = text.replace(/^\ufeff/, '').split(/\n|\r(?!\n)/)
  for (const { accepted, diagnostics, suppressed } of result.documents) {
    expect(accepted).toBe(!diagnostics.some(d => d.severity === 'error'))
    for (const diagnostic of diagnostics) expectInside(diagnostic, lines)
    for (const { line } of suppressed) expect(line).toBeLessThanOrEqual(lines.length)
  }
  const judged = result.documents.every(document => document.accepted)
  expect(result.accepted).toBe(result.documents.length > 0 && judged)
  const { documents } = result
  expect(documents.filter(d => !JSON.stringify(d))).toEqual([])
  expect(JSON.stringify(await check(text, options))).toBe(JSON.stringify(result))
}

function expectInside({ code, message, path, range }: Diagnostic, lines: readonly string[]): void {
  expect(code, message).not.toBe('internal/rule-failed')
  expect(path).toMatch(/^(?:\/(?:[^~/]|~[01])*)*$/)
  const { start, end } = range
  for (const { line, character } of [start, end]) {
    expect(line).toBeLessThan(lines.length)
    expect(character).toBeGreaterThanOrEqual(0)
    expect(character).toBeLessThanOrEqual(lines[line]?.length ?? 0)
  }
  const inOrder = start.line < end.line || start.character <= end.character
  expect(start.line <= end.line && inOrder, `${code} ends before it begins`).toBe(true)
}

describe.each(contracts.map(contract => [contract.id, contract] as const))(
  '%s',
  async (id, contract) => {
    const loaded = await loadContract(contract)
    const valid = fixturesOf(id).filter(f => f.kind === 'valid')
    const seeds = await Promise.all(valid.map(fixture => seedOf(fixture, loaded)))
    const how = fc.record({ seed: fc.nat(), facts: fc.boolean(), named: fc.boolean() })
    const pick = (n: number): Seed => {
      const seed = seeds[n % seeds.length]
      if (!seed) throw new Error(`${id} has no valid fixture`)
      return seed
    }
    const optionsOf = (seed: Seed, { facts, named }: { facts: boolean; named: boolean }) => ({
      path: seed.path,
      now: NOW,
      ...(facts && { facts: seed.facts }),
      ...(named && { contract: id }),
    })

    test('any change of the value gives a sound result', async () => {
      await fc.assert(
        fc.asyncProperty(how, edits, async (given, changes) => {
          const seed = pick(given.seed)
          const text = serialise(changeValue(seed.value, changes), seed.format)
          await expectSound(text, optionsOf(seed, given))
        }),
        { numRuns: RUNS },
      )
    })

    test('any change of the text gives a sound result', async () => {
      await fc.assert(
        fc.asyncProperty(how, textEdits, async (given, changes) => {
          const seed = pick(given.seed)
          await expectSound(changeText(seed.text, changes), optionsOf(seed, given))
        }),
        { numRuns: RUNS },
      )
    })

    // test/hostile/linear.test.ts proves this for the largest parts of each contract in every run.
    if (isLong)
      test('any change of the value, blown up, takes time in proportion', async () => {
        await fc.assert(
          fc.asyncProperty(how, edits, fc.nat(), async (given, changes, place) => {
            const seed = pick(given.seed)
            const changed = changeValue(seed.value, changes)
            const make = (length: number) => serialise(blownUp(changed, place, length), seed.format)
            const options = optionsOf(seed, given)
            await expectProportion(text => check(text, options), make, LENGTH)
          }),
          { numRuns: FEW_RUNS, endOnFailure: true },
        )
      })

    test('rules bear anything in what they read without declaring it', async () => {
      const tried = new Set<string>()
      for (const fixture of fixturesOf(id)) {
        const watched = watch(loaded, (name, rule, context, value) => {
          for (const path of undeclaredReads(rule, value, context)) {
            // The entries of a list or a map are alike.
            const place = `${name} ${path.map(key => (/^[0-9]+$/.test(key) ? '*' : key)).join('/')}`
            if (!tried.has(place)) expectBears(rule, context, value, path)
            tried.add(place)
          }
        })
        const { result } = await checkFixture(fixture, watched)
        const failed = result.diagnostics.filter(d => d.code === 'internal/rule-failed')
        expect(failed.map(d => d.message)).toEqual([])
      }
    })
  },
)

/** Whatever stands at a path, a rule gives findings and does not throw. */
function expectBears(
  rule: AnyRule,
  context: AnyContext,
  value: unknown,
  path: readonly string[],
): void {
  for (const odd of ODD) {
    const findings = rule.check(replaced(value, path, odd) as never, context as never)
    for (const { message } of findings) expect(message).toBeTypeOf('string')
  }
}

/** What may stand where nothing is known to be sound. */
const ODD: readonly unknown[] = [undefined, null, true, 0, '', 'x', [], [null], [[]], {}, { a: 1 }]

/** The parts of a value that a rule looks at although it does not ask for them to be sound. */
function undeclaredReads(rule: AnyRule, value: unknown, context: AnyContext): readonly string[][] {
  const { reads = [''] } = rule
  const found = new Map<string, string[]>()
  const recorded = recording(value, path => {
    if (reads.some(pointer => concerns(pointer, path))) return
    found.set(path.join('/'), [...path])
  })
  for (const _ of rule.check(recorded as never, context as never));
  return [...found.values()]
}

/** A copy of a value with another part at a path. */
function replaced(value: unknown, path: readonly string[], part: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return part
  const copy: unknown = Array.isArray(value) ? [...value] : { ...Object(value) }
  const inner: unknown = Reflect.get(Object(copy), key)
  Object.defineProperty(copy, key, { value: replaced(inner, rest, part), enumerable: true })
  return copy
}

/** Whether a path stands at, above or below a pointer in which `*` is any member. */
function concerns(pointer: string, path: readonly string[]): boolean {
  const keys = pointer === '' ? [] : pointer.slice(1).split('/')
  return path.every((key, i) => i >= keys.length || keys[i] === '*' || keys[i] === key)
}

/** A value that tells of every member that is looked at. */
function recording(
  value: unknown,
  tell: (path: readonly string[]) => void,
  path: readonly string[] = [],
  known = new Map<unknown, unknown>(),
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const before = known.get(value)
  if (before) return before
  const look = (key: string | symbol) => {
    // What lists and objects have by nature is no part of a document.
    if (typeof key === 'symbol' || (key in Object.prototype && !Object.hasOwn(value, key))) return
    if (!Array.isArray(value) || /^[0-9]+$/.test(key)) tell([...path, key])
  }
  const proxy = new Proxy(value, {
    get: (target, key) => {
      look(key)
      const inner: unknown = Reflect.get(target, key)
      return typeof key === 'string' && Object.hasOwn(target, key)
        ? recording(inner, tell, [...path, key], known)
        : inner
    },
    has: (target, key) => {
      look(key)
      return Reflect.has(target, key)
    },
  })
  known.set(value, proxy)
  return proxy
}
