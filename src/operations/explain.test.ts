import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { contracts, findContract, loadContract, loadExplanations } from '../contracts/index.ts'
import { MOST_BYTES, readDocuments } from '../document/index.ts'
import { MAX_DEPTH } from '../document/json-scan.ts'
import { OTHER_CODES } from './explain/codes.ts'
import type { ExplainedCode } from './explain/output.ts'
import explain from './explain.ts'
import type { App } from './operation.ts'

const app: App = { now: 0, root: '/', cwd: '/', version: '0', stdin: async () => new Uint8Array() }
const run = (code?: string) => explain.run(code === undefined ? {} : { code }, app)

async function rule(code: string): Promise<ExplainedCode> {
  const output = await run(code)
  expect(faultsOf('explain', output)).toEqual([])
  if (!('rule' in output)) throw new Error(`${code} was listed`)
  return output.rule
}

async function groups(code?: string) {
  const output = await run(code)
  expect(faultsOf('explain', output)).toEqual([])
  if (!('groups' in output)) throw new Error(`${code} was explained`)
  return output.groups
}

test('without a code, all are listed: of every contract its rules and not-checked, and every other', async () => {
  const listed = (await groups()).flatMap(group => group.codes.map(c => c.code))
  const rules = await Promise.all(
    contracts.map(async c =>
      [...Object.keys((await loadContract(c)).rules), 'not-checked'].map(r => `${c.name}/${r}`),
    ),
  )
  expect(listed.sort()).toEqual([...rules.flat(), ...others].sort())
})

test('with a contract, only its rules are listed', async () => {
  const [group, ...others] = await groups('session-context')
  expect(group?.title).toBe('Session context')
  expect(group?.codes.every(c => c.code.startsWith('session-context/'))).toBe(true)
  expect(others).toEqual([])
})

test.each([
  ['resume', ['Resuming']],
  ['lineage', ['Lineage']],
  ['internal', ['Documents']],
])('with %s, only the codes are listed that begin so', async (family, titles) => {
  const listed = await groups(family)
  expect(listed.map(({ title }) => title)).toEqual(titles)
  const codes = listed.flatMap(group => group.codes.map(c => c.code))
  expect(codes.length).toBeGreaterThan(0)
  expect(codes.filter(code => !code.startsWith(`${family}/`))).toEqual([])
})

test('a rule is explained with its sources, both examples and what is printed', async () => {
  const explained = await rule('session-context/depth-at-most-one')
  expect(explained).toMatchObject({ severity: 'error', contract: 'session-context' })
  expect(explained.enforces[0]).toMatchObject({
    level: 'MUST',
    source: expect.any(String),
    text: expect.any(String),
  })
  expect(explained.passing?.lines.map(l => l.text.trim())).toContain('"depth": 1')
  const marked = explained.failing?.lines.filter(l => l.marked).map(l => l.text.trim())
  expect(marked).toContain('"depth": 2')
  expect(explained.printed[0]?.message).toContain('depth 2')
})

test('every rule says why, cites its sentences and shows both sides in at most 14 lines', async () => {
  const lacking: string[] = []
  for (const contract of contracts) {
    for (const [name, e] of Object.entries(await loadExplanations(contract))) {
      const sides = [e.passing, e.failing]
      const short = sides.every(side => side && side.lines.length > 0 && side.lines.length <= 14)
      const whole = e.why && e.summary && e.enforces.length > 0 && e.printed.length > 0
      if (!short || !whole) lacking.push(`${contract.name}/${name}`)
    }
  }
  expect(lacking).toEqual([])
})

test('the words of an explanation are those of the rule', async () => {
  const contract = findContract('handoff-document')
  if (!contract) throw new Error('the contract is gone')
  const { rules } = await loadContract(contract)
  const explanations = await loadExplanations(contract)
  const words = Object.entries(rules).map(([name, r]) => {
    const { severity, summary, why } = r as { severity: string; summary: string; why: string }
    return [name, severity, summary, why]
  })
  expect(
    Object.entries(explanations).map(([name, e]) => [name, e.severity, e.summary, e.why]),
  ).toEqual(words)
})

test.each([
  ['syntax/duplicate-key', null],
  ['schema/required', null],
  ['document/unrecognised', null],
  ['handoff-document/not-checked', 'handoff-document'],
  ['lineage/circle', null],
  ['resume/stale', null],
  ['pipeline/ready', null],
])('%s is explained with what to do', async (code, contract) => {
  expect(await rule(code)).toMatchObject({ code, contract, remedy: expect.stringMatching(/\S/) })
})

test.each([
  ['handoff-document/no-placeholder', 'handoff-document/no-placeholders'],
  ['no-placeholders', 'handoff-document/no-placeholders'],
  ['schema/requird', 'schema/required'],
  ['handof-document/not-checkd', undefined],
])('the unknown code %s is an error that names %s', async (code, meant) => {
  const hint = meant ? `did you mean ${meant}?` : expect.any(String)
  await expect(run(code)).rejects.toMatchObject({ code: 'not-found', hint })
})

test.each([
  '__proto__',
  'handoff-document/constructor',
  'constructor/x',
  '/',
  `x${'/y'.repeat(40)}`,
])('the odd code %j is unknown, and nothing worse happens', async code => {
  await expect(run(code)).rejects.toMatchObject({ code: 'not-found' })
})

test('limits are named, and are those that hold', async () => {
  const said = async (code: string) => (await rule(code)).summary
  expect(await said('syntax/too-large')).toContain(` ${MOST_BYTES / 1024 / 1024} MiB`)
  expect(await said('syntax/too-deep')).toContain(` ${MAX_DEPTH} levels`)
  const faults = async (number: string) =>
    (await readDocuments(`{"a": ${number}}`, 'json')).documents.flatMap(d => d.faults)
  expect(await said('syntax/unsafe-integer')).toContain('integer')
  expect(await faults('9007199254740993')).toMatchObject([{ code: 'syntax/unsafe-integer' }])
  expect(await faults('9007199254740993.0')).toEqual([])
})

const root = join(import.meta.dirname, '../..')
const others = OTHER_CODES.flatMap(({ codes }) => Object.keys(codes))

test('every code that the sources report is explained, and no other', async () => {
  const rules = await Promise.all(
    contracts.map(async contract =>
      [...Object.keys((await loadContract(contract)).rules), 'not-checked'].map(
        rule => `${contract.name}/${rule}`,
      ),
    ),
  )
  const known = [...others, ...rules.flat()]
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter(
    f => !f.includes('operations/explain/') && !f.endsWith('codes.ts'),
  )
  const text = files.map(file => readFileSync(join(root, file), 'utf8')).join('\n')
  const families = new Set(known.map(code => code.split('/')[0]))
  // Alone, or at the start of a message.
  const reported = [
    ...text.matchAll(/(?<=[^a-z])(?:'([a-z-]+\/[a-z0-9-]+)'|`([a-z-]+\/[a-z0-9-]+): )/g),
  ]
    .map(([, alone, head]) => alone ?? head ?? '')
    .filter(code => families.has(code.split('/')[0]))
  expect(reported.filter(code => !known.includes(code))).toEqual([])
  const table = others.filter(code => !code.startsWith('schema/'))
  expect(table.filter(code => !reported.includes(code))).toEqual([])
})

test('no code is composed from parts, so that each can be searched for', () => {
  const families = new Set(others.map(code => code.split('/')[0]))
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/*codes.ts'] })
  const built = files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/`([a-z-]+)\/\$\{/g)]
      .filter(([, family]) => families.has(family ?? ''))
      .map(([whole]) => `${file}: ${whole}`),
  )
  // Keywords of schemas are compared below; a witness may give any reason that its type lists.
  expect(built.sort()).toEqual([
    'src/contract/structure.ts: `schema/${',
    'src/governance/witness/witness.ts: `witness/${',
  ])
})

test('no operation composes a family of codes without an explanation', () => {
  const files = globSync('src/{session,operations,mission}/**/*.ts', { cwd: root })
  const text = files
    .filter(file => !file.endsWith('.test.ts') && !file.endsWith('/explain.ts'))
    .map(file => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const given = [...text.matchAll(/\bcode: ['`]([^'`]+\/[^'`]*)['`]/g)].map(m => m[1] ?? '')
  expect(given.length).toBeGreaterThan(20)
  expect(given.filter(code => !others.includes(code))).toEqual([])
})

/** Keywords that say something about a schema, or lead to another, and refuse nothing themselves. */
const SILENT = new Set([
  ...[
    '$schema',
    '$id',
    '$ref',
    '$defs',
    'definitions',
    'title',
    'description',
    'examples',
    'default',
  ],
  ...['properties', 'patternProperties', 'items', 'format'],
])

const DATA = new Set(['enum', 'const', 'examples', 'default', 'required', 'type'])
const NAMES = new Set(['properties', 'patternProperties', '$defs', 'definitions'])

/** Every keyword of a schema: keys, but not the names that stand below some of them, nor what is data. */
function keywordsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (DATA.has(key) || typeof inner !== 'object' || inner === null) return [key]
    const below = NAMES.has(key) || Array.isArray(inner) ? Object.values(inner) : [inner]
    return [key, ...below.flatMap(keywordsOf)]
  })
}

test('every keyword of the published schemas is explained as a structural fault', () => {
  const files = globSync('schemas/*.json', { cwd: root })
  const keywords = files.flatMap(file =>
    keywordsOf(JSON.parse(readFileSync(join(root, file), 'utf8'))),
  )
  expect(keywords).toContain('maxLength')
  const codes = [...new Set(keywords)]
    .filter(keyword => !SILENT.has(keyword))
    .map(keyword => `schema/${keyword.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`)}`)
  expect(codes.filter(code => !others.includes(code))).toEqual([])
})
