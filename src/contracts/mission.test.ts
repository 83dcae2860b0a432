import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { checkDocument, type Facts, type Fields, headerOf, recognise } from '../contract/index.ts'
import { formatPointer, type Path, readDocuments } from '../document/index.ts'
import { contracts, findContract, loadContract } from './catalogue.ts'

/** The ten artifacts: contract, schema name, and the key that holds the artifact's own id. */
const ARTIFACTS = [
  ['mission-envelope', 'mission_envelope', 'mission_id'],
  ['mission-task-graph', 'mission_task_graph', undefined],
  ['prompt-package', 'prompt_package', 'package_id'],
  ['research-artifact', 'research_artifact', 'artifact_id'],
  ['librarian-pass', 'librarian_pass', 'pass_id'],
  ['worker-result', 'worker_result', 'result_id'],
  ['aggregation-packet', 'aggregation_packet', 'packet_id'],
  ['review-packet', 'review_packet', 'packet_id'],
  ['policy-decision', 'policy_decision', 'decision_id'],
  ['writeback-proposal', 'writeback_proposal', 'proposal_id'],
] as const

/** Printed keys that may be absent: of the envelope those that its list leaves out, elsewhere what content is made of. */
const OPTIONAL = new Set([
  'mission-envelope /actor_role',
  'mission-envelope /time_budget_ms',
  'mission-envelope /token_budget',
  'mission-envelope /requested_outputs',
  'mission-envelope /context_refs',
  'mission-envelope /context_refs/lead_ids',
  'mission-envelope /context_refs/page_id',
  'mission-envelope /context_refs/campaign_ids',
  'review-packet /approved_output',
  'worker-result /structured_output/priority',
  'worker-result /structured_output/recommended_action',
  'writeback-proposal /payload/kanban_status',
])

function exampleOf(name: string): Fields {
  const file = join(import.meta.dirname, `${name}.v1/fixtures/valid/example.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as Fields
}

/** Structural findings of a value as `code path`, with whether the structure was accepted. */
async function structureOf(name: string, value: unknown) {
  const contract = findContract(name)
  const [document] = (await readDocuments(JSON.stringify(value), 'json')).documents
  if (!contract || !document) throw new Error(`there is no contract ${name}`)
  const { accepted, diagnostics } = checkDocument(
    document,
    { contract, value: document.value, base: [] },
    await loadContract(contract),
    { now: 0, structureOnly: true },
  )
  return { accepted, found: diagnostics.map(d => `${d.severity} ${d.code} ${d.path}`) }
}

function keysOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = [...path, Array.isArray(value) ? Number(key) : key]
    return Array.isArray(value) ? keysOf(inner, own) : [own, ...keysOf(inner, own)]
  })
}

/** A copy of a value without the key at a path. */
function without(value: unknown, path: Path): unknown {
  const copy = structuredClone(value)
  let at = copy as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>
  delete at[path.at(-1) ?? '']
  return copy
}

test('the ten artifacts of phase 1 are in the catalogue', () => {
  const names = contracts.map(c => c.name)
  expect(names).toEqual(expect.arrayContaining(ARTIFACTS.map(([name]) => name)))
})

describe.each(ARTIFACTS)('a %s', (name, schemaName, idKey) => {
  const example = exampleOf(name)

  test('is known by its schema name while walking', () => {
    const found = recognise({ schema_name: schemaName }, 'x.json', contracts, 'walk')
    expect(found?.contract.id).toBe(`${name}.v1`)
  })

  test('is known by its other keys when the schema name is damaged', () => {
    const damaged = { ...example, schema_name: 'artefact' }
    expect(recognise(damaged, 'x.json', contracts, 'named')?.contract.id).toBe(`${name}.v1`)
  })

  test('carries id, mission, producer and time in its header', () => {
    const contract = findContract(name)
    const header = contract && headerOf(contract, example)
    expect(header?.correlation).toBe(example.mission_id)
    expect(header?.createdAt).toBe(example.created_at)
    expect(Object.values(header ?? {})).toContain(example.producer)
    expect(header?.id).toBe(idKey === undefined ? undefined : example[idKey])
  })

  test.each(keysOf(example).map(path => [formatPointer(path), path] as const))(
    'needs the printed key %s unless it is optional',
    async (pointer, path) => {
      const { found } = await structureOf(name, without(example, path))
      const optional = OPTIONAL.has(`${name} ${pointer}`)
      expect(found).toEqual(optional ? [] : [`error schema/required ${pointer}`])
    },
  )

  test('ignores unknown keys', async () => {
    const { accepted, found } = await structureOf(name, { ...example, zzz_own_words: [{ a: 1 }] })
    expect({ accepted, found }).toEqual({ accepted: true, found: [] })
  })

  test('warns of a key that nearly has a known name', async () => {
    const { accepted, found } = await structureOf(name, { ...example, 'Created-At': 'x' })
    const warning = 'warning schema/additional-properties /Created-At'
    expect({ accepted, found }).toEqual({ accepted: true, found: [warning] })
  })
})

test.each([
  'http://example.com',
  'https://example.com/',
  'HTTPS://EXAMPLE.COM:8443/a/b?c=d&e=%20#f',
  'https://localhost/report',
  'https://10.0.0.1/',
  'https://[2001:db8::1]:80/report',
  'https://example.com./',
  'https://münchen.example/größe',
  'https://example.com?q=1',
])('%s is an absolute URL of the web', async url => {
  expect((await structureOf('research-artifact', withUrl(url))).found).toEqual([])
})

test.each([
  '',
  '/report',
  'report.html',
  'example.com/report',
  '//example.com/report',
  'ftp://example.com/report',
  'javascript:alert(1)',
  'https:example.com',
  'https://',
  'https:///report',
  'https://:80/',
  'https://?q=1',
  'https://me:word@example.com/',
  'https://example..com/',
  'https://example.com:port/',
  'https://exa mple.com/',
  'https://example.com/a b',
  'https://example.com/a\\b',
  'https://example.com/<b>',
  ' https://example.com/',
  'https://example.com/\n',
  'https://example.com/\u200b',
])('%j is not an absolute URL of the web', async url => {
  const { found } = await structureOf('research-artifact', withUrl(url))
  expect(found).toEqual(['error schema/pattern /results/0/url'])
})

test('a URL of a million characters is judged at once', async () => {
  const ms = await cpuTimeOf(async () => {
    const long = `https://${'a.'.repeat(500_000)}\u0000`
    expect((await structureOf('research-artifact', withUrl(long))).accepted).toBe(false)
  })
  expect(ms).toBeLessThan(10_000)
})

function withUrl(url: string): Fields {
  const example = exampleOf('research-artifact') as { results: Fields[] } & Fields
  return { ...example, results: [{ ...example.results[0], url }] }
}

test.each([
  ['build-2', 'add the task, or remove the dependency'],
  ['deploy-2', "did you mean 'deploy-1'?"],
])('a task is never advised to depend on itself: %s', async (dependency, hint) => {
  const graph = exampleOf('mission-task-graph')
  const [task] = graph.tasks as Fields[]
  const tasks = [
    { ...task, task_id: 'build-1', depends_on: [dependency] },
    { ...task, task_id: 'deploy-1', depends_on: [] },
  ]
  expect(await hintOf('known-dependencies', 'mission-task-graph', { ...graph, tasks })).toBe(hint)
})

test.each([
  ['wrk_01', "did you mean 'wrk_001'?"],
  ['LEAD-123', "did you mean 'lead_123'?"],
  ['the board', 'name the result or research that supports the claim, or remove the claim'],
])('of %s is said what may have been meant to support a claim', async (ref, hint) => {
  const value = exampleOf('worker-result')
  const artifacts = [{ schema_name: 'worker_result', path: 'result.json', value }]
  const packet = {
    ...exampleOf('aggregation-packet'),
    evidence_matrix: [{ claim: 'Lead 123 is high priority', support_refs: [ref] }],
  }
  const facts = { artifacts: { value: artifacts } }
  expect(await hintOf('support-refs-known', 'aggregation-packet', packet, facts)).toBe(hint)
})

/** What a rule advises about a document that breaks it. */
async function hintOf(rule: string, name: string, value: Fields, facts: Facts = {}) {
  const [document] = (await readDocuments(JSON.stringify(value), 'json')).documents
  const contract = findContract(name)
  if (!contract || !document) return expect.fail('not read')
  const { diagnostics } = checkDocument(
    document,
    { contract, value: document.value, base: [] },
    await loadContract(contract),
    { now: Date.UTC(2027, 0), facts },
  )
  return diagnostics.find(d => d.code.endsWith(`/${rule}`))?.hint
}
