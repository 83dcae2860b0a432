import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOnSystem } from '../../src/store/embedded/system.ts'
import { APPLICATION, urlInRole } from '../../src/store/index.ts'
import { openDatabase } from '../database.ts'
import { expectBriefOnce, expectSoundLog, withRaw } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'

const [programs] = findOnSystem('/usr/bin:/bin')

describe.skipIf(!programs)('a backup (skipped where PostgreSQL has brought no pg_dump)', () => {
  let repository: MissionRepository
  beforeAll(async () => {
    const database = await openDatabase({ server: 'system' })
    repository = await openMissionRepository('ledger: postgres\n', database)
  })
  afterAll(() => repository?.remove())

  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(programs?.bin ?? '', program), args, { encoding: 'utf8', stdio: 'pipe' })

  /** Takes the database away, and makes an empty one of its name. */
  async function lose(url: string): Promise<void> {
    const name = url.split('/').at(-1)
    const client = new pg.Client({ connectionString: url.replace(/[^/]*$/, 'postgres') })
    await client.connect()
    await client.query(`drop database ${name} with (force)`)
    await client.query(`create database ${name}`)
    await client.end()
  }

  test('that is put back has every artifact, the log, what the database refuses, and missions that go on', async () => {
    const { url } = repository.database
    const copy = join(repository.root, 'missions.dump')
    const worker = await repository.worker()
    const finished = await repository.begin('brief')
    await repository.reaches(finished, 'finished')
    await worker.stop()
    const waiting = await repository.begin('brief')

    run('pg_dump', '--format=custom', `--file=${copy}`, url)
    await lose(url)
    run('pg_restore', '--exit-on-error', `--dbname=${url}`, copy)

    await repository.worker()
    for (const mission of [finished, waiting])
      await expectBriefOnce(repository, mission, await repository.reaches(mission, 'finished'))
    expect(await repository.mission('replay', finished)).toMatchObject({ code: 0 })
    await expectSoundLog(repository)
    await withRaw(url, async raw => {
      const change = 'delete from waybill.colony_worker_results'
      expect(await raw.refusal('default', change)).toMatchObject({ code: '42501' })
    })
    await withRaw(urlInRole(url, APPLICATION), async raw => {
      const read = 'select from waybill.colony_missions'
      expect(await raw.rows('default', read)).toHaveLength(2)
      expect(await raw.rows('another', read)).toEqual([])
    })
  })
})
