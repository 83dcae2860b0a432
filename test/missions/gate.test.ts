import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { AT_GATE, FILE, IN_PHASE_5, stateFixture } from '../state-folder.ts'
import { byTool } from '../ways.ts'

let repository: MissionRepository
let reviewed = ''
let open = ''
beforeAll(async () => {
  repository = await openMissionRepository()
  const { out } = await repository.mission('run', 'brief', '--goal', 'x', '--format', 'json')
  reviewed = JSON.parse(out).mission
  open = await repository.submit('slow')
})
afterAll(() => repository?.remove())

const read = () => readFileSync(join(repository.root, FILE), 'utf8')
const begin = () =>
  IN_PHASE_5.reduce((text, [from, to]) => text.replace(from, to), stateFixture('minimal'))
beforeEach(() => repository.write(FILE, begin()))

const gate = (state: string, mission: string, ...more: readonly string[]) =>
  repository.waybill('state', 'gate', '5', state, '--mission', mission, ...more)

test('a gate lets the work pass by the review of a mission, and keeps its digest', async () => {
  const { artifacts } = JSON.parse(
    (await repository.mission('status', reviewed, '--format', 'json')).out,
  )
  const review = artifacts.find(
    ({ schemaName }: { schemaName: string }) => schemaName === 'review_packet',
  )
  expect(await gate('approved', reviewed)).toMatchObject({ code: 0, err: '' })
  expect(read()).toContain(`MissionReview ${reviewed} sha256:${review.digest}`)
  expect(read()).toMatch(/P5-Architecture: approved/)
})

test.each([
  ['has no review yet', [], 'it has no review yet'],
  ['is of another tenant', ['--tenant', 'other'], 'there is no mission'],
])('a mission that %s lets nothing pass, and the state stays as it is', async (_, more, says) => {
  const { code, err } = await gate('approved', open, ...more)
  expect({ code, isTold: err.includes(says) }).toEqual({ code: 2, isTold: true })
  expect(read()).toBe(begin())
})

test('a gate that requires a review blocks the session until there is one', async () => {
  expect(await gate('pending', open)).toMatchObject({ code: 0 })
  expect(read()).toContain(`MissionReview ${open}`)
  expect(read()).toMatch(/Mode: BLOCKED/)
  const { code, err } = await gate('approved', open)
  expect({ code, isTold: err.includes('no review yet') }).toEqual({ code: 2, isTold: true })
  const { out } = await repository.waybill('state', 'advance', '--format', 'json')
  expect(JSON.parse(out).diagnostics[0].hint).toContain(`state gate 5 pending --mission ${open}`)
})

const ABSENT = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'
/** Writes a state whose gate requires an artifact, as a person does by hand. */
const require = (artifact: string, status: string) => {
  const at = AT_GATE.replace('[TouchedSurface]', `[TouchedSurface, "${artifact}"]`)
  repository.write(
    FILE,
    begin().replace(AT_GATE, at.replace(': present }', `: present, "${artifact}": ${status} }`)),
  )
}
const approve = (...more: readonly string[]) =>
  repository.waybill('state', 'gate', '5', 'approved', ...more)

test.each([
  ['has none', () => `MissionReview ${open}`, 'it has no review yet'],
  ['is not there', () => `MissionReview ${ABSENT}`, `there is no mission ${ABSENT}`],
  ['is named with other blanks', () => `MissionReview  ${open}`, 'it has no review yet'],
  ['is named in capitals', () => `MISSION-REVIEW ${open.toUpperCase()}`, 'it has no review yet'],
  ['is not named', () => 'mission review', 'there is no mission'],
  [
    'has another',
    () => `MissionReview ${reviewed} sha256:${'0'.repeat(64)}`,
    'its review is not the one recorded with the gate',
  ],
])(
  'what the state says of a review lets nothing pass where the mission %s',
  async (_, name, says) => {
    require(name(), 'present')
    const text = read()
    const { code, err } = await approve()
    expect({ code, isTold: err.includes(says) }).toEqual({ code: 2, isTold: true })
    expect(read()).toBe(text)
  },
)

test('a review that the gate requires is looked up without naming the mission again', async () => {
  require(`MissionReview  ${reviewed}`, 'present')
  expect(await approve()).toMatchObject({ code: 0, err: '' })
  expect(read()).toMatch(new RegExp(`MissionReview ${reviewed} sha256:[0-9a-f]{64}`))
})

test.each([
  ['present', () => `MissionReview ${open}`],
  ['present', () => `mission  Review ${open.toUpperCase()}`],
  ['not-applicable', () => `MissionReview ${open}`],
])('%s of a review cannot be stated in its place', async (status, name) => {
  await gate('pending', open)
  const text = read()
  const { code, err } = await approve('--artifact', `${name()}=${status}`)
  expect({ code, isTold: err.includes('--mission <id>') }).toEqual({ code: 2, isTold: true })
  expect(read()).toBe(text)
})

test.each([
  ['moves', ['advance']],
  ['moves past the gate', ['advance', '--to', '5.3']],
  ['takes the block away', ['advance', '--mode', 'NORMAL']],
  ['shows another state from before', ['advance', '--previous', 'before.yaml']],
  ['says something else of the gate', ['gate', '5', 'pending', '--artifact', 'ApiDiff=present']],
  ['lets the gate refuse', ['gate', '5', 'rejected']],
])('a session that waits for a review stays blocked if a person %s', async (_, words) => {
  repository.write('before.yaml', begin().replace('NORMAL', 'BLOCKED'))
  await gate('pending', open)
  await repository.waybill('state', ...words)
  expect(read()).toMatch(/Mode: BLOCKED/)
  expect(read()).toMatch(new RegExp(`MissionReview ${open}: missing`))
})

test('a gate that does not apply still has the review that it requires, and the session waits for it', async () => {
  const set = (state: string, ...more: readonly string[]) =>
    repository.waybill('state', 'gate', '5.5', state, ...more)
  expect(await set('pending', '--mission', open)).toMatchObject({ code: 0 })
  await set('not-applicable')
  expect(read()).toMatch(/Mode: BLOCKED/)
})

test('an agent lets a gate pass by its tool only with the review', async () => {
  const { root, database } = repository
  const env = { DATABASE_URL: database.url, XDG_STATE_HOME: root, PATH: process.env.PATH ?? '' }
  const place = { root, now: new Date().toISOString(), env, app: repository.missionApp() }
  const call = (more: object) =>
    byTool('state gate', { gate: '5', state: 'approved', ...more }, place)
  require(`MissionReview ${open}`, 'present')
  await expect(call({})).rejects.toThrow('it has no review yet')
  await expect(call({ artifact: [`MissionReview ${open}=present`] })).rejects.toThrow('mission')
  expect(read()).not.toContain('P5-Architecture: approved')
  require(`MissionReview ${reviewed}`, 'missing')
  expect(await call({})).toMatchObject({ accepted: true })
})
