import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { Schema } from '../src/contract/index.ts'
import { contracts, loadContract } from '../src/contracts/index.ts'
import { folderOf } from './fixture.ts'
import { titlesIn } from './test-titles.ts'

interface Row {
  id: string
  level: string
  source: string
  text: string
  check?: string | string[]
  excluded?: string
  note?: string
}

const REASONS = ['undecidable', 'act', 'advice', 'definition', 'overruled', 'elsewhere']
const root = join(import.meta.dirname, '..')

const rowsOf = (file: string): Row[] => load(readFileSync(file, 'utf8')) as Row[]
const checksOf = (row: Row): string[] => [row.check ?? []].flat()

const shared = join(root, 'src/contracts/requirements.yaml')
const files = new Map<string, string>([
  ['all contracts', shared],
  ...contracts.map(c => [c.id, join(folderOf(c.id), 'requirements.yaml')] as const),
])
const everyRow = new Map([...files].map(([id, file]) => [id, rowsOf(file)]))
const rules = new Map<string, ReadonlySet<string>>()
const schemas = new Map<string, Schema>()
for (const contract of contracts) {
  const loaded = await loadContract(contract)
  rules.set(contract.name, new Set(Object.keys(loaded.rules)))
  schemas.set(contract.id, loaded.schema)
}

describe.each([...files.keys()])('the requirements of %s', id => {
  const rows = everyRow.get(id) ?? []

  test('are well formed, with unique ids and either a check or a reasoned exclusion', () => {
    expect(new Set(rows.map(r => r.id)).size).toBe(rows.length)
    for (const row of rows) {
      expect(row, row.id).toEqual(
        expect.objectContaining({
          id: expect.any(String),
          source: expect.any(String),
          text: expect.any(String),
        }),
      )
      expect(['MUST', 'SHOULD', 'MAY'], row.id).toContain(row.level)
      expect(
        Boolean(row.check) !== Boolean(row.excluded),
        `${row.id} has a check or an exclusion`,
      ).toBe(true)
      if (row.excluded) {
        expect(REASONS, row.id).toContain(row.excluded)
        expect(row.note, `${row.id} says why it is excluded`).toBeTruthy()
      }
    }
  })

  test('name only checks that exist', () => {
    const missing = rows.flatMap(row =>
      checksOf(row)
        .filter(check => !exists(check, id))
        .map(check => `${row.id}: ${check}`),
    )
    expect(missing).toEqual([])
  })
})

const LEVELS: Readonly<Record<string, string>> = { MUST: 'error', SHOULD: 'warning', MAY: 'info' }
const WEIGHTS = ['info', 'warning', 'error']

test.each(contracts.map(c => [c.id, c] as const))(
  'every rule of %s weighs what the strictest sentence that it enforces does',
  async (id, contract) => {
    const loaded = await loadContract(contract)
    const severities = loaded.rules as unknown as Record<string, { severity: string }>
    const wrong = Object.entries(severities).flatMap(([rule, { severity }]) => {
      const code = `${contract.name}/${rule}`
      const citing = (everyRow.get(id) ?? []).filter(row => checksOf(row).includes(code))
      const weights = citing.map(row => WEIGHTS.indexOf(LEVELS[row.level] ?? ''))
      const strictest = WEIGHTS[Math.max(...weights)]
      return strictest === severity
        ? []
        : [`${rule} is ${severity}; its sentences say ${strictest}`]
    })
    expect(wrong).toEqual([])
  },
)

test.each(contracts.map(c => [c.id, c.name] as const))(
  'every rule of %s enforces a requirement',
  (id, name) => {
    const cited = new Set((everyRow.get(id) ?? []).flatMap(checksOf))
    const orphans = [...(rules.get(name) ?? [])].filter(rule => !cited.has(`${name}/${rule}`))
    expect(orphans).toEqual([])
  },
)

function exists(check: string, id: string): boolean {
  const [what = '', ...rest] = check.split(' ')
  if (what === 'test') return testExists(rest)
  if (what.startsWith('schema/'))
    return id !== 'all contracts' && schemaSays(what.slice(7), rest.join(' '), id)
  const [contract = '', rule = ''] = what.split('/')
  if (rules.get(contract)?.has(rule)) return true
  return isCode(what)
}

const isCode = (code: string) => /^(syntax|document)\/[a-z-]+$/.test(code) && codes().has(code)

let known: Set<string> | undefined
/** Every code that the sources of the lower layers can report. */
function codes(): Set<string> {
  const sources = globSync('src/{document,contract,operations}/**/*.ts', { cwd: root })
  known ??= new Set(
    sources.flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/'((?:syntax|document)\/[a-z-]+)'/g)].map(
        m => m[1] ?? '',
      ),
    ),
  )
  return known
}

/** Fewer characters stand in any title. */
const SHORTEST = 12

const titles = new Map<string, readonly string[]>()

function testExists([file = '', ...words]: string[]): boolean {
  const path = join(root, file)
  const cited = words.join(' ')
  if (cited.length < SHORTEST || !existsSync(path)) return false
  const known = titles.get(path) ?? titlesIn(readFileSync(path, 'utf8'))
  titles.set(path, known)
  return known.some(title => title.includes(cited))
}

/** Whether the published schema has the keyword at the place that an instance pointer leads to. */
function schemaSays(keyword: string, pointer: string, id: string): boolean {
  const schema = schemas.get(id)
  const name = keyword.replace(/-[a-z]/g, c => (c[1] ?? '').toUpperCase())
  const keys = pointer === '' || pointer === '/' ? [] : pointer.slice(1).split('/')
  if (!schema) return false
  if (name === 'required') {
    const parent = descend(schema, schema, keys.slice(0, -1))
    return parent?.required?.includes(keys.at(-1) ?? '') ?? false
  }
  const found = descend(schema, schema, keys)
  if (!found) return false
  if (name === 'type' || name === 'enum') return name in found || 'const' in found
  return name in found
}

function descend(
  whole: Schema,
  schema: Schema | undefined,
  keys: readonly string[],
): Schema | undefined {
  const here = schema?.$ref
    ? (whole.$defs ?? whole.definitions)?.[schema.$ref.split('/').at(-1) ?? '']
    : schema
  const [key, ...rest] = keys
  if (key === undefined || !here) return here
  const other =
    typeof here.additionalProperties === 'object' ? here.additionalProperties : undefined
  const patterned = Object.values(here.patternProperties ?? {})[0]
  const next =
    key === '*'
      ? (here.items ?? patterned ?? other)
      : (here.properties?.[key] ?? patterned ?? other)
  return descend(whole, next, rest)
}
