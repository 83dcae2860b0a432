import { expect, test } from 'vitest'
import schema from '../../../schemas/session-context.v1.json' with { type: 'json' }
import { checkDocument, recognise } from '../../contract/index.ts'
import { readDocuments } from '../../document/index.ts'
import { contracts, loadContract } from '../index.ts'

const recognised = (value: unknown, certainty: 'walk' | 'named' = 'walk') =>
  recognise(value, 'a.json', contracts, certainty)

test.each([
  [{ source_agent: 'ps-researcher', session_id: '', schema_version: '1.0.0' }],
  [{ source_agent: {}, payload: {}, session_id: 's' }],
  [{ source_agent: {}, payload: {}, schema_version: 1 }],
])('%j is picked up while walking a directory', value => {
  expect(recognised(value)?.contract.id).toBe('session-context.v1')
})

test.each([
  [{ source_agent: {}, target_agent: {} }],
  [{ source_agent: {}, payload: {} }],
  [{ payload: {}, session_id: 's', schema_version: '1.0.0' }],
])('%j is passed over', value => {
  expect(recognised(value)).toBeUndefined()
})

test('a document under the sole key session_context is unwrapped', () => {
  const value = { schema_version: '1.0.0' }
  expect(recognised({ session_context: value })).toMatchObject({ value, base: ['session_context'] })
  expect(recognised({ session_context: value, more: 1 })).toBeUndefined()
})

test('the published schema is Draft-07', () => {
  expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
})

const context = {
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: 'ps-analyst', family: 'ps' },
  target_agent: { id: 'ps-critic', family: 'ps' },
  timestamp: '2026-03-02T09:30:00Z',
  payload: { key_findings: [], confidence: { overall: 0.5 } },
}

async function check(value: object, facts = {}) {
  const { documents } = await readDocuments(JSON.stringify(value), 'json')
  const [document] = documents
  const found = recognised(document?.value)
  if (!document || !found) return expect.fail('not recognised')
  return checkDocument(document, found, await loadContract(found.contract), {
    now: Date.UTC(2026, 5),
    facts,
  })
}

test.each([
  ['at the root', { ...context, handoff_type: 'sequential' }],
  ['in an agent', { ...context, source_agent: { ...context.source_agent, version: '2.1.0' } }],
  ['in the payload', { ...context, payload: { ...context.payload, document_type: 'review' } }],
])('unknown fields are ignored %s', async (_, value) => {
  expect(await check(value)).toMatchObject({ accepted: true, diagnostics: [] })
})

test('a misspelt field is a warning that says which one was meant', async () => {
  const { accepted, diagnostics } = await check({
    ...context,
    payload: { ...context.payload, open_question: [] },
  })
  expect(accepted).toBe(true)
  expect(diagnostics).toMatchObject([
    { severity: 'warning', path: '/payload/open_question', hint: "did you mean 'open_questions'?" },
  ])
})

test('a plain check does not run session-matches, and says so', async () => {
  const plain = await check(context)
  expect(plain).toMatchObject({ accepted: true, notRun: ['session-context/session-matches'] })
  const received = await check(context, { session: { value: 's-2' } })
  expect(received).toMatchObject({ accepted: true, notRun: [] })
  expect(received.diagnostics.map(d => d.code)).toEqual(['session-context/session-matches'])
})
