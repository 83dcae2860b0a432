import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestOf } from '../../../test/mission-payloads.ts'
import { connectRaw } from '../../../test/raw-sql.ts'
import {
  forgetDecisions,
  openWriteBacks,
  TENANT,
  type WriteBacks,
} from '../../../test/write-backs.ts'
import { entryAt } from '../../governance/index.ts'
import { APPLICATION, readProposal, type Store, urlInRole } from '../../store/index.ts'
import { type Deciding, decideProposal, examineProposal } from './decide.ts'
import type { Which } from './proposal.ts'
import { decisionId, recordDecisions } from './record.ts'

const ADA = { by: 'ada', why: 'I have read it', decision: 'approved' } as const

const suites = [
  ['files', 'file'],
  ['the same database', 'postgres'],
] as const

describe.each(suites)('where the log is in %s', (_, ledger) => {
  let there: WriteBacks
  beforeAll(async () => {
    there = await openWriteBacks({ ledger })
  })
  afterAll(() => there?.remove())

  const decide = (which: Which, more: Partial<Deciding> = {}) =>
    decideProposal(there.database.store, there.gateway, { ...which, ...ADA, ...more })
  const stored = (which: Which) =>
    there.database.store.tenant(TENANT, tx => readProposal(tx, which))
  const entriesOf = async (which: Which) => {
    const { log } = there.gateway
    const indices = await log.find(`id:${decisionId(which)}`)
    return Promise.all(indices.map(index => entryAt(log, index)))
  }

  test('what is approved is recorded, and on its way', async () => {
    const which = await there.propose()
    const shown = await examineProposal(there.database.store, there.gateway, { ...which, ...ADA })
    const { decision, keyid, proposal } = await decide(which, { shown: shown.digest })
    expect(keyid).toBeNull()
    expect(decision).toMatchObject({
      ...{ by: 'ada', why: ADA.why, standing: 'claimed', digest: shown.digest, isExpired: false },
      entry: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(Number(decision.expiresAt) - Number(decision.decidedAt)).toBeCloseTo(86_400_000, -5)
    expect(proposal.delivery).toMatchObject({ state: 'pending', attempts: 0, outcome: null })
    const [entry, another] = await entriesOf(which)
    expect(another).toBeUndefined()
    expect(entry).toMatchObject({
      kind: 'writeback-decision',
      digest: decision.entry,
      statement: {
        subject: [{ digest: { sha256: digestOf(shown.payload) } }],
        predicate: { ids: { mission: which.mission, artifacts: ['wb_001'] }, decision: 'approved' },
      },
    })
    expect(await queued(there, which)).toEqual(['waybill:writeback:wb_001'])
  })

  test('what was decided is never changed, and its entry is noted once', async () => {
    const which = await there.propose()
    await decide(which)
    const change = (set: string) =>
      there.owner.refusal(
        TENANT,
        `update waybill.proposal_decisions set ${set} where mission_id = $1`,
        [which.mission],
      )
    for (const set of ["decided_by = 'the board'", "entry = 'another'", 'entry = null'])
      expect(await change(set)).toMatchObject({ code: '42501' })
    const { decision } = (await stored(which)) ?? {}
    expect(decision).toMatchObject({ by: 'ada', entry: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('the application may only note the entry of what was decided', async () => {
    const which = await there.propose()
    await decide(which)
    const application = await connectRaw(urlInRole(there.database.url, APPLICATION))
    const columns = [
      'digest',
      'decision',
      'decided_by',
      'standing',
      'why',
      'statement',
      'expires_at',
    ]
    for (const column of columns)
      expect(
        await application.refusal(
          TENANT,
          `update waybill.proposal_decisions set ${column} = ${column}`,
        ),
      ).toMatchObject({ code: '42501', message: expect.stringContaining('permission denied') })
    await application.end()
  })

  test('what is erased while a person signs is not approved', async () => {
    const which = await there.propose()
    const { store } = there.database
    const { digest = '' } = (await stored(which)) ?? {}
    const { tenant, mission } = which
    const artifact = 'writeback_proposal'
    const erasure = { tenant, mission, artifact, by: 'bob', why: 'a name' } as const
    let asked = 0
    const slowly: Store = Object.assign(Object.create(store), {
      tenant: async (...args: Parameters<Store['tenant']>) => {
        if (++asked === 3) await store.erase({ ...erasure, digest })
        return store.tenant(...args)
      },
    })
    const deciding = decideProposal(slowly, there.gateway, { ...which, ...ADA })
    await expect(deciding).rejects.toMatchObject({ code: 'not-approved' })
    expect((await stored(which))?.decision).toBeNull()
    expect(await entriesOf(which)).toEqual([])
  })

  test('what is rejected is recorded, and goes nowhere', async () => {
    const which = await there.propose({ review: 'rejected' })
    const { decision, proposal } = await decide(which, { decision: 'rejected' })
    expect(decision).toMatchObject({ decision: 'rejected', expiresAt: null })
    expect(decision.entry).not.toBeNull()
    expect(proposal.delivery).toBeNull()
    expect(await queued(there, which)).toEqual([])
  })

  test('a second decision is refused, which says who decided, and when', async () => {
    const which = await there.propose()
    const { decision } = await decide(which)
    await expect(decide(which, { by: 'bob', decision: 'rejected' })).rejects.toMatchObject({
      code: 'not-approved',
      message: `the proposal 'wb_001' was approved by ada at ${decision.decidedAt.toISOString()}`,
    })
    expect(await entriesOf(which)).toHaveLength(1)
  })

  test('of two operators in two processes at once one decides, and the error of the other names that one', async () => {
    const which = await there.propose()
    const answers = await Promise.all(
      [ADA.by, 'bob'].map(by =>
        inProcess({
          root: there.folder.root,
          url: there.database.url,
          given: { ...which, ...ADA, by },
        }),
      ),
    )
    const won = answers.filter(({ entry }) => entry)
    expect(won, JSON.stringify(answers)).toHaveLength(1)
    expect(answers.find(({ entry }) => !entry)).toEqual({
      code: 'not-approved',
      message: expect.stringContaining(`approved by ${won[0]?.by} at `),
    })
    expect(await entriesOf(which)).toHaveLength(1)
    expect(await queued(there, which)).toHaveLength(1)
  })

  test('ten at once on one connection pool decide once', async () => {
    const which = await there.propose()
    const names = Array.from({ length: 10 }, (_, i) => `operator ${'abcdefghij'[i]}`)
    const all = await Promise.allSettled(names.map(by => decide(which, { by })))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await entriesOf(which)).toHaveLength(1)
  })

  test('an id that no key can hold is decided on like any other', async () => {
    const which = await there.propose({ proposal: { proposal_id: 'two\nlines' } })
    expect((await decide(which)).decision.entry).not.toBeNull()
    expect(await entriesOf(which)).toHaveLength(1)
  })

  test('a decision that was never recorded is recorded once, however many try, and only then sent', async () => {
    const which = await there.propose()
    const broken = await there.openGateway()
    await broken.close()
    const failing = decideProposal(there.database.store, broken, { ...which, ...ADA })
    await expect(failing).rejects.toThrow('closed')
    if (ledger === 'postgres') {
      // Decision and entry are of one transaction.
      expect((await stored(which))?.decision).toBeNull()
      return
    }
    expect((await stored(which))?.decision).toMatchObject({ by: 'ada', entry: null })
    expect(await queued(there, which)).toEqual([])
    const tries = Array.from({ length: 5 }, () =>
      recordDecisions(there.database.store, TENANT, there.gateway),
    )
    const counts = await Promise.all(tries)
    expect(counts.reduce((sum, one) => sum + one)).toBe(1)
    expect(await entriesOf(which)).toHaveLength(1)
    const { entry = null } = (await stored(which))?.decision ?? {}
    expect(await entriesOf(which)).toMatchObject([{ digest: entry }])
    expect(await queued(there, which)).toHaveLength(1)
  })

  test('where the log says something else of it, the decision is not acted on', async () => {
    const which = await there.propose()
    await decide(which)
    await forgetDecisions(there.owner, which.mission)
    await expect(decide(which, { by: 'bob', why: 'another' })).rejects.toThrow(
      'the log records a different decision',
    )
    expect((await stored(which))?.delivery).toBeNull()
    await forgetDecisions(there.owner, which.mission)
  })
})

describe('where people have to sign', () => {
  let there: WriteBacks
  beforeAll(async () => {
    there = await openWriteBacks({ people: 'proved' })
  })
  afterAll(() => there?.remove())

  test('a name decides nothing, and a key does', async () => {
    const which = await there.propose()
    const decide = (more: Partial<Deciding>) =>
      decideProposal(there.database.store, there.gateway, { ...which, ...ADA, ...more })
    await expect(decide({})).rejects.toThrow('a name is not a proof')
    const look = (keyFile?: string) =>
      examineProposal(there.database.store, there.gateway, { ...which, ...ADA, keyFile })
    await expect(look()).rejects.toThrow('a name is not a proof')
    expect(await look(there.key)).toMatchObject({ decision: null })
    await expect(decide({ by: 'bob', keyFile: there.key })).rejects.toThrow(
      'cannot verify that bob',
    )
    const { decision, keyid } = await decide({ keyFile: there.key })
    expect(decision.standing).toBe('proved')
    expect(decision.statement.proof).toMatchObject({ by: 'ada', keyid })
    const [index = -1] = await there.gateway.log.find(`id:${decisionId(which)}`)
    const entry = await entryAt(there.gateway.log, index)
    expect(entry).toMatchObject({
      statement: { predicate: { standing: 'proved', proof: decision.statement.proof } },
    })
    expect(JSON.parse(String(decision.statement.stated))).toMatchObject({
      ...{ ...which, by: 'ada', decision: 'approved', sha256: decision.digest },
      expires: decision.expiresAt?.toISOString(),
    })
  })
})

/** The names that stand in the queue for a mission. */
async function queued({ owner }: WriteBacks, { mission }: Which): Promise<readonly string[]> {
  const statement =
    'select workflow_uuid as id from dbos.workflow_status where workflow_uuid like $1'
  const rows = await owner.rows(undefined, statement, [`%${mission}%`])
  return rows.map(({ id }) => JSON.parse(String(id))[2])
}

const program = join(import.meta.dirname, '../../../test/write-back-process.ts')

function inProcess(given: unknown): Promise<{ by?: string; entry?: string; code?: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(given)])
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.on('close', () => {
      try {
        resolve(JSON.parse(stdout))
      } catch {
        reject(new Error(stderr))
      }
    })
  })
}
