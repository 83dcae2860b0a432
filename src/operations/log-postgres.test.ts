import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../test/database.ts'
import { codesOf } from '../../test/governed-pair.ts'
import { draftOf } from '../../test/governed-repository.ts'
import { carry, type Installation, type Machine, openInstallation } from '../../test/machines.ts'
import doctor from './doctor.ts'
import init from './init.ts'
import lockVerify from './lock-verify.ts'
import logBundle from './log-bundle.ts'
import logCheckpoint from './log-checkpoint.ts'
import logErase from './log-erase.ts'
import logExport from './log-export.ts'
import logProve from './log-prove.ts'
import logShow from './log-show.ts'
import logTail from './log-tail.ts'
import logVerify from './log-verify.ts'
import receive from './receive.ts'
import send from './send.ts'
import trace from './trace.ts'

const [PRODUCT, ANALYSIS] = ['domain-05-product', 'domain-02-analysis']

let installation: Installation
let one: Machine
let other: Machine
beforeAll(async () => {
  installation = await openInstallation('ledger: postgres\npeople: claimed\n')
  one = installation.first
  other = installation.clone()
})
afterAll(() => installation?.remove())

let drafts = 0

/** Sends a handoff from one machine, and brings it to the other; gives its path on both. */
async function handOver(): Promise<string> {
  const draft = `drafts/${drafts++}.json`
  one.write(draft, JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
  const { document, envelope, diagnostics } = await send.run({ path: draft }, one.app())
  if (document === null || envelope === null) throw new Error(JSON.stringify(diagnostics))
  carry(one, other, document, envelope)
  return document
}

const idIn = (path: string) => /([0-9a-f-]{36})\.json$/.exec(path)?.[1] ?? ''

describe('two machines with one database', () => {
  test('have one log: what one has accepted is refused to the other as a replay', async () => {
    const path = await handOver()
    expect((await receive.run({ path }, other.app())).answer).toBe('accepted')
    const again = await receive.run({ path }, one.app())
    expect(again.answer).toBe('rejected')
    expect(codesOf(again)).toContain('agent-handoff/not-replayed')
    const [there, here] = await Promise.all([
      logShow.run({ about: idIn(path) }, other.app()),
      logShow.run({ about: idIn(path) }, one.app()),
    ])
    expect(there.entries.map(({ kind }) => kind)).toEqual([
      'handoff-sent',
      'handoff-accepted',
      'handoff-rejected',
    ])
    expect(here.entries).toEqual(there.entries)
  })

  test('keep out the same agents: one found a changed prompt, and the other refuses what is signed and sound', async () => {
    const path = await handOver()
    const prompt = `prompts/${ANALYSIS}.md`
    const text = one.read(prompt)
    one.write(prompt, 'other words\n')
    expect(await receive.run({ path }, one.app())).toMatchObject({
      answer: 'rejected',
      quarantined: [ANALYSIS],
    })
    one.write(prompt, text)
    const refused = await receive.run({ path }, other.app())
    expect(codesOf(refused)).toEqual(['agent-handoff/not-quarantined'])
    expect((await lockVerify.run({}, other.app())).accepted).toBe(false)
    const { items } = await doctor.run({}, other.app())
    expect(items.find(({ name }) => name === 'quarantine')?.message).toContain(ANALYSIS)
    const approved = other.waybill(
      ...['lock', 'reconcile', ANALYSIS, '--by', 'ada', '--why', 'compared'],
    )
    expect(await approved.ended).toMatchObject({ status: 0 })
    expect((await receive.run({ path }, one.app())).answer).toBe('accepted')
  })

  test('and 8 processes on both receive the same handoff at once: one of them accepts it', async () => {
    const path = await handOver()
    const running = Array.from(
      { length: 8 },
      (_, i) => (i % 2 === 0 ? one : other).waybill('receive', path, '--format', 'json').ended,
    )
    const answers = (await Promise.all(running)).map(({ stdout, stderr }) => {
      if (stdout === '') throw new Error(stderr)
      return JSON.parse(stdout)
    })
    expect(answers.filter(({ answer }) => answer === 'accepted')).toHaveLength(1)
    const refused = answers.filter(({ answer }) => answer === 'rejected')
    expect(refused).toHaveLength(7)
    for (const answer of refused) expect(codesOf(answer)).toEqual(['agent-handoff/not-replayed'])
    expect(await logVerify.run({}, other.app())).toMatchObject({ verified: true, faults: [] })
  })
})

describe('every verb reads and writes the log in the database', () => {
  test('a log that is sound verifies, with its receipts, and no snapshot is left', async () => {
    const path = await handOver()
    await receive.run({ path }, one.app())
    const receipt = `${path.replace(/\.json$/, '')}.receipt.json`
    const verified = await logVerify.run({ receipt: [receipt] }, one.app())
    expect(verified).toMatchObject({
      ...{ verified: true, ledger: 'postgres', faults: [], errors: 0, warnings: 0 },
      receipts: [{ state: 'kept' }],
    })
    expect(verified.guards).toHaveLength(2)
    expect(verified.counts.accepted).toBeGreaterThan(0)
    const left = await other.waybill('log', 'verify', '--quick', '--format', 'json').ended
    expect(JSON.parse(left.stdout)).toMatchObject({ verified: true, quick: true })
  })

  test('a proof and a checkpoint fit together, and a bundle holds an entry', async () => {
    const { size, root, note } = await logCheckpoint.run({}, other.app())
    const proved = await logProve.run({ entry: '0' }, other.app())
    expect(proved).toMatchObject({ proves: 'inclusion', size, root, index: 0 })
    expect(proved.proof).toContain(note)
    const grown = await logProve.run({ from: 1 }, other.app())
    expect(grown).toMatchObject({ proves: 'consistency', from: 1, size, root })
    const { bundle, digest } = await logBundle.run({ entry: '0' }, other.app())
    expect(digest).toBe(proved.digest)
    expect(JSON.stringify(bundle)).toContain('application/vnd.in-toto+json')
  })

  test('it is exported, followed, and an id is traced through it', async () => {
    const path = await handOver()
    const { count, events, size } = await logExport.run({}, other.app())
    expect(count).toBe(size)
    expect(events).toHaveLength(size)
    const { entries } = await logTail.run({ limit: 1 }, other.app())
    expect(entries).toMatchObject([{ kind: 'handoff-sent', ids: { handoff: idIn(path) } }])
    const { steps } = await trace.run({ id: idIn(path) }, other.app())
    expect(steps.map(({ entry }) => entry.kind)).toEqual(['handoff-sent'])
  })

  test('it is written into files for an auditor, who verifies them with keys alone', async () => {
    const { size, keys, gateway } = await logCheckpoint.run({}, other.app())
    const written = await logExport.run({ files: 'audit/ledger' }, other.app())
    expect(written).toMatchObject({ count: size, out: 'audit/ledger', events: [] })
    const given = { ledger: 'audit/ledger', key: [...keys, ...gateway] }
    const verified = await logVerify.run(given, other.app())
    expect(verified).toMatchObject({ verified: true, size, faults: [], counts: { entries: size } })
    const again = logExport.run({ files: 'audit/ledger' }, other.app())
    await expect(again).rejects.toMatchObject({ code: 'exists' })
    const both = logExport.run({ files: 'x', from: 1 }, other.app())
    await expect(both).rejects.toMatchObject({ code: 'usage' })
  })

  test('an entry is erased for all machines, and the log verifies', async () => {
    const path = await handOver()
    const { entries } = await logShow.run({ about: idIn(path) }, one.app())
    const index = String(entries[0]?.index)
    const given = { digest: index, by: 'ada', why: 'holds a name' }
    expect(await logErase.run(given, one.app())).toMatchObject({ outcome: 'erased' })
    const shown = await logShow.run({ about: index }, other.app())
    expect(shown.entries).toMatchObject([{ state: 'erased' }])
    const verified = await logVerify.run({}, other.app())
    expect(verified).toMatchObject({ verified: true, counts: { erased: 1 }, faults: [] })
  })

  test('doctor says where it is, and what keeps tenants apart', async () => {
    const { items } = await doctor.run({}, one.app())
    expect(items.find(({ name }) => name === 'ledger')?.message).toContain('DATABASE_URL')
    expect(items.find(({ name }) => name === 'database')?.message).toContain(
      'roles isolate tenants',
    )
  })
})

describe('an installation has one log', () => {
  test('an older waybill.yaml on a machine that has used the database begins no log in files', async () => {
    const config = one.read('waybill.yaml')
    one.write('waybill.yaml', config.replace('ledger: postgres\n', ''))
    try {
      one.write('drafts/old.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
      for (const work of [
        send.run({ path: 'drafts/old.json' }, one.app()),
        logShow.run({}, one.app()),
        logVerify.run({}, one.app()),
        lockVerify.run({}, one.app()),
      ])
        await expect(work).rejects.toMatchObject({ code: 'conflict', message: /is sealed/ })
      const { items } = await doctor.run({}, one.app())
      expect(items).toContainEqual(expect.objectContaining({ name: 'log', status: 'error' }))
    } finally {
      one.write('waybill.yaml', config)
    }
  })

  test('another database in its place is found out by the guards, for those who read and those who write', async () => {
    const empty = await openDatabase()
    try {
      const app = one.app({ databaseUrl: empty.url })
      const gone = { code: 'ledger-tampered', message: /the ledger is gone/ }
      await expect(logShow.run({}, app)).rejects.toMatchObject(gone)
      await expect(logVerify.run({}, app)).rejects.toMatchObject(gone)
      await expect(init.run({}, app)).rejects.toMatchObject(gone)
      one.write('drafts/lost.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
      await expect(send.run({ path: 'drafts/lost.json' }, app)).rejects.toMatchObject(gone)
    } finally {
      await empty.remove()
    }
  })

  test('a database that cannot be reached is reported as that, and nothing is written elsewhere', async () => {
    const app = one.app({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
    await expect(logShow.run({}, app)).rejects.toMatchObject({ code: 'store-unavailable' })
    const { items } = await doctor.run({}, app)
    expect(items).toContainEqual(expect.objectContaining({ name: 'log', status: 'error' }))
  })
})
