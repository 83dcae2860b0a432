import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someOf } from '../long.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'
import { openRelay } from '../relay.ts'

let repository: MissionRepository
/** Another, whose log is in its database too, and holds a few entries. */
let logged: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  logged = await openMissionRepository('ledger: postgres\n')
  const { code, err } = await logged.mission('run', 'wide', '--goal', 'Find out')
  if (code !== 0) throw new Error(err)
})
afterAll(async () => {
  await repository?.remove()
  await logged?.remove()
})

const RUN = ['run', 'slow', '--goal', 'Find out']
const SUBMIT = ['submit', ...RUN.slice(1)]
const CLAIM = 'insert into waybill.installation'

const ASKED_ONCE = [
  [['list'], 'set local waybill.tenant'],
  [SUBMIT, CLAIM],
  [['list'], 'pg_roles'],
  [SUBMIT, 'insert into waybill.mission_runs'],
] as const
test.each(someOf(ASKED_ONCE, ASKED_ONCE.slice(0, 2)))(
  'a single request (%s) reports that it waits for a database without an answer after %s, and gets the answer when it comes',
  async (verb, statement) => {
    const relay = await openRelay(repository.database.url)
    relay.holdAfter(statement)
    const { child, ran } = repository.startAt(relay.url, ...verb)
    let output = ''
    child.stderr.on('data', chunk => {
      output += chunk
    })
    const isTold = await comesTrue(() => output.includes('still waiting'), 60_000)
    expect(isTold).toBe(true)
    // However long the wait, it is reported once.
    await pause(6_000)
    relay.release()
    const { code, err } = await ran
    await relay.end()
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^no answer from the database for .* Ctrl-C cancels\n$/),
    })
  },
)

const ENDED: readonly (readonly [string, readonly string[], string, number | null])[] = [
  ['list', ['list'], 'set local waybill.tenant', null],
  ['run as JSON', [...RUN, '--format', 'json'], CLAIM, 130],
  ['run, which writes a log there,', [...RUN, '--format', 'json'], 'waybill.ledger_state', 130],
  ['submit', SUBMIT, CLAIM, 130],
  ['run', RUN, CLAIM, 130],
]
test.each(someOf(ENDED, ENDED.slice(0, 3)))(
  'mission %s is ended by Ctrl-C while a database says nothing any more',
  async (_, verb, statement, expected) => {
    const inDatabase = statement === 'waybill.ledger_state'
    const apart = inDatabase ? await openMissionRepository('ledger: postgres\n') : undefined
    const relay = await openRelay((apart ?? repository).database.url)
    relay.holdAfter(statement)
    const waiting = (apart ?? repository).startAt(relay.url, ...verb)
    let output = ''
    waiting.child.stderr.on('data', chunk => {
      output += chunk
    })
    expect(await comesTrue(() => output.includes('still waiting'), 60_000)).toBe(true)
    waiting.child.kill('SIGINT')
    // It waits for the last word of the database no longer than seconds; a test that waits for minutes fails.
    const { code, err, out } = await waiting.ran
    await relay.end()
    await apart?.remove()
    const nothing = { mission: null, faults: [], status: null }
    expect({ code, lines: err.split('\n').length }).toEqual({ code: expected, lines: 2 })
    expect(out === '' ? undefined : JSON.parse(out)).toEqual(
      verb.includes('json') ? nothing : undefined,
    )
  },
)

const READ: readonly (readonly [readonly string[], string])[] = [
  [['show', '0'], 'waybill_ledger_content'],
  [['verify'], 'select content from waybill.ledger_entries where index >='],
  [['show', 'nobody'], 'waybill_ledger_find'],
  [['verify'], 'ledger_keys_read'],
]
test.each(someOf(READ, READ.slice(0, 2)))(
  'reading a log in a database (%s) reports that no answer comes after %s, gets the answer when it comes, and can be cancelled',
  async (verb, statement) => {
    const relay = await openRelay(logged.database.url)
    for (const end of ['an answer', 'Ctrl-C']) {
      relay.holdAfter(statement)
      const { child, ran } = logged.startOther(relay.url, 'log', ...verb)
      let output = ''
      child.stderr.on('data', chunk => {
        output += chunk
      })
      expect(await comesTrue(() => output.includes('still waiting'), 60_000)).toBe(true)
      if (end === 'Ctrl-C') child.kill('SIGINT')
      else relay.release()
      const { code, err } = await ran
      expect(err).toMatch(/no answer from the database for .* Ctrl-C cancels\n/)
      if (end === 'Ctrl-C') expect(code === null || code === 130).toBe(true)
      else expect(code).toBe(verb.includes('nobody') ? 1 : 0)
      relay.release()
    }
    await relay.end()
  },
)
