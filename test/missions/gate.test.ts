import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { FILE, IN_PHASE_5, stateFixture } from '../state-folder.ts'

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
})
