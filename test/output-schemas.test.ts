import { cpSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { contracts } from '../src/contracts/index.ts'
import { type App, check, explain, schema, show } from '../src/operations/index.ts'
import { fileNameOf } from '../src/operations/operation.ts'
import { fixturesOf, folderOf } from './fixture.ts'
import { faultsOf, type Json, published, readSchema, verbs } from './output.ts'
import { openTestFolder } from './test-folder.ts'

/** Outside every repository, so that no history is asked for each of them. */
const copies = openTestFolder()
afterAll(copies.remove)

describe('whatever there is', () => {
  const app = (place: string): App => ({
    now: Date.UTC(2026, 5, 1),
    root: place,
    cwd: place,
    version: '0.0.0',
    stdin: async () => new Uint8Array(),
  })
  const written = (output: unknown) => JSON.parse(JSON.stringify(output))

  test.each(contracts.map(c => c.id))('every fixture of %s is checked and shown', async id => {
    const place = join(copies.root, id)
    cpSync(folderOf(id), place, { recursive: true })
    const paths = fixturesOf(id).map(({ file, kind }) => join('fixtures', kind, basename(file)))
    expect(paths.length).toBeGreaterThan(1)
    expect(faultsOf('check', written(await check.run({ paths }, app(place))))).toEqual([])
    for (const path of paths)
      expect(faultsOf('show', written(await show.run({ path }, app(place)))), path).toEqual([])
  })

  test('every code is explained', async () => {
    const { groups } = written(await explain.run({}, app(import.meta.dirname)))
    const codes: string[] = groups.flatMap((group: { codes: { code: string }[] }) =>
      group.codes.map(({ code }) => code),
    )
    expect(codes.length).toBeGreaterThan(100)
    for (const code of codes)
      expect(
        faultsOf('explain', written(await explain.run({ code }, app(import.meta.dirname)))),
        code,
      ).toEqual([])
  })

  test('every schema is printed', async () => {
    for (const name of ['config', ...contracts.map(c => c.id)])
      expect(
        faultsOf('schema', written(await schema.run({ name }, app(import.meta.dirname)))),
        name,
      ).toEqual([])
  })
})

/** A schema that is printed may hold anything, and so may signed content and what the protocol of an agent says. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  schema: ['/anyOf/1'],
  'log show': ['/properties/shown/anyOf/0/items/properties/statement/anyOf/0/properties/predicate'],
  'log verify': ['/properties/erased/items/properties/ids'],
  'log bundle': [
    '/properties/bundle/properties/verificationMaterial',
    '/properties/bundle/properties/dsseEnvelope',
  ],
  'log export': ['/properties/events/items/properties/data'],
  hook: ['/properties/answer/anyOf/0'],
}

describe('the published schemas', () => {
  test('are those of the verbs, and nothing is left over', () => {
    const names = readdirSync(published).sort()
    expect(names).toEqual(verbs.map(verb => `${fileNameOf(verb)}.json`).sort())
  })

  test.each(verbs)('that of %s says what it is, and what each of its parts means', verb => {
    const read = readSchema(verb)
    expect(read).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:waybill:schema:output:${fileNameOf(verb)}`,
      type: 'object',
      title: expect.stringMatching(/\w/),
      description: expect.stringMatching(/^[A-Z].*\.$/),
    })
    const parts = [...partsOf(read)]
    expect(parts.length).toBeGreaterThan(1)
    const silent = parts.filter(({ node }) => !/^[A-Z`].*\.$/.test(String(node.description)))
    expect(silent.map(({ at }) => at)).toEqual([])
    const open = parts.filter(({ node }) => node.properties && node.additionalProperties !== false)
    expect(open.map(({ at }) => at)).toEqual(OPEN[verb] ?? [])
  })
})

/** Every schema inside a schema with its place. */
function* partsOf(node: Json, at = ''): Generator<{ at: string; node: Json }> {
  const inner = [
    ...Object.entries((node.properties ?? {}) as Json).map(([k, v]) => [`/properties/${k}`, v]),
    ...((node.anyOf ?? []) as Json[]).map((v, i) => [`/anyOf/${i}`, v]),
    ...(node.items ? [['/items', node.items]] : []),
  ] as [string, Json][]
  for (const [key, part] of inner) {
    yield { at: `${at}${key}`, node: part }
    yield* partsOf(part, `${at}${key}`)
  }
}
