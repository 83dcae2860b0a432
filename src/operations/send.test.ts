import { createPublicKey, verify } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { entriesOf } from '../../test/log-entries.ts'
import { type Config, loadConfig, sha256 } from '../workspace/index.ts'
import type { SendOutput } from './send/output.ts'
import send from './send.ts'

const PRODUCT = 'domain-05-product'
const ANALYSIS = 'domain-02-analysis'
const ID = '550e8400-e29b-41d4-a716-446655440000'

let repository: GovernedRepository
beforeAll(async () => {
  repository = await openGovernedRepository()
})
afterAll(() => repository.remove())

let drafts = 0
function sendDraft(
  draft: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<SendOutput> {
  const path = `draft-${drafts++}.json`
  repository.write(path, JSON.stringify(draft))
  return send.run({ path, ...more }, repository.app())
}

const codesOf = ({ diagnostics }: SendOutput) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)
const read = (path: string | null) => readFileSync(join(repository.root, path ?? ''), 'utf8')

describe('a draft that leaves out what can be computed', () => {
  test('becomes a whole handoff, which names its entry in the log', async () => {
    const sent = await sendDraft(draftOf(PRODUCT, ANALYSIS))
    expect(sent).toMatchObject({ answer: 'sent', diagnostics: [] })
    const handoff = JSON.parse(read(sent.document))
    const lock = JSON.parse(read('prompt-lock.json'))
    expect(handoff).toMatchObject({
      handoff_id: sent.handoff,
      timestamp: sent.at,
      protocol_version: '1.0.0',
      source_agent: {
        agent_type: 'domain',
        agent_version: '1.0.0',
        prompt_hash: lock.prompts[PRODUCT].hash,
      },
      context: { state: { conversation_history: [], accumulated_context: {}, decisions_made: [] } },
      governance: {
        source_agent_verified: true,
        target_agent_verified: true,
        composition_valid: true,
        boundaries_respected: true,
        audit_trail: `${sent.origin}#${sent.receipt.digest}`,
      },
    })
    const entry = (await entriesOf(repository)).at(-1)
    const { audit_trail: _, ...governance } = handoff.governance
    const document = { ...handoff, governance }
    expect(entry).toMatchObject({ kind: 'handoff-sent', digest: sent.receipt.digest })
    expect(entry?.statement.predicate.document).toEqual(document)
    expect(entry?.statement.subject).toEqual([
      { name: 'handoff', digest: { sha256: sha256(canonicalize(document) ?? '') } },
    ])
  })

  test('is signed with the key that trust lists for its source, over digests that any reader can compute', async () => {
    const sent = await sendDraft(draftOf(PRODUCT, ANALYSIS))
    const { payload, payloadType, signatures } = JSON.parse(read(sent.envelope))
    const bytes = Buffer.from(payload, 'base64')
    const message = Buffer.concat([
      Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `),
      bytes,
    ])
    const { trust = [] }: Config = await loadConfig(repository.root)
    const listed = trust.find(({ agent }) => agent === PRODUCT)?.key ?? ''
    const key = createPublicKey({
      key: Buffer.from(listed, 'base64'),
      format: 'der',
      type: 'spki',
    })
    expect(signatures).toHaveLength(1)
    expect(verify('sha256', message, key, Buffer.from(signatures[0].sig, 'base64'))).toBe(true)
    const { subject, predicate } = JSON.parse(bytes.toString())
    expect(subject).toEqual([
      {
        name: 'handoff',
        digest: { sha256: sha256(canonicalize(JSON.parse(read(sent.document))) ?? '') },
      },
      { name: 'prompt-lock', digest: { sha256: sha256(read('prompt-lock.json')) } },
      { name: 'prompt-manifest', digest: { sha256: sha256(read('prompt-manifest.json')) } },
    ])
    expect(predicate).toMatchObject({ aud: ANALYSIS, iat: sent.at, prev: null })
    expect(Date.parse(predicate.exp) - Date.parse(predicate.iat)).toBe(600_000)
  })

  test('may be YAML, and come from standard input', async () => {
    const yaml = `# The question of this week.
source_agent: { agent_id: ${PRODUCT} }
target_agent: { agent_id: ${ANALYSIS} }
context:
  request:
    type: query
    description: How many users asked for it?
    input_data: see the interviews
    constraints: []
    expected_output: a number
`
    const app = repository.app({ stdin: async () => new TextEncoder().encode(yaml) })
    await expect(send.run({ path: '-' }, app)).rejects.toThrow(/standard input needs --to/)
    expect(await send.run({ path: '-', to: '.' }, app)).toMatchObject({ answer: 'sent', path: '-' })
  })

  test('names the handoff before it in its envelope', async () => {
    const previous = sha256('the one before')
    const sent = await sendDraft(draftOf(PRODUCT, ANALYSIS), { previous })
    const { payload } = JSON.parse(read(sent.envelope))
    expect(JSON.parse(Buffer.from(payload, 'base64').toString()).predicate.prev).toBe(previous)
    await expect(sendDraft({}, { previous: 'x' })).rejects.toThrow(/must be a SHA-256/)
  })
})

describe('what a draft states', () => {
  const wrongHash = { source_agent: { agent_id: PRODUCT, prompt_hash: '0'.repeat(64) } }
  const claims = (governance: unknown) => ({ governance })
  test.each([
    [
      'a type that is not that of the agent',
      { source_agent: { agent_id: PRODUCT, agent_type: 'archetype' } },
      'agent-handoff/agent-type-agrees',
    ],
    [
      'a version that is not that of the agent',
      { target_agent: { agent_id: ANALYSIS, agent_version: '2.0.0' } },
      'agent-handoff/agent-version-agrees',
    ],
    ['a hash that is not the locked one', wrongHash, 'agent-handoff/prompt-hash-matches-lock'],
    ['a claim that is not true', claims({ boundaries_respected: false }), 'agent-handoff/attested'],
    ['an audit trail', claims({ audit_trail: 'log#1' }), 'gateway/draft-disagrees'],
    ['a governance that is none', claims('yes'), 'schema/type'],
    ['a time long ago', { timestamp: '2026-01-01T00:00:00Z' }, 'agent-handoff/fresh-when-received'],
    [
      'a time to come',
      { timestamp: '9999-01-01T00:00:00Z' },
      'agent-handoff/not-ahead-when-received',
    ],
    ['another version of the protocol', { protocol_version: '2.0.0' }, 'schema/const'],
    ['an alias', { target_agent: { agent_id: 'analysis' } }, 'agent-handoff/no-agent-aliases'],
    [
      'an id that only looks like one',
      { target_agent: { agent_id: ANALYSIS.replace('a', 'а') } },
      'agent-handoff/no-lookalike-ids',
    ],
    [
      'an id that no agent has',
      { target_agent: { agent_id: 'nobody' } },
      'agent-handoff/known-agents',
    ],
    ['an unknown key', { priority: 'high' }, 'schema/additional-properties'],
    ['no request', { context: {} }, 'schema/required'],
  ])('%s is refused, recorded, and never overwritten', async (_, more, code) => {
    const before = readdirSync(repository.root).length
    const sent = await sendDraft({ ...draftOf(PRODUCT, ANALYSIS), ...more })
    expect(sent).toMatchObject({ answer: 'rejected', document: null, envelope: null })
    expect(codesOf(sent)).toContain(code)
    // What a draft may leave out is no fault of it, also where it cannot be computed.
    expect(codesOf(sent).includes('schema/required')).toBe(code === 'schema/required')
    // Only the draft itself is new.
    expect(readdirSync(repository.root).length).toBe(before + 1)
    const entry = (await entriesOf(repository)).at(-1)
    expect(entry).toMatchObject({ kind: 'handoff-rejected', digest: sent.receipt.digest })
    expect(entry?.statement.predicate).toMatchObject({ stage: 'send' })
    // A wrong hash in a draft quarantines no agent.
    expect(sent.quarantined).toEqual([])
  })

  test('an id that was sent before is refused for ever', async () => {
    const draft = draftOf(PRODUCT, ANALYSIS, { handoff_id: ID })
    expect((await sendDraft(draft)).answer).toBe('sent')
    await expect(sendDraft(draft)).rejects.toThrow(/exists already/)
    repository.write('elsewhere/keep', '')
    const again = await sendDraft(draft, { to: 'elsewhere' })
    expect(codesOf(again)).toEqual(['agent-handoff/not-replayed'])
  })
})

describe('what governs', () => {
  test.each<[string, string, (file: string) => void]>([
    ['not there', 'gateway/not-governed', () => undefined],
    [
      'a link out of the repository',
      'gateway/governed-from-outside',
      file => symlinkSync('/etc/hostname', file),
    ],
  ])(
    'is %s: only that is reported, and nothing that send would have filled in',
    async (_, code, make) => {
      for (const name of ['prompt-manifest.json', 'prompt-lock.json']) {
        const own = await openGovernedRepository()
        try {
          rmSync(join(own.root, name))
          make(join(own.root, name))
          own.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
          const sent = await send.run({ path: 'draft.json' }, own.app())
          expect(sent.diagnostics).toMatchObject([{ code, message: expect.stringContaining(name) }])
          expect((await entriesOf(own)).map(({ kind }) => kind)).toEqual(['handoff-rejected'])
        } finally {
          own.remove()
        }
      }
    },
  )

  test('names no prompt outside of the repository', async () => {
    const own = await openGovernedRepository()
    try {
      for (const name of ['prompt-manifest.json', 'prompt-lock.json']) {
        const text = readFileSync(join(own.root, name), 'utf8')
        own.write(name, text.replace(`prompts/${PRODUCT}.md`, '../../etc/hostname'))
      }
      own.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
      const sent = await send.run({ path: 'draft.json' }, own.app())
      expect(codesOf(sent)).toEqual(['agent-handoff/prompts-inside-repository'])
    } finally {
      own.remove()
    }
  })
})

describe('what is not sent', () => {
  test('a handoff across a boundary, with the nearest agent that is allowed', async () => {
    const sent = await sendDraft(draftOf(PRODUCT, 'domain-06-technical'))
    expect(codesOf(sent)).toEqual(['agent-handoff/within-boundaries'])
    expect(sent.diagnostics[0]?.message).toContain("'archetype-product-thinker'")
  })

  test('a credential, which is neither shown nor recorded', async () => {
    const secret = `AKIA${'ABCDEFGHIJ234567'}`
    const draft = draftOf(PRODUCT, ANALYSIS)
    const request = { ...draft.context.request, description: `Use ${secret} for it` }
    const sent = await sendDraft({ ...draft, context: { request } })
    expect(codesOf(sent)).toEqual(['gateway/secret'])
    expect(JSON.stringify(sent)).not.toContain(secret)
    expect(JSON.stringify(await entriesOf(repository))).not.toContain(secret)
  })

  test('a handoff in the name of an agent whose key is not here', async () => {
    const keys = join(repository.root, '.waybill/keys')
    const name = readdirSync(keys).find(file => file.startsWith(PRODUCT)) ?? ''
    renameSync(join(keys, name), join(keys, 'elsewhere'))
    const sent = await sendDraft(draftOf(PRODUCT, ANALYSIS))
    renameSync(join(keys, 'elsewhere'), join(keys, name))
    expect(codesOf(sent)).toEqual(['gateway/no-key'])
    expect(sent.diagnostics[0]?.hint).toContain(`waybill key rotate ${PRODUCT}`)
  })

  test('a handoff whose prompt was changed, whose agent is kept out from then on', async () => {
    const own = await openGovernedRepository()
    try {
      own.write('draft.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
      own.write(`prompts/${PRODUCT}.md`, 'You are another agent.\n')
      const sent = await send.run({ path: 'draft.json' }, own.app())
      expect(sent).toMatchObject({ answer: 'rejected', quarantined: [PRODUCT] })
      expect(codesOf(sent)).toContain('agent-handoff/prompt-hash-matches-lock')
      const again = await send.run({ path: 'draft.json' }, own.app())
      expect(codesOf(again)).toContain('agent-handoff/not-quarantined')
      const kinds = (await entriesOf(own)).map(({ kind }) => kind)
      expect(kinds).toEqual(['security-event', 'handoff-rejected', 'handoff-rejected'])
    } finally {
      own.remove()
    }
  })
})

test('nothing is recorded before it is known where it can be written', async () => {
  const before = (await entriesOf(repository)).length
  const nowhere = sendDraft(draftOf(PRODUCT, ANALYSIS), { to: 'prompt-lock.json' })
  await expect(nowhere).rejects.toThrow(/is not a folder/)
  expect((await entriesOf(repository)).length).toBe(before)
})

test('an id is not used up where nothing can be written, and no empty folder is left behind', async () => {
  repository.write('afile', 'x')
  const before = (await entriesOf(repository)).length
  const draft = draftOf(PRODUCT, ANALYSIS, { handoff_id: '7f0c1a52-2d0b-4c55-8a39-3a8e3f2c9d11' })
  await expect(sendDraft(draft, { to: 'afile/x' })).rejects.toMatchObject({ code: 'input-output' })
  expect((await entriesOf(repository)).length).toBe(before)
  const refused = await sendDraft(draftOf(PRODUCT, 'domain-06-technical'), { to: 'a/new/place' })
  expect(refused.answer).toBe('rejected')
  expect(existsSync(join(repository.root, 'a'))).toBe(false)
  expect((await sendDraft(draft, { to: 'a/new/place' })).answer).toBe('sent')
})
