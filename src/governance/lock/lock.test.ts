import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentsOf, type Manifest } from '../../contracts/index.ts'
import { type Json, readDocuments } from '../../document/index.ts'
import { diffLocks } from './diff.ts'
import { nextLock } from './next.ts'
import { lockText } from './text.ts'

const NOW = '2026-06-01T00:00:00Z'
const LATER = '2026-07-01T00:00:00Z'

/** A manifest of domains and one orchestrator, by id and version. */
function manifestOf(domains: Readonly<Record<string, string>>): Manifest {
  const agent = (id: string, version: string) => ({
    name: id,
    file: `p/${id}.md`,
    canonical_id: id,
    version,
    scope: 'All.',
  })
  return {
    domains: Object.fromEntries(Object.entries(domains).map(([id, v]) => [id, agent(id, v)])),
    archetypes: {},
    orchestrators: { desk: agent('desk', '1.0.0') },
  }
}

const hash = (digit: string) => digit.repeat(64)

function lockOf(
  manifest: Manifest,
  old?: Json,
  {
    now = NOW,
    changed = new Set<string>(),
    only,
  }: { now?: string; changed?: ReadonlySet<string>; only?: ReadonlySet<string> } = {},
): Json {
  return nextLock({
    old,
    agents: agentsOf(manifest).all,
    manifest: { path: 'agents/prompt-manifest.json', version: '3.0.0' },
    hashOf: ({ id }) => hash(changed.has(id) ? 'b' : 'a'),
    now,
    ...(only && { only }),
  })
}

async function relocked(text: string, manifest: Manifest, more: Parameters<typeof lockOf>[2] = {}) {
  const [document] = (await readDocuments(text, 'json')).documents
  if (!document) throw new Error('no document')
  const value = document.value as Json
  const next = lockOf(manifest, value, { now: LATER, ...more })
  return lockText(next, { text, value, locate: document.locate })
}

describe('a new lock', () => {
  const text = lockText(lockOf(manifestOf({ b: '1.0.0', a: '2.0.0' })))

  test('is JSON with two spaces, sorted by canonical id, with totals and a line end', () => {
    expect(text).toBe(`{
  "version": "3.0.0",
  "lockfileVersion": 1,
  "generated": "${NOW}",
  "algorithm": "SHA-256",
  "prompts": {
    "a": {
      "file": "p/a.md",
      "hash": "${hash('a')}",
      "type": "domain",
      "version": "2.0.0"
    },
    "b": {
      "file": "p/b.md",
      "hash": "${hash('a')}",
      "type": "domain",
      "version": "1.0.0"
    },
    "desk": {
      "file": "p/desk.md",
      "hash": "${hash('a')}",
      "type": "orchestrator",
      "version": "1.0.0"
    }
  },
  "integrity": {
    "total_prompts": 3,
    "domains": 2,
    "archetypes": 0
  }
}
`)
  })

  test('does not depend on the order of the manifest', () => {
    expect(lockText(lockOf(manifestOf({ a: '2.0.0', b: '1.0.0' })))).toBe(text)
  })
})

const OLD = `{
  "version": "1",
  "lockfileVersion": 1, "generated": "${NOW}",
  "description": "kept  as it is",
  "algorithm": "SHA-256",
  "prompts": {
    "a": { "file": "./p/a.md", "hash": "${hash('a')}", "type": "domain", "version": "1.0.0", "by": ["Ada"] },
    "desk": {
      "file": "p/desk.md", "hash": "${hash('a')}",
      "type": "orchestrator", "version": "1.0.0" }
  },
  "integrity": { "total_prompts": 2, "domains": 1, "archetypes": 0, "note": null },
  "x-more": { "a": [1, 2] }
}`

describe('a lock that is there', () => {
  test('keeps its bytes where nothing changed, its time too', async () => {
    expect(await relocked(OLD, manifestOf({ a: '1.0.0' }))).toBe(OLD)
  })

  test('gets one entry more in its place, and every other entry keeps its bytes', async () => {
    const text = await relocked(OLD, manifestOf({ a: '1.0.0', b: '1.0.0' }))
    const lines = new Set(text.split('\n'))
    const entries = OLD.split('\n').slice(6, 10)
    expect(
      entries.every(
        line => lines.has(line.replace(/,$/, '')) || lines.has(line) || lines.has(`${line},`),
      ),
    ).toBe(true)
    expect(Object.keys(JSON.parse(text).prompts)).toEqual(['a', 'b', 'desk'])
    expect(JSON.parse(text)).toMatchObject({
      version: '1',
      generated: LATER,
      description: 'kept  as it is',
      integrity: { total_prompts: 3, domains: 2, note: null },
      'x-more': { a: [1, 2] },
    })
    expect(text).toContain('"x-more": { "a": [1, 2] }')
  })

  test('keeps what else stands in an entry that changes', async () => {
    const text = await relocked(OLD, manifestOf({ a: '1.0.0' }), { changed: new Set(['a']) })
    expect(JSON.parse(text).prompts.a).toEqual({
      file: './p/a.md',
      hash: hash('b'),
      type: 'domain',
      version: '1.0.0',
      by: ['Ada'],
    })
  })

  test('is put in order, and what is missing or no entry at all is written', async () => {
    const broken = `{"prompts": {"desk": 1, "a": {}}, "integrity": [], "generated": "${NOW}"}`
    const text = await relocked(broken, manifestOf({ a: '1.0.0' }))
    expect(JSON.parse(text)).toEqual({
      ...(lockOf(manifestOf({ a: '1.0.0' })) as object),
      generated: LATER,
    })
    expect(Object.keys(JSON.parse(text).prompts)).toEqual(['a', 'desk'])
  })

  test.each([
    ['tabs', '\t', '\n'],
    ['four spaces', '    ', '\n'],
    ['line ends of Windows', '  ', '\r\n'],
  ])('keeps %s', async (_, indent, eol) => {
    const value = lockOf(manifestOf({ a: '1.0.0' }))
    const text = `${JSON.stringify(value, null, indent).replaceAll('\n', eol)}${eol}`
    const next = await relocked(text, manifestOf({ a: '1.0.0', b: '1.0.0' }))
    const expected = lockOf(manifestOf({ a: '1.0.0', b: '1.0.0' }), value, { now: LATER })
    expect(next).toBe(`${JSON.stringify(expected, null, indent).replaceAll('\n', eol)}${eol}`)
  })

  test('changes for one agent alone where only that one may change', () => {
    const old = lockOf(manifestOf({ a: '1.0.0', b: '1.0.0' }))
    const next = lockOf(manifestOf({ a: '2.0.0', b: '2.0.0', c: '1.0.0' }), old, {
      only: new Set(['b']),
    })
    const diff = diffLocks(old, next)
    expect([diff.added, diff.removed]).toEqual([[], []])
    expect(diff.changed).toEqual([
      { id: 'b', parts: [{ part: 'version', from: '1.0.0', to: '2.0.0' }] },
    ])
  })
})

const agentIds = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/), { maxLength: 12 })
const versions = fc.constantFrom('1.0.0', '2.0.0')

test('whatever changes, a second run changes nothing, and the text says what the value does', async () => {
  await fc.assert(
    fc.asyncProperty(agentIds, agentIds, versions, async (before, after, version) => {
      const manifest = (ids: readonly string[], v: string) =>
        manifestOf(Object.fromEntries(ids.filter(id => id !== 'desk').map(id => [id, v])))
      const first = lockText(lockOf(manifest(before, '1.0.0')))
      const next = manifest(after, version)
      const second = await relocked(first, next)
      expect(JSON.parse(second)).toEqual(lockOf(next, JSON.parse(first), { now: LATER }))
      expect(await relocked(second, next, { now: '2027-01-01T00:00:00Z' })).toBe(second)
      const same = JSON.stringify(lockOf(next)) === JSON.stringify(JSON.parse(first))
      expect(second === first).toBe(same)
    }),
    { numRuns: 200 },
  )
})

test('two locks differ by agent, by part and by what else there is', () => {
  const old = lockOf(manifestOf({ a: '1.0.0', b: '1.0.0', c: '1.0.0' }))
  const next = lockOf(manifestOf({ b: '2.0.0', c: '1.0.0', d: '1.0.0' }), old, {
    changed: new Set(['b']),
  })
  const { added, removed, changed, other, reordered } = diffLocks(old, next)
  expect(added.map(({ id }) => id)).toEqual(['d'])
  expect(removed.map(({ id, hash: was }) => [id, was])).toEqual([['a', hash('a')]])
  expect(changed).toEqual([
    {
      id: 'b',
      parts: [
        { part: 'hash', from: hash('a'), to: hash('b') },
        { part: 'version', from: '1.0.0', to: '2.0.0' },
      ],
    },
  ])
  expect([other, reordered]).toEqual([[], false])
})

test('a difference in the totals, or in the order alone, is a difference', () => {
  const lock = lockOf(manifestOf({ a: '1.0.0' })) as { prompts: object; integrity: object }
  const { a, desk } = lock.prompts as Record<string, Json>
  const shuffled = { ...lock, prompts: { desk, a }, integrity: { ...lock.integrity, domains: 7 } }
  const diff = diffLocks(shuffled as Json, lock as Json)
  expect(diff).toMatchObject({
    added: [],
    changed: [],
    other: [{ part: '/integrity/domains', from: 7, to: 1 }],
    reordered: true,
  })
})
