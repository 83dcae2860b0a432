import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answering, attemptAt, delivering, hook, SECRET } from '../../../test/delivering.ts'
import { comesTrue } from '../../../test/processes.ts'
import { isSignedBy } from '../../../test/standard-webhooks.ts'
import { TENANT } from '../../../test/write-backs.ts'
import { WaybillError } from '../../error.ts'
import { DURABLE, openPool, type Store } from '../../store/index.ts'
import { openDurable } from '../run/durable.ts'
import { decideProposal } from './decide.ts'
import { deliver, takeOverDelivery } from './deliver.ts'

const on = delivering()

test('what is approved is taken from the queue of the tasks, and delivered', async () => {
  const { url, received } = await on.listen(answering(200))
  const dispatch = on.dispatch({ writebacks: hook(url) })
  const durable = await openDurable({
    pool: await openPool(on.there.database.url, 4, DURABLE),
    worker: '8c3ae61c-4d3b-4a47-9a2e-f0c1a6f1b5aa',
    concurrency: 2,
    run: attempt => deliver(attempt, dispatch, new AbortController().signal),
  })
  try {
    const all = [await on.approve(), await on.approve(), await on.approve()]
    const isOver = async () =>
      (await Promise.all(all.map(on.deliveryOf))).every(({ state }) => state === 'delivered')
    expect(await comesTrue(isOver)).toBe(true)
    expect(received).toHaveLength(3)
  } finally {
    await durable.close()
  }
})

describe('what is not sent', () => {
  test('is what was approved too long ago, and the outcome says so', async () => {
    const { url, received } = await on.listen(answering(200))
    const which = await on.approve({}, 1000)
    const isExpired = async () => {
      const found = await on.proposalOf(which)
      return found.decision?.isExpired === true
    }
    expect(await comesTrue(isExpired)).toBe(true)
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect(await on.deliveryOf(which)).toMatchObject({ outcome: { code: 'writeback/expired' } })
    expect(await on.outcomesOf(which)).toMatchObject([
      { outcome: 'failed', code: 'writeback/expired' },
    ])
    const again = { ...which, by: 'bob', why: 'late', decision: 'approved' } as const
    const { store } = on.there.database
    await expect(decideProposal(store, on.there.gateway, again)).rejects.toMatchObject({
      message: expect.stringMatching(/approved by ada at .*, and the approval expired at /),
      hint: expect.stringContaining('another mission'),
    })
  })

  test('is what was erased since', async () => {
    const { url, received } = await on.listen(answering(200))
    const which = await on.approve()
    const found = await on.proposalOf(which)
    await on.there.database.store.erase({
      ...{ tenant: TENANT, artifact: 'writeback_proposal', mission: which.mission },
      ...{ digest: found.digest, by: 'ada', why: 'a name' },
    })
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect(await on.deliveryOf(which)).toMatchObject({ outcome: { code: 'writeback/erased' } })
  })

  test.each([
    ['the decision is on another', "proposal_decisions set digest = repeat('0', 64)"],
    [
      'it is another since',
      `colony_writeback_proposals set payload = payload || '{"reason": "other"}'`,
    ],
  ])('is what was not approved as it is: %s', async (_, change) => {
    const { url, received } = await on.listen(answering(200))
    const which = await on.approve()
    // Only the owner of the database can do that.
    const sql = `set local session_replication_role = replica; update waybill.${change} where mission_id = '${which.mission}'`
    await on.there.owner.rows(TENANT, sql)
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect(await on.deliveryOf(which)).toMatchObject({
      state: 'failed',
      outcome: { code: 'writeback/changed' },
    })
  })

  test('is what another tenant asks for', async () => {
    const { url, received } = await on.listen(answering(200))
    const which = await on.approve()
    await on.tryAt({ ...which, tenant: 'other' }, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect((await on.deliveryOf(which)).attempts).toBe(0)
  })

  test('is what was begun sixty times without an end', async () => {
    const { url, received } = await on.listen(answering(200))
    const which = await on.approve()
    const begun = 'update waybill.writeback_outbox set attempts = 60 where mission_id = $1'
    await on.there.owner.rows(TENANT, begun, [which.mission])
    await on.tryAt(which, 61, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect(await on.deliveryOf(which)).toMatchObject({
      state: 'failed',
      outcome: { code: 'writeback/given-up' },
    })
  })

  test('is a try that was begun before, or is not its turn', async () => {
    const { url, received } = await on.listen(answering(503))
    const which = await on.approve()
    await on.tryAt(which, 2, { writebacks: hook(url) })
    expect(received).toHaveLength(0)
    await Promise.all([1, 1, 1].map(attempt => on.tryAt(which, attempt, { writebacks: hook(url) })))
    expect(received).toHaveLength(1)
  })
})

test('a worker that has begun a try, and did not hear so, goes on with it', async () => {
  const { url, received } = await on.listen(answering(200))
  const which = await on.approve()
  const { store } = on.there.database
  let asked = 0
  const unheard: Store = Object.assign(Object.create(store), {
    tenant: async (...args: Parameters<Store['tenant']>) => {
      const answer = await store.tenant(...args)
      if (++asked > 1) return answer
      throw new WaybillError('store-unavailable', 'it may be there, or not')
    },
  })
  await on.tryAt(which, 1, { store: unheard, writebacks: hook(url) })
  expect(received).toHaveLength(1)
  expect(await on.deliveryOf(which)).toMatchObject({ state: 'delivered', attempts: 1 })
})

describe('a worker that goes away', () => {
  test('killed between sending and recording has sent it, and the next one sends the same again', async () => {
    let kill = () => {}
    const { url, received } = await on.listen((_, response) => {
      if (received.length === 1) kill()
      else response.writeHead(200).end()
    })
    const which = await on.approve()
    const given = {
      ...{ act: 'deliver', root: on.there.folder.root, url: on.there.database.url },
      ...{ attempt: attemptAt(which, 1), writebacks: hook(url) },
      environment: { HOOK_SECRET: SECRET },
    }
    const child = spawn(process.execPath, [program, JSON.stringify(given)])
    kill = () => child.kill('SIGKILL')
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
    expect(await on.deliveryOf(which)).toMatchObject({
      state: 'pending',
      attempts: 1,
      outcome: null,
    })
    const { store } = on.there.database
    await Promise.all([1, 2, 3].map(() => takeOverDelivery(store, attemptAt(which, 1))))
    expect((await on.queued(which)).map(({ attempt }) => attempt)).toEqual([1, 2])
    await on.tryAt(which, 2, { writebacks: hook(url) })
    const [first, second] = received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    expect(received.map(one => isSignedBy(one, SECRET))).toEqual([true, true])
    expect((await on.deliveryOf(which)).state).toBe('delivered')
    expect(await on.outcomesOf(which)).toHaveLength(1)
  })

  test('before it has begun is taken over as well, and afterwards nothing is', async () => {
    const { store } = on.there.database
    const which = await on.approve()
    await takeOverDelivery(store, attemptAt(which, 1))
    const { url, received } = await on.listen(answering(200))
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    await on.tryAt(which, 2, { writebacks: hook(url) })
    expect(received).toHaveLength(1)
    await takeOverDelivery(store, attemptAt(which, 2))
    expect((await on.queued(which)).map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  test('that is stopped leaves it to others at once, and no failure is counted', async () => {
    const controller = new AbortController()
    const { url } = await on.listen(() => controller.abort('stopping'))
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url) }, controller.signal)
    expect(await on.deliveryOf(which)).toMatchObject({
      state: 'pending',
      attempts: 1,
      outcome: null,
    })
    expect(await on.queued(which)).toMatchObject([{ attempt: 1 }, { attempt: 2, delay: 0 }])
  })

  test('whose log cannot be written has sent it: the next one records it, and sends nothing', async () => {
    const { url, received } = await on.listen(answering(200))
    const which = await on.approve()
    const broken = await on.there.openGateway()
    await broken.close()
    await expect(on.tryAt(which, 1, { writebacks: hook(url), gateway: broken })).rejects.toThrow(
      'closed',
    )
    expect(await on.deliveryOf(which)).toMatchObject({
      state: 'pending',
      outcome: { is: 'delivered' },
    })
    await on.tryAt(which, 2, { writebacks: hook(url) })
    expect(received).toHaveLength(1)
    expect(await on.deliveryOf(which)).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(await on.outcomesOf(which)).toHaveLength(1)
  })
})

const program = join(import.meta.dirname, '../../../test/write-back-process.ts')
