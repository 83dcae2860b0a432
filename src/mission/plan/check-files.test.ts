import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { load } from 'js-yaml'
import { afterAll, describe, expect, test } from 'vitest'
import { fixturesOf, readFixture } from '../../../test/fixture.ts'
import { CONTRACTS, exampleOf } from '../../../test/mission-payloads.ts'
import { openTestFolder } from '../../../test/test-folder.ts'
import { formatInstant, parseInstant } from '../../document/index.ts'
import checkOperation from '../../operations/check.ts'
import type { Payload } from '../runner.ts'
import { type Checked, checkArtifacts } from './check.ts'

const NOW = Date.UTC(2026, 5, 1, 12)

type Facts = {
  now?: string
  usedBy?: string
  envelope?: Payload | null
  graphs?: Payload[] | null
  policies?: Payload[] | null
  artifacts?: { value: Payload }[] | null
}

function factsOf(file: string): Facts {
  const own = `${file.slice(0, file.lastIndexOf('.'))}.facts.yaml`
  const read = (path: string) => {
    try {
      return load(readFileSync(path, 'utf8')) as Facts
    } catch {
      return {}
    }
  }
  return { ...read(`${file}/../../facts.yaml`), ...read(own) }
}

/** What a fixture is checked with, each once. */
function siblingsIn(facts: Facts, own: unknown): Payload[] {
  const all = [
    ...(facts.envelope ? [facts.envelope] : []),
    ...(facts.graphs ?? []),
    ...(facts.policies ?? []),
    ...(facts.artifacts ?? []).map(({ value }) => value),
  ]
  const texts = new Set(all.map(each => JSON.stringify(each)))
  return [...texts].filter(text => text !== JSON.stringify(own)).map(text => JSON.parse(text))
}

const folders: { remove(): void }[] = []
afterAll(() => {
  for (const folder of folders) folder.remove()
})

/** What `waybill check` says of artifacts, each in a file of its own, next to others. */
async function checkFiles(fresh: readonly Payload[], stored: readonly Payload[], now: number) {
  const folder = openTestFolder()
  folders.push(folder)
  for (const [i, value] of stored.entries()) folder.write(`m/s${i}.json`, JSON.stringify(value))
  for (const [i, value] of fresh.entries()) folder.write(`m/f${i}.json`, JSON.stringify(value))
  const output = await checkOperation.run(
    { paths: fresh.map((_, i) => `m/f${i}.json`) },
    folder.app({ now }),
  )
  return output.documents.map(({ accepted, diagnostics }) => ({
    accepted,
    found: diagnostics.map(({ code, path }) => `${code} ${path}`).sort(),
  }))
}

/** What the contracts say; what is refused in memory alone has codes of its own. */
function found({ diagnostics }: Checked) {
  const rest = diagnostics.filter(({ code }) => !code.startsWith('mission/'))
  return {
    accepted: !rest.some(({ severity }) => severity === 'error'),
    found: rest.map(({ code, path }) => `${code} ${path}`).sort(),
  }
}

const fixtures = CONTRACTS.flatMap(({ id }) =>
  fixturesOf(id).map(fixture => [`${id} ${fixture.kind} ${fixture.name}`, fixture] as const),
)

describe('what is said of an artifact in memory is what `waybill check` says of its file', () => {
  test.each(fixtures)('%s', async (_, fixture) => {
    const { value } = await readFixture(fixture)
    const facts = factsOf(fixture.file)
    const siblings = siblingsIn(facts, value)
    const now = parseInstant(facts.now ?? formatInstant(NOW)) ?? NOW
    const artifact = value as Payload
    const [inMemory] = await checkArtifacts([artifact], siblings, { now })
    const [inFiles] = await checkFiles([artifact], siblings, now)
    expect(inMemory && found(inMemory)).toEqual(inFiles)
  })

  test('there are fixtures of all ten contracts, good and bad', () => {
    const kinds = CONTRACTS.flatMap(({ id }) => [`${id} valid`, `${id} invalid`])
    const names = fixtures.map(([name]) => name)
    expect(kinds).toHaveLength(20)
    expect(kinds.filter(kind => !names.some(name => name.startsWith(`${kind} `)))).toEqual([])
  })

  const examples = CONTRACTS.map(({ id }) => exampleOf(id))
  // What no file could hold soundly never came to be stored.
  const parts = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer())
  const values = fc.oneof(parts, fc.array(parts), fc.dictionary(fc.string(), parts))
  const mutation = fc.record({
    which: fc.nat(examples.length - 1),
    key: fc.nat(20),
    value: fc.option(values, { nil: undefined }),
  })
  const split = fc.array(fc.boolean(), { minLength: examples.length, maxLength: examples.length })

  test('all examples, some stored and some new, each mutilated at random', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { maxLength: 3 }), split, async (mutations, isNew) => {
        const changed = examples.map(example => ({ ...example }) as Record<string, unknown>)
        for (const { which, key, value } of mutations) {
          const payload = changed[which] ?? {}
          const keys = Object.keys(payload).filter(name => name !== 'schema_name')
          const name = keys[key % keys.length] ?? ''
          if (value === undefined) delete payload[name]
          else payload[name] = value
        }
        const all = JSON.parse(JSON.stringify(changed)) as Payload[]
        const fresh = all.filter((_, i) => isNew[i])
        const stored = all.filter((_, i) => !isNew[i])
        const inMemory = await checkArtifacts(fresh, stored, { now: NOW })
        expect(inMemory.map(found)).toEqual(
          fresh.length === 0 ? [] : await checkFiles(fresh, stored, NOW),
        )
      }),
      { numRuns: 60 },
    )
  })
})
