import { expect, test } from 'vitest'
import { contracts, findContract, loadContract } from '../src/contracts/door.ts'
import { type CheckOptions, check, type Facts, WaybillError } from '../src/index.ts'
import checkOperation from '../src/operations/check.ts'

const MEBIBYTE = 1024 * 1024

test.each([undefined, null, 5, {}, new Uint8Array([123, 125])])(
  'what is no text is a wrong call: %o',
  async text => {
    await expect(check(text as string)).rejects.toMatchObject({
      code: 'usage',
      hint: 'decode bytes as UTF-8 first',
    })
  },
)

test.each([
  { what: 'letters', filling: 'x'.repeat(8 * MEBIBYTE) },
  { what: 'characters of three bytes', filling: '\u4e00'.repeat(3 * MEBIBYTE) },
])('a text larger than what is read from files is refused: $what', async ({ filling }) => {
  const { accepted, documents } = await check(`# Handed over\n\n${filling}`, {
    path: 'handoffs/2026-02-11T14-30-00Z-x.md',
  })
  expect(accepted).toBe(false)
  expect(documents.flatMap(d => d.diagnostics.map(({ code }) => code))).toEqual([
    'syntax/too-large',
  ])
})

test('a large text within the limit is read', async () => {
  const text = JSON.stringify({ schema_name: 'mission_envelope', note: 'x'.repeat(4 * MEBIBYTE) })
  const { documents } = await check(`\uFEFF${text}`, { path: 'a.json' })
  expect(documents[0]?.contract).toBe('mission-envelope')
  expect(documents[0]?.diagnostics.map(({ code }) => code)).not.toContain('syntax/too-large')
})

test.each([
  ['null for the options', null, 'an object'],
  ['a number for the options', 5, 'an object'],
  ['path', { path: 3 }, 'a string'],
  ['contract', { contract: 3 }, 'the name of a contract'],
  ['now', { now: Object.create(null) }, 'milliseconds'],
  ['now', { now: 'abc' }, '2026-'],
  ['now', { now: 1e20 }, '2026-'],
  ['now', { now: -8.64e15 - 1 }, '2026-'],
  ['facts', { facts: 5 }, '{ value } or { missing }'],
  ['facts', { facts: { files: 5 } }, '{ value } or { missing }'],
  ['facts', { facts: { lineage: { value: Promise.resolve({ missing: 'a' }) } } }, 'promises'],
  ['structureOnly', { structureOnly: 'no' }, 'true or false'],
  ['severities', { severities: {} }, 'a Map'],
])('%s of a wrong type is a wrong call that says what to give: %o', async (_, options, hint) => {
  const call = check('pipelines: {}', options as CheckOptions)
  await expect(call).rejects.toThrow(WaybillError)
  await expect(call).rejects.toMatchObject({ code: 'usage' })
  const { message, hint: remedy } = await call.catch(error => error)
  expect(`${message}; ${remedy}`).toContain(hint)
})

test('a fact that is undefined is one that was not supplied', async () => {
  const facts = { files: undefined } as unknown as Facts
  const { accepted } = await check('pipelines: {}', { facts, contract: 'orchestration' })
  expect(accepted).toBe(true)
})

test('a comment on top does not make Markdown of what is said to be a state', async () => {
  const text = '# where we are\nPhase: 1\n'
  const { accepted, documents } = await check(text, { contract: 'session-state' })
  expect({ accepted, value: documents[0]?.value }).toEqual({ accepted: true, value: { Phase: 1 } })
})

test('a named contract that a text does not have is reported with the reason', async () => {
  const { accepted, documents } = await check('# Title', {
    path: 'a.md',
    contract: 'session-state',
  })
  expect(accepted).toBe(false)
  expect(documents).toMatchObject([
    {
      contract: 'session-state',
      diagnostics: [
        {
          code: 'document/unrecognised',
          message: 'this is Markdown, but session-state must be YAML or JSON',
        },
      ],
    },
  ])
})

test.each([
  ['sesion-context', 'did you mean session-context?'],
  ['mission_envelope', 'did you mean mission-envelope?'],
  ['invoice', expect.stringMatching(/^use one of agent-handoff, .*, writeback-proposal$/)],
])('for the unknown contract %s both doors say what there is', async (contract, hint) => {
  const refusal = { code: 'usage', message: `there is no contract '${contract}'`, hint }
  await expect(check('{}', { contract })).rejects.toMatchObject(refusal)
  const app = { now: 0, root: '.', cwd: '.', version: '', stdin: async () => new Uint8Array() }
  await expect(checkOperation.run({ contract }, app)).rejects.toMatchObject(refusal)
})

test('what the library shows of the contracts is shared, and cannot be changed', async () => {
  const contract = findContract('session-context') ?? expect.fail('not in the catalogue')
  const { schema, rules } = await loadContract(contract)
  const { properties } = schema
  for (const shared of [contracts, contract.recognise, properties, properties?.payload, rules])
    expect(Object.isFrozen(shared)).toBe(true)
  const { documents } = await check('{}', { contract: 'session-context' })
  expect(documents[0]?.diagnostics.map(({ code }) => code)).toContain('schema/required')
})

test.each([
  ['no object', 5, 'its input must be an object'],
  ['a text for a list', { paths: '.' }, 'paths must be a list of strings'],
  ['numbers for texts', { paths: [1] }, 'paths must be a list of strings'],
  ['a word for a boolean', { structureOnly: 'no' }, 'structureOnly must be true or false'],
])('an operation that is given %s says what is wrong with the call', async (_, input, fault) => {
  const run = (...given: unknown[]) => Reflect.apply(checkOperation.run, undefined, given)
  await expect(run(input, {})).rejects.toMatchObject({
    code: 'usage',
    message: `check cannot be run: ${fault}`,
  })
})
