import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { entriesOf } from '../../log-entries.ts'
import {
  ANALYSIS,
  type Forged,
  type Handoff,
  handoffOf,
  inSeconds,
  listedKey,
  newKey,
  PRODUCT,
  signerOf,
  TECHNICAL,
} from './forge.ts'
import { codesOf, expectRefused, expectVerified, prepare, type Stand } from './stand.ts'

// Handoffs that state another hash than the locked one: whom that keeps out, and whom it does not.

const PROMPT = `prompts/${ANALYSIS}.md`
const QUARANTINED = 'agent-handoff/not-quarantined'
const MISMATCH = 'agent-handoff/prompt-hash-matches-lock'
const ATTESTED = 'agent-handoff/attested'
const prepared = await prepare()

function receive(
  where: Stand,
  handoff = handoffOf(),
  change: (handoff: Handoff) => void = () => {},
) {
  change(handoff)
  return where.receive({ document: handoff, envelope: prepared.seal(handoff) })
}

const eventsOf = async (where: Stand) =>
  (await entriesOf(where)).filter(({ kind }) => kind === 'security-event')

describe('a wrong hash in a handoff', () => {
  const wrong = ({ target_agent }: Handoff) => {
    target_agent.prompt_hash = '0'.repeat(64)
  }

  test('that its source has signed keeps the source out, for it alone vouches for it', async () => {
    const copy = prepared.stand()
    const attacked = await receive(copy, handoffOf(), wrong)
    await expectRefused(copy, attacked, [MISMATCH, ATTESTED])
    expect(attacked.answer.quarantined).toEqual([PRODUCT])
    await expectRefused(copy, await receive(copy), [QUARANTINED])
  })

  const faults: [string, (handoff: Handoff) => void][] = [
    ['with an unknown field', handoff => Object.assign(handoff, { extra: 1 })],
    [
      'with a time without a zone',
      handoff => Object.assign(handoff, { timestamp: '2026-11-21T12:00:00' }),
    ],
    ['without a well-formed id', handoff => Object.assign(handoff, { handoff_id: 'heron' })],
    ['for an agent without a type', ({ target_agent }) => delete target_agent.agent_type],
  ]

  test.each(faults)(
    'in a document %s keeps the source out all the same, and is recorded',
    async (_, fault) => {
      const copy = prepared.stand()
      const attacked = await receive(copy, handoffOf(), handoff => {
        wrong(handoff)
        fault(handoff)
      })
      expect(codesOf(attacked).join()).toMatch(/schema\//)
      expect(attacked).toMatchObject({ ran: false, answer: { quarantined: [PRODUCT] } })
      const [event, refusal] = await entriesOf(copy)
      expect([event?.kind, refusal?.kind]).toEqual(['security-event', 'handoff-rejected'])
      await expectRefused(copy, await receive(copy), [QUARANTINED])
      await expectVerified(copy)
    },
  )

  test.each(faults)(
    'in an unsigned document %s is recorded, and quarantines no agent',
    async (_, fault) => {
      const copy = prepared.stand()
      const handoff = handoffOf()
      wrong(handoff)
      fault(handoff)
      expect((await copy.receive({ document: handoff })).answer.quarantined).toEqual([])
      expect((await eventsOf(copy)).map(({ statement }) => statement.predicate)).toMatchObject([
        { event: 'hash-mismatch', quarantined: [] },
      ])
      expect((await receive(copy)).answer.answer).toBe('accepted')
    },
  )

  test('under an id that was accepted before is no copy, and keeps the source out', async () => {
    const copy = prepared.stand()
    const handoff = handoffOf()
    expect((await receive(copy, handoff)).answer.answer).toBe('accepted')
    const attacked = await receive(copy, handoff, wrong)
    expect(attacked.answer.quarantined).toEqual([PRODUCT])
    await expectRefused(copy, await receive(copy), [QUARANTINED])
  })

  test.each<[string, readonly string[], (statement: Forged) => void]>([
    [
      'in an envelope for another agent',
      [],
      ({ predicate }) => {
        predicate.aud = TECHNICAL
      },
    ],
    ['that another agent receives', ['--as', TECHNICAL], () => undefined],
  ])('%s keeps the source out: it has signed it', async (_, args, statement) => {
    const copy = prepared.stand()
    const handoff = handoffOf()
    wrong(handoff)
    const envelope = prepared.seal(handoff, { statement })
    const attacked = await copy.receive({ document: handoff, envelope, args })
    await expectRefused(copy, attacked, [MISMATCH, ATTESTED, 'envelope/wrong-audience'])
    expect(attacked.answer.quarantined).toEqual([PRODUCT])
  })

  test.each<[string, (statement: Forged) => void]>([
    ['alone', () => undefined],
    [
      'in an envelope for another agent',
      ({ predicate }) => {
        predicate.aud = TECHNICAL
      },
    ],
  ])('%s by a key that is not committed quarantines no agent', async (_, statement) => {
    const copy = prepared.stand()
    const key = newKey()
    const config = join(copy.root, 'waybill.yaml')
    const entry = `  - agent: ${PRODUCT}\n    key: ${listedKey(key)}\n    from: ${inSeconds(-60)}\n`
    writeFileSync(config, `${readFileSync(config, 'utf8').trimEnd()}\n${entry}`)
    const attack = () => {
      const document = handoffOf()
      wrong(document)
      const envelope = prepared.seal(document, { statement, signers: [signerOf(key)] })
      return copy.receive({ document, envelope })
    }
    const attacked = await attack()
    expect(codesOf(attacked)).toContain(MISMATCH)
    expect(attacked).toMatchObject({ ran: false, answer: { quarantined: [] } })
    expect((await receive(copy)).answer.answer).toBe('accepted')
    await copy.shell('git commit -qam key')
    expect((await attack()).answer.quarantined).toEqual([PRODUCT])
  })

  test('accuses once: a copy of it causes no quarantine when a person has answered for it, a new one does', async () => {
    const copy = prepared.stand()
    const config = join(copy.root, 'waybill.yaml')
    writeFileSync(config, `people: claimed\n${readFileSync(config, 'utf8')}`)
    await copy.shell('git commit -qam people')
    const reconcile = () =>
      copy.run('lock', 'reconcile', PRODUCT, '--by', 'ada', '--why', 'the sender was mended')
    const attacks = [handoffOf(), handoffOf()].map(document => {
      wrong(document)
      return { document, envelope: prepared.seal(document) }
    })
    // The second one comes while its source is kept out for the first.
    for (const attack of attacks) await copy.receive(attack)
    expect((await reconcile()).status).toBe(0)
    for (const attack of attacks) {
      const again = await copy.receive(attack)
      expect(again).toMatchObject({ ran: false, answer: { answer: 'rejected', quarantined: [] } })
    }
    expect((await receive(copy)).answer.answer).toBe('accepted')
    const [first] = attacks
    const document = first?.document
    const fresh = await copy.receive({ document, envelope: prepared.seal(document) })
    expect(fresh.answer.quarantined).toEqual([PRODUCT])
    await expectVerified(copy)
  })

  test('in a copy of what was accepted before another prompt was locked quarantines no agent', async () => {
    const copy = prepared.stand()
    const handoff = handoffOf()
    const attack = { document: handoff, envelope: prepared.seal(handoff) }
    expect((await copy.receive(attack)).answer.answer).toBe('accepted')
    copy.write(PROMPT, 'You do as the heron says.\n')
    await copy.run('lock')
    await copy.shell('git commit -qam prompts')
    const again = await copy.receive(attack)
    expect(codesOf(again)).toContain(MISMATCH)
    expect(again.answer.quarantined).toEqual([])
  })

  test('without a signature quarantines no agent: otherwise a writer of files could stop any agent', async () => {
    const copy = prepared.stand()
    const handoff = handoffOf()
    wrong(handoff)
    const attacked = await copy.receive({ document: handoff })
    await expectRefused(copy, attacked, [MISMATCH, ATTESTED, 'envelope/unsigned'])
    expect(attacked.answer.quarantined).toEqual([])
    expect((await receive(copy)).answer.answer).toBe('accepted')
  })
})
