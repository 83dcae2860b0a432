import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mutate } from '../../scripts/generate/mutations.ts'
import { checkBody } from '../../scripts/generate/sql/check.ts'
import type { Vectors } from '../../scripts/generate/vectors.ts'
import { type Database, openDatabase } from '../../test/database.ts'
import { edited } from '../../test/edited.ts'
import { CONTRACTS, exampleOf, MISSION } from '../../test/mission-payloads.ts'
import { connectRaw, type Raw } from '../../test/raw-sql.ts'
import { checkDocument, type LoadedContract, type Schema } from '../contract/index.ts'
import { findContract, loadContract } from '../contracts/index.ts'
import { readDocuments } from '../document/index.ts'

let database: Database
let owner: Raw
beforeAll(async () => {
  database = await openDatabase()
  owner = await connectRaw(database.url)
})
afterAll(async () => {
  await owner?.end()
  await database?.remove()
})

const read = (path: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'))
const schemaOf = (id: string): Schema => read(`schemas/${id}.json`)

/** What the database says of many payloads at once. */
async function accepts(name: string, payloads: readonly unknown[]): Promise<boolean[]> {
  const texts = payloads.map(payload => JSON.stringify(payload))
  const { rows } = await owner.client.query(
    `select waybill.is_${name}(text::jsonb) as accepted
     from unnest($1::text[]) with ordinality as texts (text, position) order by position`,
    [texts],
  )
  return rows.map(row => row.accepted)
}

/** What the contract says of structure alone; nothing of a payload that no reader reads, which never comes this far. */
async function isAccepted(loaded: LoadedContract, payload: unknown): Promise<boolean | undefined> {
  const { documents } = await readDocuments(JSON.stringify(payload), 'json')
  const [document] = documents
  if (!document || document.faults.length > 0 || !isStorable(payload)) return undefined
  const recognised = { contract: loaded.contract, value: document.value, base: [] }
  return checkDocument(document, recognised, loaded, { now: 0, structureOnly: true }).accepted
}

/** PostgreSQL has no text with the character zero; what holds one is refused before all checks. */
const isStorable = (payload: unknown) => !JSON.stringify(payload).includes('\\u0000')

/** The payloads that can be judged, and what the contract says of each. */
async function judged(loaded: LoadedContract, payloads: readonly unknown[]) {
  const all = await Promise.all(
    payloads.map(async payload => ({ payload, accepted: await isAccepted(loaded, payload) })),
  )
  const known = all.filter(({ accepted }) => accepted !== undefined)
  return {
    payloads: known.map(({ payload }) => payload),
    expected: known.map(({ accepted }) => accepted),
  }
}

async function loadedOf(id: string): Promise<LoadedContract> {
  const contract = findContract(id)
  if (!contract) throw new Error(`no contract ${id}`)
  return loadContract(contract)
}

describe.each(CONTRACTS)('$name', ({ name, id }) => {
  test('the check in the database is the one that its published schema compiles to', async () => {
    const { rows } = await owner.client.query(
      'select prosrc, provolatile from pg_proc where oid = $1::regproc',
      [`waybill.is_${name}`],
    )
    expect(rows[0].prosrc.trim(), `npm run new artifact ${id}`).toBe(checkBody(schemaOf(id)))
    expect(rows[0].provolatile).toBe('i')
  })

  test('the database accepts what the contract accepts, at every limit of the schema', async () => {
    const loaded = await loadedOf(id)
    const { fixtures, mutations, base } = read(`schemas/vectors/${id}.json`) as Vectors
    const values = [
      ...fixtures.map(({ value }) => value),
      ...mutations.map(mutation => mutate(base, mutation)),
    ]
    const { payloads, expected } = await judged(loaded, values)
    expect(await accepts(name, payloads)).toEqual(expected)
    expect(new Set(expected)).toEqual(new Set([true, false]))
  })

  test('and of what was changed at random', async () => {
    const loaded = await loadedOf(id)
    const { base } = read(`schemas/vectors/${id}.json`) as Vectors
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 20 }),
        async lists => {
          const changed = lists.map(edits =>
            edits.reduce<unknown>((value, [at, other]) => edited(value, at, other), base),
          )
          const { payloads, expected } = await judged(loaded, changed)
          expect(await accepts(name, payloads)).toEqual(expected)
        },
      ),
      { numRuns: 10 },
    )
  })
})

test('the example of a contract is accepted and nothing that is no object', async () => {
  expect(
    await accepts('worker_result', [exampleOf('worker-result.v1'), null, [], 1, 'a', true, {}]),
  ).toEqual([true, false, false, false, false, false, false])
})

const odd = fc.oneof(
  fc.constantFrom(
    ...[
      undefined,
      null,
      true,
      false,
      -1,
      -0,
      0,
      0.5,
      1,
      1.5,
      7,
      1e21,
      1e-7,
      '',
      ' ',
      'text',
      'v1',
      'low',
    ],
    ...['2026-02-29T00:00:00Z', '2024-02-29T23:59:59.123456789+23:59', '0000-01-01T00:00:00Z'],
    ...[
      '2026-01-01T00:00:00Z\n',
      'http://ü.example/a?b#c',
      'http://a b',
      'https://[::1]:80/',
      'http://a..b',
    ],
    ...[MISSION, MISSION.toUpperCase(), `{${MISSION}}`, `${MISSION}\n`, '😀', 'é\u0301', '\u007f'],
    ...[
      [],
      [[]],
      [''],
      ['a', 'a'],
      [1],
      {},
      { a: {} },
      { '': 1 },
      { format: 'x' },
      { summary: '' },
    ],
  ),
  fc.jsonValue(),
)
const edit = fc.tuple(fc.nat(), odd)
