import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publish } from '../scripts/generate/schema.ts'
import { migrationOf } from '../scripts/new/artifact.ts'
import type { Schema } from '../src/contract/index.ts'
import { missionArtifact, Score, WordList } from '../src/contracts/mission.ts'
import { Words } from '../src/contracts/shapes.ts'
import { type Database, openDatabase } from './database.ts'
import { digestOf, envelopeOf, graphOf } from './mission-payloads.ts'
import { connectRaw, type Raw } from './raw-sql.ts'
import { openTestFolder } from './test-folder.ts'

const clone = join(import.meta.dirname, '..')
/** A copy in which an eleventh artifact can be made; it uses the packages that are installed here. */
const { root, remove, write } = openTestFolder()
for (const part of ['src', 'scripts', 'schemas', 'package.json'])
  cpSync(join(clone, part), join(root, part), { recursive: true })
symlinkSync(join(clone, 'node_modules'), join(root, 'node_modules'))

const survey = publish(
  Type.Object(
    {
      ...missionArtifact('site_survey'),
      task_id: Words('The task that the survey was made for.'),
      survey_id: Words('What the survey is called.'),
      outcome: Type.Enum(['open', 'closed'], { description: 'What was found.' }),
      scores: Type.Array(Score('How good one part is.'), {
        minItems: 1,
        description: 'How good it is.',
      }),
      notes: Type.Optional(WordList('What else there is to say.')),
    },
    { description: 'What was seen on the spot.' },
  ),
  'site-survey.v1',
)

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

let database: Database
let owner: Raw
beforeAll(async () => {
  write('schemas/site-survey.v1.json', JSON.stringify(survey))
  database = await openDatabase()
  owner = await connectRaw(database.url)
})
afterAll(async () => {
  await owner?.end()
  await database?.remove()
  remove()
})

describe('an eleventh artifact', () => {
  const mission = randomUUID()
  const payload = {
    schema_name: 'site_survey',
    schema_version: 'v1',
    mission_id: mission,
    task_id: 'first',
    survey_id: 'srv_001',
    outcome: 'open',
    scores: [1],
    created_at: '2026-04-14T12:00:00Z',
    producer: 'surveyor',
  }

  test('is a contract and one migration, made from its schema; the database then has room for it', async () => {
    const before = readdirSync(join(root, 'src/store/migrations'))
    expect(run('scripts/new.ts', 'artifact', 'site-survey.v1').status).toBe(0)
    const made = readdirSync(join(root, 'src/store/migrations')).filter(
      file => !before.includes(file),
    )
    expect(made).toEqual([expect.stringMatching(/^[0-9]{4}-site-survey[.]ts$/)])
    const lists =
      "import { generateStore } from './scripts/generate/store.ts'; await generateStore()"
    expect(run('--input-type=module', '-e', lists).status).toBe(0)
    const store = `
      import { insertArtifact, openStore } from './src/store/index.ts'
      const [url, ...payloads] = process.argv.slice(1)
      const store = await openStore({ url })
      console.log(JSON.stringify(await store.migrate()))
      for (const payload of payloads)
        await store.tenant('acme', tx => insertArtifact(tx, JSON.parse(payload)))
      await store.close()`
    const payloads = [envelopeOf(mission, 'acme'), graphOf(mission, { first: [] }), payload]
    const { status, said } = run(
      '--input-type=module',
      '-e',
      store,
      database.url,
      ...payloads.map(one => JSON.stringify(one)),
    )
    expect([status, said.trim()]).toEqual([
      0,
      JSON.stringify(made.map(file => file.replace('.ts', ''))),
    ])
  })

  /** What the database answers to the application. */
  const answerTo = async (value: unknown) => {
    const { client } = owner
    await client.query('begin')
    await client.query("select set_config('waybill.tenant', 'acme', true)")
    await client.query('set local role waybill_app')
    try {
      const sql = 'insert into waybill.colony_site_surveys (digest, payload) values ($1, $2)'
      await client.query(sql, [digestOf(value), JSON.stringify(value)])
      return 'stored'
    } catch (error) {
      return (error as { code: string }).code
    } finally {
      await client.query('rollback')
    }
  }

  test.each([
    ['another one', { survey_id: 'srv_002' }, 'stored'],
    ['one with notes', { survey_id: 'srv_002', notes: ['wet'] }, 'stored'],
    ['the same id', { outcome: 'closed' }, '23505'],
    ['another outcome', { survey_id: 'srv_002', outcome: 'ajar' }, '23514'],
    ['no scores', { survey_id: 'srv_002', scores: [] }, '23514'],
    ['a score too high', { survey_id: 'srv_002', scores: [0.5, 1.1] }, '23514'],
    ['empty notes', { survey_id: 'srv_002', notes: [''] }, '23514'],
    ['no id', { survey_id: undefined }, '23502'],
    ['a task that is not there', { survey_id: 'srv_002', task_id: 'second' }, '23503'],
    ['another tenant', { survey_id: 'srv_002', tenant_id: 'other' }, '23514'],
  ])('%s: the database answers by itself', async (_, change, answer) => {
    expect(await answerTo({ ...payload, ...change })).toBe(answer)
  })

  test('is seen by its tenant alone and never changed', async () => {
    const count = 'select count(*)::integer as n from waybill.colony_site_surveys'
    await owner.client.query('set role waybill_app')
    expect(await owner.rows('acme', count)).toEqual([{ n: 1 }])
    expect(await owner.rows('other', count)).toEqual([{ n: 0 }])
    await owner.client.query('reset role')
    expect(await owner.refusal('acme', 'delete from waybill.colony_site_surveys')).toMatchObject({
      code: '42501',
    })
  })

  test('whose schema has changed since gets a new check, and nothing else', async () => {
    const { properties, ...rest } = survey as { properties: object }
    const weather = { enum: ['dry', 'wet'], description: 'What the weather was like.' }
    write(
      'schemas/site-survey.v1.json',
      JSON.stringify({ ...rest, properties: { ...properties, weather } }),
    )
    const wet = { ...payload, survey_id: 'srv_003', weather: 'hot' }
    expect(await answerTo(wet)).toBe('stored')
    expect(run('scripts/new.ts', 'artifact', 'site-survey.v1').status).toBe(0)
    const [made = ''] = readdirSync(join(root, 'src/store/migrations')).filter(file =>
      file.endsWith('-site-survey-check.ts'),
    )
    const { statements } = await import(join(root, 'src/store/migrations', made))
    await owner.client.query(statements)
    expect(await answerTo(wet)).toBe('23514')
    expect(await answerTo({ ...wet, weather: 'wet' })).toBe('stored')
    expect(statements).not.toContain('create table')
    expect(run('scripts/new.ts', 'artifact', 'site-survey.v1')).toMatchObject({ status: 2 })
  })

  test.each([
    ['that has its table', 'worker-result.v1', 'already uses that schema'],
    ['without a contract', 'nothing.v1', 'create the contract first'],
  ])('%s is refused', (_, name, why) => {
    expect(run('scripts/new.ts', 'artifact', name)).toEqual({
      status: 2,
      said: expect.stringContaining(why),
    })
  })

  test('of no mission is refused', () => {
    const schema = { type: 'object', properties: { schema_name: { const: 'label' } } } as Schema
    expect(() => migrationOf(schema, { table: 'colony_labels' })).toThrow(
      'is not a mission artifact',
    )
  })
})
