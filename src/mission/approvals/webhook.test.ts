import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type Answer, answering, delivering, hook, SECRET } from '../../../test/delivering.ts'
import { isSignedBy } from '../../../test/standard-webhooks.ts'
import { TENANT } from '../../../test/write-backs.ts'

const on = delivering()

describe('a webhook', () => {
  test('gets what was approved, signed as Standard Webhooks are, and the outcome is recorded', async () => {
    const { url, received } = await on.listen(answering(204))
    const which = await on.approve({ proposal: { proposal_id: 'wb.\u00e9 1' } })
    await on.tryAt(which, 1, { writebacks: hook(url) })
    const [got] = received
    expect(got && isSignedBy(got, SECRET)).toBe(true)
    expect(got && isSignedBy({ ...got, body: `${got.body} ` }, SECRET)).toBe(false)
    expect(got?.headers['webhook-id']).toBe(`acme/${which.mission}/wb%2E%C3%A9%201`)
    const found = await on.proposalOf(which)
    expect(JSON.parse(got?.body ?? '')).toEqual({
      type: 'writeback.approved',
      timestamp: found.decision?.decidedAt.toISOString(),
      data: {
        ...{ tenant: TENANT, mission: which.mission, proposal: found.payload },
        digest: found.digest,
        decision: {
          ...{ decision: 'approved', by: 'ada', standing: 'claimed', why: 'read' },
          at: found.decision?.decidedAt.toISOString(),
          expires: found.decision?.expiresAt?.toISOString(),
        },
        entry: found.decision?.entry,
      },
    })
    expect(await on.deliveryOf(which)).toMatchObject({
      ...{ state: 'delivered', attempts: 1 },
      outcome: { code: 'writeback/delivered', message: 'the receiver answered 204' },
    })
    expect(await on.outcomesOf(which)).toMatchObject([
      { outcome: 'delivered', attempts: 1, ids: { entry: found.decision?.entry } },
    ])
  })

  test('is signed with a secret that is any text as well', async () => {
    const { url, received } = await on.listen(answering(200))
    const secret = 'a text of more than 24 characters'
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url), environment: { HOOK_SECRET: `${secret}\n` } })
    expect(received.map(one => isSignedBy(one, secret))).toEqual([true])
  })

  test.each([400, 401, 404, 409, 410, 422])('that answers %i is given up', async status => {
    const { url } = await on.listen(answering(status))
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url) })
    const message = `the receiver answered ${status}`
    expect(await on.deliveryOf(which)).toMatchObject({
      ...{ state: 'failed', outcome: { code: 'writeback/refused', message } },
    })
    expect(await on.outcomesOf(which)).toMatchObject([{ outcome: 'failed', message }])
    expect(await on.queued(which)).toHaveLength(1)
  })

  test.each([408, 425, 429, 500, 502, 503])(
    'that answers %i is asked again later',
    async status => {
      const { url } = await on.listen(answering(status))
      const which = await on.approve()
      await on.tryAt(which, 1, { writebacks: hook(url) })
      expect(await on.deliveryOf(which)).toMatchObject({
        ...{ state: 'pending', attempts: 1 },
        outcome: { code: 'writeback/unavailable', failures: 1 },
      })
      expect(await on.outcomesOf(which)).toEqual([])
      expect((await on.queued(which)).map(({ attempt }) => attempt)).toEqual([1, 2])
    },
  )

  test('is asked twelve times with growing pauses, and always the same under the same id', async () => {
    const { url, received } = await on.listen(answering(503))
    const which = await on.approve()
    for (let attempt = 1; attempt <= 13; attempt++)
      await on.tryAt(which, attempt, { writebacks: hook(url) })
    expect(received).toHaveLength(12)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const delays = (await on.queued(which)).slice(1).map(({ delay }) => delay)
    expect(delays).toHaveLength(11)
    for (const [i, delay] of delays.entries()) {
      const own = Math.min(3_600_000, 10_000 * 2 ** i)
      expect(delay).toBeGreaterThan(own * 0.7)
      expect(delay).toBeLessThan(own * 1.25 + 10_000)
    }
    expect(await on.deliveryOf(which)).toMatchObject({
      ...{ state: 'failed', outcome: { code: 'writeback/given-up', failures: 12 } },
    })
  })

  test.each([
    ['in seconds', () => '600', 600_000],
    ['as a date', () => new Date(Date.now() + 600_000).toUTCString(), 600_000],
    ['without end', () => '999999999', 6 * 3_600_000],
    ['in other words', () => 'soon', 10_000],
  ])('that asks to be left alone %s is', async (_, asked, delay) => {
    const { url } = await on.listen(answering(429, { 'retry-after': asked() }))
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url) })
    const due = (await on.queued(which))[1]?.delay ?? 0
    expect(Math.abs(due - delay)).toBeLessThan(delay * 0.25 + 10_000)
  })
})

describe('a hostile receiver', () => {
  test('that sends elsewhere is not followed', async () => {
    const other = await on.listen(answering(200))
    const { url } = await on.listen(answering(307, { location: other.url }))
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(other.received).toEqual([])
    expect((await on.deliveryOf(which)).outcome?.code).toBe('writeback/redirected')
  })

  test.each<[string, Answer]>([
    ['never answers', () => {}],
    ['begins to answer, and goes on without end', (_, response) => void response.writeProcessing()],
  ])('that %s is not waited for', async (_, answer) => {
    const { url } = await on.listen(answer)
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url), patience: 200 })
    expect(await on.deliveryOf(which)).toMatchObject({
      ...{ state: 'pending', outcome: { code: 'writeback/timeout' } },
    })
  })

  test('that hangs up is asked again', async () => {
    const { url } = await on.listen(({ socket }) => socket.destroy())
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect((await on.deliveryOf(which)).outcome).toMatchObject({ code: 'writeback/unreachable' })
  })

  test('that answers 50 MB is not read', async () => {
    let sent = 0
    let over: Promise<unknown> = Promise.resolve()
    const { url } = await on.listen((_, response) => {
      over = once(response, 'close')
      response.writeHead(200, { 'content-length': String(50_000_000) })
      const piece = Buffer.alloc(100_000, 'x')
      const more = () => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += piece.length
          if (!response.write(piece)) return void response.once('drain', more)
        }
      }
      more()
    })
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url) })
    await over
    expect(sent).toBeLessThan(50_000_000)
    expect((await on.deliveryOf(which)).state).toBe('delivered')
  })

  test('that says the secret is not repeated', async () => {
    const { url } = await on.listen((_, response) =>
      response.writeHead(400, { 'retry-after': SECRET, 'x-secret': SECRET }).end(SECRET),
    )
    const which = await on.approve()
    await on.tryAt(which, 1, { writebacks: hook(url) })
    const delivered = JSON.stringify([await on.deliveryOf(which), await on.outcomesOf(which)])
    expect(delivered).toContain('the receiver answered 400')
    expect(delivered).not.toContain(SECRET)
    expect(delivered).not.toContain(SECRET.slice('whsec_'.length))
  })
})

test.each([
  ['over the open network without encryption', 'http://example.org/', SECRET, /https/],
  ['over the network to an address of IPv4', 'http://192.0.2.1/', SECRET, /https/],
  ['over the network to an address of IPv6', 'http://[2001:db8::1]/', SECRET, /https/],
  ['with a password', 'https://a:hunter2@example.org/', SECRET, /a user name or password/],
  ['with a short secret', 'http://127.0.0.1:1/', 'hunter2', /shorter than 24 bytes/],
  ['with a short secret in base64', 'http://127.0.0.1:1/', 'whsec_aHVudGVyMg==', /shorter/],
  ['without a secret', 'http://127.0.0.1:1/', '', /HOOK_SECRET with its secret is not set/],
])('%s nothing is sent, and there is time to correct it', async (_, url, secret, words) => {
  const which = await on.approve()
  await on.tryAt(which, 1, { writebacks: hook(url), environment: { HOOK_SECRET: secret } })
  const { state, outcome } = await on.deliveryOf(which)
  expect([state, outcome?.code]).toEqual(['pending', 'writeback/not-configured'])
  expect(outcome?.message).toMatch(words)
  expect(outcome?.message).not.toContain('hunter2')
})
