import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import {
  byCommandLine,
  byFunction,
  byTool,
  forAgents,
  type Input,
  offered,
  type Place,
} from '../ways.ts'

let repository: MissionRepository
let place: Place
let mission: string
beforeAll(async () => {
  repository = await openMissionRepository()
  const worker = await repository.worker()
  mission = await repository.submit('brief')
  await repository.reaches(mission, 'finished', 'failed')
  await worker.stop()
  place = placeIn(repository)
})
afterAll(() => repository?.remove())

/** Everything is only read, so that all can be called in one place. */
function placeIn({ root, database }: MissionRepository): Place {
  const now = new Date().toISOString()
  const stdin = () => Promise.resolve(new Uint8Array())
  const given = { now: Date.parse(now), root, cwd: root, version: '0', stdin }
  const env = { XDG_STATE_HOME: root, DATABASE_URL: database.url }
  const stateHome = join(root, 'waybill')
  return { root, now, env, app: { ...given, stateHome, databaseUrl: database.url } }
}

/** Calls of every operation on missions that agents have, and what shows that they are those that are meant. */
const CALLS: readonly (readonly [name: string, input: Input, part: object])[] = [
  ['mission status', {}, { state: 'finished', review: 'approved', proposals: [{}] }],
  ['mission show', {}, {}],
  ['mission show', { artifact: 'review_packet' }, { artifacts: [{}] }],
  ['mission graph', {}, { as: 'text', drawing: null }],
  ['mission graph', { as: 'mermaid' }, { drawing: expect.stringMatching(/^flowchart/) }],
  ['mission replay', {}, { state: 'finished', log: true, differences: [] }],
  ['mission replay', { withoutLog: true }, { log: false, differences: [] }],
]

test.each(CALLS)(
  '%s %j answers the same in every way it can be called',
  async (name, input, part) => {
    const given = { mission, ...input }
    const answer = await byFunction(name, given, place)
    expect(answer).toMatchObject(part)
    expect(await byCommandLine(name, given, place)).toEqual(answer)
    expect(await byTool(name, given, place)).toEqual(forAgents(name, given, answer))
  },
)

test('mission list answers the same in every way it can be called', async () => {
  const answer = await byFunction('mission list', { limit: 1 }, place)
  expect(answer).toMatchObject({ missions: [{ mission }], more: false })
  expect(await byCommandLine('mission list', { limit: 1 }, place)).toEqual(answer)
  expect(await byTool('mission list', { limit: 1 }, place)).toEqual(answer)
})

test('every operation on missions that agents have is called', () => {
  const called = ['mission list', ...CALLS.map(([name]) => name)]
  const wanted = offered.filter(name => name.startsWith('mission '))
  expect(new Set(called)).toEqual(new Set(wanted))
})
