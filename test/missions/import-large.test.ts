import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MOST_BYTES } from '../../src/document/index.ts'
import { exportMission } from '../../src/mission/replay/bundle.ts'
import { PROGRAM } from '../program.ts'
import { LATER, openRecordedMissions, type RecordedMissions, TENANT } from '../recorded-mission.ts'

let missions: RecordedMissions
const folder = mkdtempSync(join(tmpdir(), 'waybill-import-'))
beforeAll(async () => {
  missions = await openRecordedMissions()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await missions?.remove()
})

test('a bundle that is larger than any document is read from standard input as from a file', async () => {
  const { mission, ...one } = await missions.begin()
  // Each takes four bytes in a bundle.
  const long = '"'.repeat(523_000)
  await one.do('search', { query: long })
  await one.do('count', { output_text: long })
  await one.do('weigh', { output_text: long })
  await one.do('join', { summary: long })
  await one.finish()
  const { lines } = await exportMission(
    missions.store,
    { tenant: TENANT, mission },
    { now: LATER, log: missions.gateway.log },
  )
  const bundle = Buffer.from([...lines()].join(''))
  writeFileSync(join(folder, 'bundle.jsonl'), bundle)
  const args = [
    'mission',
    'import',
    '--unproved',
    '--dry-run',
    '--tenant',
    TENANT,
    '--format',
    'json',
  ]
  const read = (name: string) => {
    const ran = spawnSync(process.execPath, [PROGRAM, ...args, name], {
      cwd: folder,
      input: bundle,
    })
    return { code: ran.status, ...JSON.parse(ran.stdout.toString() || ran.stderr.toString()) }
  }
  expect(bundle.length).toBeGreaterThan(MOST_BYTES)
  const fromFile = read('bundle.jsonl')
  expect(fromFile).toMatchObject({ code: 0, outcome: 'verified', mission })
  expect(read('-')).toEqual(fromFile)
})
