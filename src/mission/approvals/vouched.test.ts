import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answering, delivering, hook } from '../../../test/delivering.ts'
import { type Forged, forgeApproval } from '../../../test/forged-decision.ts'
import { forgetDecisions, TENANT } from '../../../test/write-backs.ts'
import { formatInstant } from '../../document/index.ts'
import { draftEntry, type EntrySigner } from '../../governance/entries/entry.ts'
import { digestBytes, entryAt } from '../../governance/index.ts'
import { proveStatement } from '../../governance/people/statement.ts'
import { toHex } from '../../ledger/index.ts'
import { decideProposal } from './decide.ts'
import type { Which } from './proposal.ts'
import { decisionId, recordDecisions } from './record.ts'
import { decisionText, waiverText } from './stated.ts'

const CODE = 'writeback/not-approved'

describe.each([
  ['files', 'file'],
  ['the same database', 'postgres'],
])('where the log is in %s', (_, ledger) => {
  const on = delivering({ ledger })
  const forge = (which: Which, forged: Forged) =>
    forgeApproval(on.there.database.url, which, forged)
  /** Lets a try be made; gives what was sent, and what came of it. */
  const tried = async (which: Which) => {
    const { url, received } = await on.listen(answering(200))
    await on.tryAt(which, 1, { writebacks: hook(url) })
    return { received, ...(await on.deliveryOf(which)) }
  }
  const forget = ({ mission }: Which) => forgetDecisions(on.there.owner, mission)
  /** A row that waives the approval of a person, as a forger would write it. */
  const waived = async (which: Which, isGrounded = true): Promise<Forged> => {
    const { digest } = await on.proposalOf(which)
    const [expiresAt, at] = [new Date(Date.now() + 60_000), Date.now()]
    const { origin } = on.there.gateway
    const given = { ...which, digest, expiresAt, origin, at }
    const grounds = isGrounded ? [{ decision_id: 'pol_1', sha256: digest }] : []
    const { stated, by, why } = waiverText(given, grounds)
    const said = { decided_by: by, why, statement: { stated }, expires_at: expiresAt }
    return { standing: 'policy', ...said }
  }
  /** In the words for it, under a mere name, for 31 days. */
  const lasting = async (which: Which): Promise<Forged> => {
    const { digest } = await on.proposalOf(which)
    const { origin } = on.there.gateway
    const at = on.there.gateway.time()
    const expiresAt = new Date(at + 31 * 86_400_000)
    const said = { by: 'ada', why: 'forged', decision: 'approved' } as const
    const stated = decisionText({ ...which, ...said, digest, expiresAt, origin, at })
    return { standing: 'claimed', statement: { stated }, expires_at: expiresAt }
  }
  /** Signed with the key of ada, and dated a minute back. */
  const datedBack = async (which: Which): Promise<Forged> => {
    const { digest } = await on.proposalOf(which)
    const { gateway, key } = on.there
    const at = gateway.time() - 60_000
    const expiresAt = new Date(at + 3_600_000)
    const said = { by: 'ada', why: 'forged', decision: 'approved' } as const
    const { origin } = gateway
    const stated = decisionText({ ...which, ...said, digest, expiresAt, origin, at })
    const bytes = new TextEncoder().encode(stated)
    const proof = proveStatement({ by: 'ada', bytes, keyFile: key })
    return { standing: 'proved', statement: { stated, proof }, expires_at: expiresAt, entry: null }
  }
  /** A gateway of the same installation with another configuration. */
  const configured = async (change: (text: string) => string) => {
    const file = join(on.there.folder.root, 'waybill.yaml')
    const text = readFileSync(file, 'utf8')
    expect(change(text)).not.toBe(text)
    writeFileSync(file, change(text))
    const gateway = await on.there.openGateway()
    writeFileSync(file, text)
    return gateway
  }
  /** The row of an approval as the log has it, which is not in the database any more. */
  const onlyInLog = async (which: Which) => {
    const given = { by: 'ada', why: 'read', decision: 'approved' } as const
    const { store } = on.there.database
    const { decision } = await decideProposal(store, on.there.gateway, { ...which, ...given })
    await forget(which)
    const { entry, standing, why, statement, expiresAt } = decision
    return { entry, standing, why, statement, expires_at: expiresAt }
  }

  test('an approval without an entry in the log is not sent, and the outcome says so', async () => {
    const which = await on.there.propose()
    await forge(which, { entry: '0'.repeat(64) })
    expect(await tried(which)).toMatchObject({
      ...{ received: [], state: 'failed' },
      outcome: { code: CODE, message: expect.stringContaining('the log has no entry') },
    })
    expect(await on.outcomesOf(which)).toMatchObject([{ outcome: 'failed', code: CODE }])
  })

  test.each<[string, Forged]>([
    ['by', { decided_by: 'the board' }],
    ['standing', { standing: 'proved' }],
    ['why', { why: 'another reason' }],
    ['stated and policy', { statement: {} }],
    ['expires', { expires_at: null }],
  ])('an approval whose entry in the log differs in "%s" is not sent', async (member, forged) => {
    const which = await on.there.propose()
    await forge(which, { ...(await onlyInLog(which)), ...forged })
    const message = new RegExp(`^entry \\d+ of the log differs in ${member}$`)
    expect(await tried(which)).toMatchObject({
      ...{ received: [], state: 'failed' },
      outcome: { code: CODE, message: expect.stringMatching(message) },
    })
  })

  test('an approval that is as the log has it is sent, and no other proposal by its entry', async () => {
    const which = await on.there.propose()
    const row = await onlyInLog(which)
    await forge(which, row)
    expect(await tried(which)).toMatchObject({ received: [{}], state: 'delivered' })
    const another = await on.there.propose()
    await forge(another, row)
    expect(await tried(another)).toMatchObject({
      ...{ received: [], state: 'failed' },
      outcome: { message: expect.stringMatching(/differs in ids and subject$/) },
    })
  })

  test('an approval in an entry that the gateway has not signed is not sent', async () => {
    const { log } = on.there.gateway
    const row = await onlyInLog(await on.there.propose())
    const [index = -1] = await log.find(`digest:${row.entry}`)
    const real = await entryAt(log, index)
    if (real.is !== 'entry') throw new Error('there is no entry')
    const which = await on.there.propose()
    const ids = { mission: which.mission, decision: decisionId(which) }
    const sha256 = (await on.proposalOf(which)).digest
    const subject = [{ name: 'writeback-proposal', digest: { sha256 } }]
    const predicate = { ...(real.statement.predicate as object), ids } as never
    const entry = draftEntry('writeback-decision', { subject, predicate }, stranger())
    await log.append(entry)
    await forge(which, { ...row, entry: entry.digest })
    expect(await tried(which)).toMatchObject({
      ...{ received: [], state: 'pending' },
      outcome: { code: CODE, message: expect.stringContaining('no known key of the gateway') },
    })
  })

  test.each<[string, (which: Which) => Promise<Forged>]>([
    ['states nothing', async () => ({})],
    ['states something else', async which => ({ ...(await onlyInLog(which)), why: 'another' })],
    ['is said to be signed', async which => ({ ...(await onlyInLog(which)), standing: 'proved' })],
    ['names a proof that is none', async which => proved(await onlyInLog(which))],
    ['a policy is said to have made', which => waived(which)],
    ['counts for longer than any may', lasting],
  ])('a decision that %s is not recorded, and nothing is sent', async (_, row) => {
    const which = await on.there.propose()
    const { store } = on.there.database
    await forge(which, { ...(await row(which)), entry: null })
    const entries = await on.there.gateway.log.find('kind:writeback-decision')
    await expect(recordDecisions(store, TENANT, on.there.gateway)).rejects.toThrow(
      /could not be recorded in the log: (?:no valid statement proves |cannot verify that ada)/,
    )
    expect(await on.proposalOf(which)).toMatchObject({ decision: { entry: null }, delivery: null })
    expect(await on.there.gateway.log.find('kind:writeback-decision')).toEqual(entries)
    await forget(which)
  })

  test('a waiver without a policy decision that it rests on is not recorded', async () => {
    const which = await on.there.propose({ proposal: { requires_approval: false } })
    await forge(which, { ...(await waived(which, false)), entry: null })
    const { store } = on.there.database
    const recording = recordDecisions(store, TENANT, on.there.gateway)
    await expect(recording).rejects.toThrow(/no valid statement proves |cannot verify that ada/)
    await forget(which)
  })

  test('what a key has signed that is revoked by now is not recorded, whatever its date', async () => {
    const which = await on.there.propose()
    const { database, gateway } = on.there
    await forge(which, await datedBack(which))
    const since = formatInstant(gateway.time() - 30_000)
    const from = 'from: 2026-01-01T00:00:00Z\n'
    const revoked = await configured(text => text.replace(from, `${from}    revoked: ${since}\n`))
    const recording = recordDecisions(database.store, TENANT, revoked)
    await expect(recording).rejects.toThrow(/no valid statement proves |cannot verify that ada/)
    expect(await recordDecisions(database.store, TENANT, gateway)).toBe(1)
  })

  test('a decision with a statement is recorded although 150 without one precede it', async () => {
    const { database, gateway } = on.there
    const forged: Which[] = []
    for (let n = 0; n < 150; n++) forged.push(await on.there.propose())
    for (const which of forged) await forge(which, { entry: null })
    const which = await on.there.propose()
    await forge(which, await datedBack(which))
    const recording = recordDecisions(database.store, TENANT, gateway)
    await expect(recording).rejects.toThrow(/no valid statement proves |cannot verify that ada/)
    expect((await on.proposalOf(which)).decision?.entry).toMatch(/^[0-9a-f]{64}$/)
    for (const which of forged) await forget(which)
  })

  test('what a name has approved is not sent where names count no more', async () => {
    const which = await on.approve()
    const gateway = await configured(text => text.replace('people: claimed', 'people: proved'))
    const { url, received } = await on.listen(answering(200))
    await on.tryAt(which, 1, { writebacks: hook(url), gateway })
    expect({ received, ...(await on.deliveryOf(which)) }).toMatchObject({
      ...{ received: [], state: 'failed' },
      outcome: { code: CODE, message: expect.stringContaining('by name only') },
    })
  })

  test('an approval that another process has recorded a moment ago is sent', async () => {
    const which = await on.there.propose()
    // What is promised before a log is read for the first time is found in any case.
    await on.there.gateway.log.find(`id:${which.mission}`)
    const other = await on.there.openGateway()
    const given = { by: 'ada', why: 'read', decision: 'approved' } as const
    await decideProposal(on.there.database.store, other, { ...which, ...given })
    expect(await tried(which)).toMatchObject({ received: [{}], state: 'delivered' })
  })
})

/** With an invalid signature, by an unknown key. */
function proved(row: Forged): Forged {
  const proof = { by: 'ada', method: 'ecdsa-p256', keyid: '0'.repeat(64), signature: 'AAAA' }
  return { ...row, standing: 'proved', statement: { ...Object(row.statement), proof } }
}

/** A signer with an unlisted key. */
function stranger(): EntrySigner {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicDer = publicKey.export({ type: 'spki', format: 'der' })
  const keyid = toHex(digestBytes(publicDer))
  return { keyid, publicDer, sign: message => sign('sha256', message, privateKey) }
}
