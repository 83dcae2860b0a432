import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { draftOf } from '../../test/governed-repository.ts'
import { type Installation, openInstallation } from '../../test/machines.ts'
import { text as showText } from '../cli/render/log-show.ts'
import { proveMission } from '../mission/replay/bundle-proofs.ts'
import { evidenceOf } from '../mission/replay/evidence.ts'
import type { MissionSnapshot } from '../store/index.ts'
import { openLedger } from './log/open.ts'
import logBundle from './log-bundle.ts'
import logErase from './log-erase.ts'
import logExport from './log-export.ts'
import logMigrate from './log-migrate.ts'
import logProve from './log-prove.ts'
import logShow from './log-show.ts'
import logVerify from './log-verify.ts'
import policyExplain from './policy-explain.ts'
import send from './send.ts'
import trace from './trace.ts'

const PRIVATE = 'Erika Mustermann lives in Example Street 12'
const plain = (_: string, word: string) => word

/** Puts what was erased back, as from an old copy. */
type BringBack = (installation: Installation, content: string) => Promise<void>

const intoFiles: BringBack = async ({ first: { root } }, content) => {
  const file = join(root, '.waybill/ledger/content/000')
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, lines.with(0, content).join('\n'))
}

const intoDatabase: BringBack = async ({ database }, content) => {
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query('select waybill.ledger_erase(0, $1)', [content])
  await client.end()
}

/** Whether a text is anywhere in the output, in plain or as payloads have it. */
function holds(given: unknown): boolean {
  const json = typeof given === 'string' ? given : JSON.stringify(given)
  const payloads = [...json.matchAll(/[A-Za-z0-9+/=]{100,}/g)].map(([payload]) =>
    Buffer.from(payload, 'base64').toString('latin1'),
  )
  return [json, ...payloads].some(one => one.includes('Mustermann'))
}

describe.each([
  ['files', '', intoFiles],
  ['PostgreSQL', 'ledger: postgres\n', intoDatabase],
])('what was erased from a log in %s and is there again', (_, config, bringBack) => {
  let installation: Installation
  let handoff = ''
  const app = () => installation.first.app()
  beforeAll(async () => {
    installation = await openInstallation(`${config}people: claimed\n`)
    const draft = draftOf('domain-05-product', 'domain-02-analysis')
    draft.context.request.description = PRIVATE
    installation.first.write('a.json', JSON.stringify(draft))
    const { document } = await send.run({ path: 'a.json' }, app())
    handoff = document?.replace('.json', '') ?? ''
    const content = (await (await openLedger(app())).log?.content(0)) ?? ''
    expect(holds(content)).toBe(true)
    await logErase.run({ digest: '0', by: 'ada', why: 'names a customer' }, app())
    await bringBack(installation, content)
    expect(await (await openLedger(app())).log?.content(0)).toBe(content)
  })
  afterAll(() => installation?.remove())

  test('is reported by log verify', async () => {
    const { faults } = await logVerify.run({}, app())
    expect(faults).toMatchObject([{ code: 'ledger/erasure-unfinished' }])
  })

  test('is shown as erased, and where it can be erased again', async () => {
    const output = await logShow.run({ about: '0' }, app())
    expect(output.shown).toMatchObject([
      {
        state: 'erased',
        kind: 'handoff-sent',
        ids: { handoff },
        statement: null,
        inTree: true,
        tombstone: {
          by: 'ada',
          reason: 'names a customer',
          erasure: 1,
          again: expect.stringContaining('run waybill log erase 0'),
        },
        note: expect.stringMatching(
          /^erased by ada \(claimed\) at .*: names a customer; .* waybill log erase 0$/,
        ),
      },
    ])
    const page = showText(output, plain, app(), false).replaceAll(/\s+/g, ' ')
    expect(page).toMatch(
      /erased by ada \(claimed\) at \S+ names a customer \(recorded in entry 1\) note its content is back, .* waybill log erase 0/,
    )
    expect(holds([output, page])).toBe(false)
    const { entries } = await logShow.run({}, app())
    expect(entries).toMatchObject([{ state: 'erased' }, { kind: 'erasure' }])
  })

  test('is not followed by trace, nor explained', async () => {
    const traced = await trace.run({ id: handoff }, app())
    expect(traced.steps.map(({ entry }) => entry.state)).toEqual(['erased', 'kept'])
    const explained = await policyExplain.run({ decision: '0', artifact: true }, app())
    expect(explained).toMatchObject({ entry: { state: 'erased' }, decision: null, artifact: null })
    expect(holds([traced, explained])).toBe(false)
  })

  test('is not exported, neither as an event nor with the files of the log', async () => {
    const { events } = await logExport.run({}, app())
    expect(events).toMatchObject([{ logstate: 'erased' }, {}])
    expect(holds(events)).toBe(false)
    await logExport.run({ files: 'audit/ledger' }, app())
    const folder = join(installation.first.root, 'audit/ledger')
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect(holds(readFileSync(join(entry.parentPath, entry.name), 'latin1'))).toBe(false)
    const verified = await logVerify.run({ ledger: 'audit/ledger' }, app())
    expect(verified).toMatchObject({ faults: [], erased: [{ index: 0, recorded: 1 }] })
  })

  test('is no bundle, and a proof says that it was erased', async () => {
    await expect(logBundle.run({ entry: '0' }, app())).rejects.toMatchObject({
      message: 'the content of entry 0 was erased',
    })
    expect(await logProve.run({ entry: '0' }, app())).toMatchObject({ index: 0, erased: true })
  })

  test('is no evidence of a mission', async () => {
    const { log } = await openLedger(app())
    if (!log) throw new Error('there is a log')
    const found = await evidenceOf(log).find(`id:${handoff}`)
    const empty = { mission: '', tasks: [{ handoff }], decisions: [] }
    const snapshot = empty as unknown as MissionSnapshot
    const proved = await proveMission({ snapshot, tenant: '', known: 0 }, log)
    expect(found).toMatchObject([{ index: 0, entry: { is: 'erased' } }, { index: 1 }])
    expect(proved.entries.map(({ index }) => index)).toEqual([0, 1])
    expect(holds([found, proved])).toBe(false)
  })

  // Files alone are moved into the database; a skipped test would count as one that lacks something.
  if (config === '')
    test('is not taken along when the log is moved', async () => {
      const { first } = installation
      await logMigrate.run({ to: 'postgres' }, app())
      const client = new pg.Client(installation.database.url)
      await client.connect()
      const { rows } = await client.query(
        'select content from waybill.ledger_entries order by index',
      )
      await client.end()
      expect(rows).toHaveLength(2)
      expect(holds(rows)).toBe(false)
      first.write('waybill.yaml', `ledger: postgres\n${first.read('waybill.yaml')}`)
      const verified = await logVerify.run({}, app())
      expect(verified).toMatchObject({ faults: [], erased: [{ index: 0, recorded: 1 }] })
    })
})
