import { readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ANALYSIS,
  codesOf,
  DESK,
  openPair,
  type Pair,
  PRODUCT,
  THINKER,
  textOf,
} from '../../test/governed-pair.ts'
import { entriesOf } from '../../test/log-entries.ts'
import keyRotate from './key-rotate.ts'
import receive from './receive.ts'

describe('from one installation to another that has no key of the sender', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await openPair()
  })
  afterAll(() => pair.remove())

  test('the receiver holds the keys of its own gateway and log, and no other', () => {
    const names = readdirSync(join(pair.receiver.root, '.waybill/keys')).filter(n =>
      n.endsWith('pem'),
    )
    expect(names.map(name => name.split('.')[0]).sort()).toEqual(['gateway', 'log'])
  })

  test.each([
    ['a domain to a domain', PRODUCT, ANALYSIS],
    ['an archetype to a domain of its composition', THINKER, PRODUCT],
    ['a domain to an archetype', ANALYSIS, THINKER],
    ['a domain to an orchestrator', PRODUCT, DESK],
    ['an orchestrator, which mediates, to a domain', DESK, 'domain-06-technical'],
  ])('%s is accepted', async (_, from, to) => {
    const answer = await pair.receive(await pair.bring(from, to))
    expect(answer).toMatchObject({ answer: 'accepted', from, to, diagnostics: [] })
    expect(answer.attestation).toMatchObject({
      source_agent_verified: true,
      target_agent_verified: true,
      composition_valid: true,
      boundaries_respected: true,
      policy: { decision: 'allow' },
    })
  })

  test('what is accepted is recorded once, in full, with the envelope of the sender', async () => {
    const path = await pair.bring()
    const before = (await entriesOf(pair.receiver)).length
    const answer = await pair.receive(path)
    const entries = (await entriesOf(pair.receiver)).slice(before)
    expect(entries.map(({ kind }) => kind)).toEqual(['handoff-accepted'])
    const [entry] = entries
    expect(entry?.digest).toBe(answer.receipt.digest)
    expect(entry?.statement.predicate).toMatchObject({
      document: JSON.parse(textOf(pair.receiver, path)),
      envelope: JSON.parse(textOf(pair.receiver, path.replace('.json', '.dsse.json'))),
      ids: { handoff: answer.handoff },
    })
    expect(JSON.parse(textOf(pair.receiver, answer.receiptFile ?? ''))).toMatchObject({
      answer: 'accepted',
      receipt: answer.receipt,
    })
  })

  test('the same handoff is accepted once, and refused ever after', async () => {
    const path = await pair.bring()
    expect((await pair.receive(path)).answer).toBe('accepted')
    const again = await pair.receive(path)
    expect(again).toMatchObject({ answer: 'rejected' })
    expect(codesOf(again)).toEqual(['agent-handoff/not-replayed'])
  })

  test('a boundary is named, with the nearest agent that is allowed, and that is recorded', async () => {
    const path = await pair.bring(DESK, 'domain-06-technical')
    const forged = textOf(pair.receiver, path).replaceAll(DESK, PRODUCT)
    pair.receiver.write(path, forged)
    const answer = await pair.receive(path)
    const found = answer.diagnostics.find(({ code }) => code === 'agent-handoff/within-boundaries')
    expect(found?.message).toContain(`nearest permitted agent is '${THINKER}'`)
    // The document claims otherwise; what counts is what was computed.
    expect(JSON.parse(forged).governance.boundaries_respected).toBe(true)
    expect(answer.attestation?.boundaries_respected).toBe(false)
    const entry = (await entriesOf(pair.receiver)).at(-1)
    expect(entry).toMatchObject({ kind: 'handoff-rejected', digest: answer.receipt.digest })
    expect(entry?.statement.predicate).toMatchObject({
      found: expect.arrayContaining([
        { code: 'agent-handoff/within-boundaries', severity: 'error' },
      ]),
      attestation: { boundaries_respected: false },
    })
  })

  test('a document that was changed after it was signed is refused, and its text is not recorded', async () => {
    const path = await pair.bring()
    pair.receiver.write(path, textOf(pair.receiver, path).replace('feature X', 'feature Y'))
    const answer = await pair.receive(path)
    expect(codesOf(answer)).toEqual(['envelope/wrong-subject'])
    const entry = (await entriesOf(pair.receiver)).at(-1)
    expect(entry?.kind).toBe('handoff-rejected')
    expect(JSON.stringify(entry?.statement)).not.toContain('feature')
  })

  test('a bare document is refused', async () => {
    const path = await pair.bring()
    const alone = 'alone.json'
    pair.receiver.write(alone, textOf(pair.receiver, path))
    expect(codesOf(await pair.receive(alone))).toEqual(['envelope/unsigned'])
  })

  test('a handoff for another agent than the one that receives is refused', async () => {
    const answer = await pair.receive(await pair.bring(), { as: DESK })
    expect(answer.answer).toBe('rejected')
    expect(codesOf(answer)).toEqual(['envelope/wrong-audience'])
    expect(answer.diagnostics[0]?.hint).toMatch(/forward it to the agent/)
  })

  test('a lock that differs on one side is reported, even if both prompts are the same', async () => {
    const path = await pair.bring()
    const lock = textOf(pair.receiver, 'prompt-lock.json')
    pair.receiver.write('prompt-lock.json', `${lock}\n`)
    const answer = await pair.receive(path)
    pair.receiver.write('prompt-lock.json', lock)
    expect(codesOf(answer)).toEqual(['envelope/lock-differs'])
    expect(answer.quarantined).toEqual([])
  })

  test('a credential is refused, and neither shown nor recorded', async () => {
    const path = await pair.bring()
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    pair.receiver.write(path, textOf(pair.receiver, path).replace('feature X', secret))
    const answer = await pair.receive(path)
    expect(codesOf(answer)).toContain('gateway/secret')
    expect(JSON.stringify(answer)).not.toContain(secret)
    expect(JSON.stringify(await entriesOf(pair.receiver))).not.toContain(secret)
  })

  test('what only the second scanner takes for a credential is refused, too', async () => {
    const path = await pair.bring()
    const text = 'postgres://admin:example-9x@db.example.net/x'
    pair.receiver.write(path, textOf(pair.receiver, path).replace('feature X', text))
    expect(codesOf(await pair.receive(path))).toContain('gateway/secret')
  })

  test('a document of 100 MB is refused without being read, and that is recorded', async () => {
    const path = 'large.json'
    writeFileSync(join(pair.receiver.root, path), '{"handoff_id": "')
    truncateSync(join(pair.receiver.root, path), 100 * 1024 ** 2)
    const before = process.memoryUsage().arrayBuffers
    const answer = await pair.receive(path)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 ** 2)
    expect(codesOf(answer)).toEqual(['syntax/too-large'])
    expect((await entriesOf(pair.receiver)).at(-1)?.digest).toBe(answer.receipt.digest)
  })

  test.each([
    ['nothing', ''],
    ['another document', '{"x": 1}'],
    ['two keys of one name', '{"handoff_id": "a", "handoff_id": "b"}'],
    ['ids of other forms', '{"handoff_id": "../x", "source_agent": {"agent_id": "a\\u0000b"}}'],
    ['a list', '[]'],
    ['a page', '# Not a handoff\n'],
  ])('%s is rejected, and recorded without a word of it', async (name, text) => {
    const path = `odd-${name.replaceAll(' ', '-')}${text.startsWith('#') ? '.md' : '.json'}`
    pair.receiver.write(path, text)
    const answer = await pair.receive(path)
    expect(answer).toMatchObject({ answer: 'rejected', handoff: null, receiptFile: null })
    const entry = (await entriesOf(pair.receiver)).at(-1)
    expect(entry).toMatchObject({ kind: 'handoff-rejected', digest: answer.receipt.digest })
    expect(entry?.statement.predicate).toMatchObject({ ids: {}, agents: [] })
  })

  test('an envelope in the place of the document is named as what it is', async () => {
    const path = await pair.bring()
    const answer = await pair.receive(path.replace('.json', '.dsse.json'))
    expect(codesOf(answer)).toEqual(['gateway/no-handoff'])
    expect(answer.diagnostics[0]).toMatchObject({
      message: `this is the envelope of ${path}, not a handoff`,
      hint: expect.stringContaining(`waybill receive ${path}`),
    })
    expect((await pair.receive(path)).answer).toBe('accepted')
  })

  test('each receipt gets a file of its own, or it is said why there is none', async () => {
    const path = await pair.bring()
    const first = await pair.receive(path)
    const { index } = first.receipt
    const id = first.handoff
    pair.receiver.write(`${id}.${index + 1}.receipt.json`, 'taken')
    const second = await pair.receive(path)
    expect(second.receiptFile).toBe(`${id}.${index + 1}-2.receipt.json`)
    expect(second).not.toHaveProperty('receiptNote')
    pair.receiver.write('nameless.json', '{}')
    const nameless = await pair.receive('nameless.json')
    expect(nameless).toMatchObject({
      receiptFile: null,
      receiptNote: expect.stringMatching(/no valid id/),
    })
  })

  test('a path that does not exist is an error, and no answer', async () => {
    const before = (await entriesOf(pair.receiver)).length
    await expect(pair.receive('missing.json')).rejects.toThrow(/does not exist/)
    expect((await entriesOf(pair.receiver)).length).toBe(before)
  })

  test('a time that is yet to come is no time to receive at', async () => {
    const path = await pair.bring()
    const app = pair.receiver.app({ now: Date.now() + 3_600_000 })
    const { clock: _, ...given } = app
    await expect(receive.run({ path }, given)).rejects.toThrow(/in the future/)
  })

  test('a handoff that was kept back for six minutes is stale, though its envelope could still be used', async () => {
    const path = await pair.bring()
    const now = Date.now() + 360_000
    const late = pair.receiver.app({ clock: () => now })
    const answer = await receive.run({ path }, late)
    expect(codesOf(answer)).toEqual(['agent-handoff/fresh-when-received'])
  })
})

describe('what is not committed', () => {
  let pair: Pair
  beforeEach(async () => {
    pair = await openPair()
  })
  afterEach(() => pair.remove())

  const append = (text: string) =>
    pair.receiver.write('waybill.yaml', `${textOf(pair.receiver, 'waybill.yaml')}${text}`)

  test('is pointed at and recorded, for configuration, manifest and lock', async () => {
    const clean = await pair.receive(await pair.bring())
    const all = (committed: boolean) => ({
      configuration: { path: 'waybill.yaml', committed },
      manifest: { committed: true },
      lock: { committed: true },
    })
    expect(clean).toMatchObject({ diagnostics: [], attestation: all(true) })
    append('people: claimed\n')
    const changed = await pair.receive(await pair.bring())
    expect(changed).toMatchObject({ answer: 'accepted', attestation: all(false) })
    expect(changed.diagnostics).toMatchObject([
      {
        code: 'gateway/uncommitted',
        severity: 'warning',
        message: expect.stringMatching(/^waybill\.yaml is not/),
      },
    ])
    const entry = (await entriesOf(pair.receiver)).at(-1)
    expect(entry?.statement.predicate).toMatchObject({
      attestation: all(false),
      found: [{ code: 'gateway/uncommitted', severity: 'warning' }],
    })
    pair.receiver.commit()
    expect((await pair.receive(await pair.bring())).diagnostics).toEqual([])
  })

  test('does not say whose bare documents are taken', async () => {
    const bare = async () => {
      const path = await pair.bring()
      pair.receiver.write('bare.json', textOf(pair.receiver, path))
      return pair.receive('bare.json')
    }
    append(`unsigned: [${PRODUCT}]\n`)
    expect(codesOf(await bare())).toContain('gateway/uncommitted-trust')
    pair.receiver.commit()
    expect((await bare()).answer).toBe('accepted')
  })

  test('does not say whose key counts', async () => {
    await keyRotate.run({ holder: PRODUCT }, pair.sender.app())
    pair.receiver.write('waybill.yaml', textOf(pair.sender, 'waybill.yaml') + ownKeys(pair))
    const answer = await pair.receive(await pair.bring())
    expect(codesOf(answer)).toContain('gateway/uncommitted-trust')
    expect(answer).toMatchObject({ answer: 'rejected', quarantined: [] })
    pair.receiver.commit()
    expect((await pair.receive(await pair.bring())).answer).toBe('accepted')
  })
})

/** What the receiver lists for its own gateway and log, at the end of its configuration. */
function ownKeys({ sender, receiver }: Pair): string {
  const shared = sender.git('show', 'HEAD:waybill.yaml')
  return textOf(receiver, 'waybill.yaml').slice(shared.length)
}
