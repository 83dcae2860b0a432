import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { makeLongLog } from '../../test/long-log.ts'
import { PROGRAM } from '../../test/program.ts'
import { waybill } from '../../test/waybill.ts'
import logErase from './log-erase.ts'
import logExport from './log-export.ts'
import receive from './receive.ts'
import send from './send.ts'

let repository: GovernedRepository
let handoff = ''
/** Sent, accepted, refused, and an erasure of the first. */
beforeAll(async () => {
  repository = await openGovernedRepository('people: claimed\n')
  repository.write('a.json', JSON.stringify(draftOf('domain-05-product', 'domain-02-analysis')))
  const sent = await send.run({ path: 'a.json' }, repository.app())
  handoff = sent.handoff ?? ''
  await receive.run({ path: sent.document ?? '' }, repository.app())
  repository.write('b.json', '{}')
  await receive.run({ path: 'b.json' }, repository.app())
  await logErase.run({ digest: '0', by: 'ada', why: 'private' }, repository.app())
})
afterAll(() => repository.remove())

type Event = Readonly<Record<string, unknown>>

/** What CloudEvents 1.0.2 and its JSON format have against an event. */
function faultsOf(event: Event): string[] {
  const faults: string[] = []
  const must = (holds: boolean, what: string) => holds || faults.push(what)
  const text = (name: string) => typeof event[name] === 'string' && event[name] !== ''
  for (const name of ['id', 'source', 'specversion', 'type'])
    must(text(name), `${name} is required`)
  must(event.specversion === '1.0', 'specversion is 1.0')
  // A URI with a scheme is a URI-reference.
  must(/^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(String(event.source)), 'source is a URI')
  must(!('subject' in event) || text('subject'), 'subject is not empty')
  must(!('datacontenttype' in event) || text('datacontenttype'), 'datacontenttype is a media type')
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
  must(!('time' in event) || time.test(String(event.time)), 'time is RFC 3339')
  must(!('data' in event && 'data_base64' in event), 'data comes once')
  for (const [name, value] of Object.entries(event)) {
    if (name === 'data') continue
    must(/^[a-z0-9]{1,20}$/.test(name), `${name} is lower-case letters and digits`)
    const isSimple = typeof value === 'string' || typeof value === 'boolean'
    const isInteger = Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
    must(isSimple || isInteger, `${name} has a type of CloudEvents`)
  }
  return faults
}

test('the check for CloudEvents refuses what is none', () => {
  expect(faultsOf({ id: '', source: 'a b', specversion: '1', type: 't', logIndex: 1.5 })).toEqual([
    'id is required',
    'specversion is 1.0',
    'source is a URI',
    'logIndex is lower-case letters and digits',
    'logIndex has a type of CloudEvents',
  ])
})

describe('every entry is a CloudEvent', () => {
  test('one JSON object per line on standard output', async () => {
    const args = ['log', 'export', '--format', 'cloudevents']
    const { stdout, status } = await waybill(args, { cwd: repository.root })
    const events = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Event)
    expect([status, events.length]).toEqual([0, 4])
    for (const event of events) expect(faultsOf(event)).toEqual([])
    const { events: whole } = await logExport.run({}, repository.app())
    expect(events).toEqual(whole)
  })

  test('with the statement as its data, and the origin as its source', async () => {
    const { events, origin } = await logExport.run({}, repository.app())
    expect(events[1]).toMatchObject({
      source: origin,
      type: 'urn:waybill:predicate:handoff-accepted:v1',
      subject: handoff,
      logindex: 1,
      data: { document: { handoff_id: handoff }, from: 'domain-05-product' },
    })
    expect(events[1]).toMatchObject({ data: { at: events[1]?.time } })
  })

  test('an erased one says so, and by whom', async () => {
    const { events } = await logExport.run({ limit: 1 }, repository.app())
    expect(events[0]).toMatchObject({
      type: 'urn:waybill:predicate:handoff-sent:v1',
      logstate: 'erased',
      data: { ids: { handoff }, erased: { by: 'ada', reason: 'private' } },
    })
    expect(events[0]).not.toHaveProperty('time')
    expect(JSON.stringify(events[0])).not.toContain('hypothesis')
  })
})

describe('a part of the log', () => {
  test.each([
    ['from an index', { from: 2 }, [2, 3], null],
    ['at most so many', { limit: 3 }, [0, 1, 2], 3],
    ['both', { from: 1, limit: 1 }, [1], 2],
    ['behind the end', { from: 9 }, [], null],
  ])('%s', async (_, given, indices, next) => {
    const answer = await logExport.run(given, repository.app())
    expect(answer.events.map(({ logindex }) => logindex)).toEqual(indices)
    expect([answer.count, answer.next]).toEqual([indices.length, next])
  })

  test.each([{ from: -1 }, { from: 0.5 }, { limit: 0 }])('%j is refused', async given => {
    await expect(logExport.run(given, repository.app())).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('a file', () => {
  test('is written with all of it, and never overwritten', async () => {
    const done = await logExport.run({ out: 'log.jsonl' }, repository.app())
    expect(done).toMatchObject({ out: 'log.jsonl', count: 4, events: [], next: null })
    const text = readFileSync(join(repository.root, 'log.jsonl'), 'utf8')
    expect(text.trimEnd().split('\n')).toHaveLength(4)
    await expect(logExport.run({ out: 'log.jsonl' }, repository.app())).rejects.toMatchObject({
      code: 'exists',
    })
    await expect(logExport.run({ out: 'no/log.jsonl' }, repository.app())).rejects.toMatchObject({
      code: 'input-output',
    })
    rmSync(join(repository.root, 'log.jsonl'))
  })

  test('does not exist when the work was interrupted before', async () => {
    const stopped = repository.app({ signal: AbortSignal.abort() })
    await expect(logExport.run({ out: 'half.jsonl' }, stopped)).rejects.toMatchObject({
      code: 'interrupted',
    })
    expect(existsSync(join(repository.root, 'half.jsonl'))).toBe(false)
  })
})

describe('a log of 100,000 entries', () => {
  test('is exported in a process that could not hold it', async () => {
    const long = await openGovernedRepository()
    await makeLongLog(long, 100_000)
    // The events are 57 MB, and the contents that they are read from 90 MB.
    const args = ['--max-old-space-size=40', PROGRAM, 'log', 'export', '--root', long.root]
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      maxBuffer: 2 ** 28,
      encoding: 'latin1',
    })
    long.remove()
    expect([status, stderr]).toEqual([0, ''])
    const ends = stdout.split('\n')
    expect(ends.length).toBe(100_001)
    expect(JSON.parse(ends[99_999] ?? '').logindex).toBe(99_999)
  })
})
