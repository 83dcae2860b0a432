import { describe, expect, test, vi } from 'vitest'
import { entriesOf } from '../../log-entries.ts'
import { type Forging, handoffOf, inSeconds } from './forge.ts'
import { expectRefused, expectVerified, prepare, type Stand } from './stand.ts'

// Times: old, ahead, without a zone, in another zone, and clocks that go another way.

const prepared = await prepare()
const stand = prepared.stand()

async function refused(codes: readonly string[], timestamp: string, forging?: Forging) {
  const document = { ...handoffOf(), timestamp }
  const envelope = prepared.seal(document, forging)
  await expectRefused(stand, await stand.receive({ document, envelope }), codes)
}

/** The time of a document, in the zone of Kiribati. */
const inKiribati = () => new Date(Date.now() + 14 * 3_600_000).toISOString().replace('Z', '+14:00')

describe('a document', () => {
  const FRESH = 'agent-handoff/fresh-when-received'
  const AHEAD = 'agent-handoff/not-ahead-when-received'
  const FORMAT = 'schema/format'
  test.each<[string, () => string, readonly string[]]>([
    ['of six minutes ago', () => inSeconds(-360), [FRESH]],
    ['of a minute from now', () => inSeconds(60), [AHEAD]],
    ['of an hour from now', () => inSeconds(3600), ['agent-handoff/no-future-times', AHEAD]],
    [
      'of five hours ago that names another zone',
      () => inKiribati().replace('+14:00', '+19:00'),
      [FRESH],
    ],
    ['whose time has no zone', () => inSeconds(0).replace('Z', ''), [FORMAT]],
    ['whose time has no seconds', () => `${inSeconds(0).slice(0, 16)}Z`, [FORMAT]],
    ['whose time is a day', () => inSeconds(0).slice(0, 10), [FORMAT]],
    ['of a day that does not exist', () => '2026-02-30T12:00:00Z', [FORMAT]],
    ['whose time is a leap second', () => '2016-12-31T23:59:60Z', [FORMAT]],
    ['with a small z', () => inSeconds(0).toLowerCase(), [FORMAT]],
    ['with digits that only look like some', () => '２０２６-11-21T12:00:00Z', [FORMAT]],
    ['of the year 10000', () => '+010000-01-01T00:00:00Z', [FORMAT]],
    ['with a line end behind its time', () => `${inSeconds(0)}\n`, [FORMAT]],
  ])('%s is refused', (_, time, codes) => refused(codes, time()))

  test('whose time is a number is refused', async () => {
    const document = { ...handoffOf(), timestamp: Date.now() }
    const attacked = await stand.receive({ document, envelope: prepared.seal(document) })
    await expectRefused(stand, attacked, ['schema/type'])
  })

  test('whose time names another zone is taken for the moment that it names, and no other', async () => {
    const document = { ...handoffOf(), timestamp: inKiribati() }
    const attacked = await stand.receive({ document, envelope: prepared.seal(document) })
    expect(attacked).toMatchObject({ ran: true, answer: { answer: 'accepted' } })
  })
})

describe('an envelope', () => {
  // From one moment: two readings of the clock may lie a millisecond apart.
  const window = (from: number, to: number) => {
    const now = Date.now()
    const [iat, exp] = [from, to].map(seconds => new Date(now + seconds * 1000).toISOString())
    return { iat, exp }
  }
  const MALFORMED = 'envelope/malformed-time'
  test.each<[string, () => object, string]>([
    ['that could be used until a second ago', () => window(-200, -1), 'envelope/expired'],
    ['that was issued in a minute', () => window(60, 300), 'envelope/issued-in-future'],
    ['that can be used for a second too long', () => window(0, 601), 'envelope/window-too-long'],
    [
      'that can be used for ever',
      () => ({ iat: inSeconds(0), exp: '9999-12-31T23:59:59Z' }),
      'envelope/window-too-long',
    ],
    ['that ends as it begins', () => window(20, 20), 'envelope/window-too-long'],
    [
      'whose end has no zone',
      () => ({ iat: inSeconds(0), exp: inSeconds(60).replace('Z', '') }),
      MALFORMED,
    ],
    [
      'whose beginning is a day',
      () => ({ iat: inSeconds(0).slice(0, 10), exp: inSeconds(60) }),
      MALFORMED,
    ],
  ])('%s is refused', (_, times, code) =>
    refused([code], inSeconds(0), {
      statement: ({ predicate }) => Object.assign(predicate, times()),
    }),
  )
})

/** Does something while the clock of the machine is an hour behind. */
async function anHourBack<T>(work: () => Promise<T>): Promise<T> {
  const now = Date.now
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000)
  try {
    return await work()
  } finally {
    spy.mockRestore()
  }
}

describe('a clock', () => {
  const receive = async (stand: Stand, now?: string) => {
    const document = { ...handoffOf(), ...(now !== undefined && { timestamp: now }) }
    const window = {
      iat: document.timestamp,
      exp: new Date(Date.parse(document.timestamp) + 60_000).toISOString(),
    }
    const envelope = prepared.seal(document, {
      statement: ({ predicate }) => Object.assign(predicate, window),
    })
    return stand.receive({ document, envelope, args: now === undefined ? [] : ['--now', now] })
  }

  test('that is set back does not take gateway time along: what is old stays too old', async () => {
    const copy = prepared.stand()
    const first = await receive(copy)
    expect(first.answer.answer).toBe('accepted')
    const hourAgo = inSeconds(-3600)
    const second = await receive(copy, hourAgo)
    await expectRefused(copy, second, ['agent-handoff/fresh-when-received', 'envelope/expired'])
    expect(Date.parse(second.answer.at)).toBeGreaterThanOrEqual(Date.parse(first.answer.at))
    const times = (await entriesOf(copy)).map(({ statement }) =>
      Date.parse(`${statement.predicate.at}`),
    )
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const [, rejected] = await entriesOf(copy)
    expect(rejected?.statement.predicate.timeGiven).toBe(true)
    await expectVerified(copy)
  })

  test('of the machine that goes back by an hour is recorded, and gateway time goes on', async () => {
    const copy = prepared.stand()
    const first = await receive(copy)
    const document = handoffOf()
    copy.write('in.json', JSON.stringify(document))
    copy.write('in.dsse.json', prepared.seal(document))
    const second = await anHourBack(() => copy.run('receive', 'in.json', '--format', 'json'))
    expect(Date.parse(JSON.parse(second.stdout).at)).toBeGreaterThanOrEqual(
      Date.parse(first.answer.at),
    )
    const entries = await entriesOf(copy)
    expect(entries.map(({ kind }) => kind)).toEqual([
      'handoff-accepted',
      'clock-jump',
      'handoff-accepted',
    ])
    const by = Number(entries[1]?.statement.predicate.by)
    expect(Math.abs(by + 3_600_000)).toBeLessThan(60_000)
    await expectVerified(copy)
  })

  describe('that is given by hand is not that of the machine:', () => {
    const jumps = async (copy: Stand) =>
      (await entriesOf(copy)).filter(({ kind }) => kind === 'clock-jump')
    const prepareFor = async () => {
      const copy = prepared.stand()
      copy.write('draft.json', '{}')
      copy.write('handoffs/2026-03-06T12-00-00Z-x.draft.md', 'x')
      await copy.run('send', 'draft.json')
      return copy
    }

    test.each([
      ['send', 'send draft.json'],
      ['receive', 'receive draft.json'],
      ['resume', 'resume handoffs/2026-03-06T12-00-00Z-x.draft.md'],
    ])('%s with a time of three hours ago is no jump, and does not hide one', async (_, line) => {
      const copy = await prepareFor()
      const given = [...line.split(' '), '--now', inSeconds(-10_800)]
      const twice = async () => {
        await copy.run(...given)
        await copy.run('send', 'draft.json')
      }
      await twice()
      expect(await jumps(copy)).toEqual([])
      await anHourBack(twice)
      const [jump, another] = await jumps(copy)
      expect(Math.abs(Number(jump?.statement.predicate.by) + 3_600_000)).toBeLessThan(60_000)
      expect(another).toBeUndefined()
      // One of each run, and the jump.
      expect(await entriesOf(copy)).toHaveLength(6)
      await expectVerified(copy)
    })
  })

  test('that is given by hand cannot put gateway time ahead', async () => {
    const copy = prepared.stand()
    copy.write('in.json', JSON.stringify({ ...handoffOf(), timestamp: inSeconds(3600) }))
    const { status, stderr } = await copy.run('receive', 'in.json', '--now', inSeconds(3600))
    expect(status).toBe(2)
    expect(stderr).toContain('in the future')
  })
})

test('all of it is recorded in a log that verifies', () => expectVerified(stand))
