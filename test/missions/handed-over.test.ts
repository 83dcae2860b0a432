import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

let repository: MissionRepository
let mission = ''
let path = ''
beforeAll(async () => {
  repository = await openMissionRepository()
  mission = await repository.submit('person')
  const worker = await repository.worker()
  await comesTrue(async () => {
    const { tasks } = await repository.status(mission)
    return tasks.some(({ task, state }) => task === 'decide' && state === 'waiting')
  }, 60_000)
  await worker.stop()
})
afterAll(() => repository?.remove())

const json = async (...args: readonly string[]) => {
  const { code, out, err } = await repository.mission(...args, '--format', 'json')
  if (out === '') throw new Error(err)
  return { code, ...JSON.parse(out) }
}

test('a mission whose document would be refused is not paused', async () => {
  const ended = await json('pause', mission, '--handoff', 'notes')
  expect(ended).toMatchObject({ code: 1, state: 'running', handoff: { accepted: false } })
  expect(ended.handoff.findings).toMatchObject([{ code: 'mission/handoff-lacks' }])
  expect(ended.handoff.findings[0].hint).toContain('--adr')
})

test.each([
  ['that lies outside of the repository', '../elsewhere', 'outside the repository'],
  ['by its absolute path, outside of the repository', '/elsewhere', 'outside the repository'],
  ['that is nearly a decision record', 'ADR-25', 'is not a decision record or work item'],
  ['that is a file', 'waybill.yaml', 'exists already'],
])('a place %s is refused, and the mission is not paused', async (_, where, says) => {
  const { code, err } = await repository.mission('pause', mission, '--handoff', where)
  expect(code).toBe(2)
  expect(err).toContain(says)
  expect((await repository.status(mission)).state).toBe('running')
})

test('a place where no document can be written is refused, and the mission goes on', async () => {
  const { code, err } = await repository.mission(
    ...['pause', mission, '--handoff', 'waybill.yaml/x', '--adr', 'ADR-0.0.99'],
  )
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('waybill.yaml') })
  expect((await repository.status(mission)).state).toBe('running')
})

test('a document in a folder whose name has a space says how to go on in words that a shell takes', async () => {
  const other = await repository.submit('slow')
  const where = ['--handoff', 'my folder/left.md', '--adr', 'ADR-0.0.99']
  expect(await json('pause', other, ...where)).toMatchObject({ code: 0, state: 'paused' })
  const text = readFileSync(join(repository.root, 'my folder/left.md'), 'utf8')
  expect(text).toContain("waybill mission resume 'my folder/left.md'")
  await repository.mission('cancel', other)
  rmSync(join(repository.root, 'my folder'), { recursive: true })
})

test('a document may be named as a file, and by an absolute path', async () => {
  const other = await repository.submit('slow')
  for (const [where, wanted] of [
    ['out/left.md', 'out/left.md'],
    [join(repository.root, 'out/more'), /^out\/more\/[^/]+-mission-[0-9a-f]{8}\.md$/],
  ] as const) {
    const ended = await json('pause', other, '--handoff', where, '--adr', 'ADR-0.0.99')
    expect(ended).toMatchObject({ code: 0, state: 'paused', handoff: { accepted: true } })
    expect(ended.handoff.path).toMatch(wanted)
  }
  await repository.mission('cancel', other)
  rmSync(join(repository.root, 'out'), { recursive: true })
})

test('a document says how much of the time is left, and that the clock stops', async () => {
  const timeIn = (path: string) => {
    const text = readFileSync(join(repository.root, path), 'utf8')
    expect(text).not.toContain('Its time ends at')
    const seconds = /Of its time budget .* \(([0-9]+) s\) are left; the clock stops/.exec(text)?.[1]
    return seconds ?? (text.includes('It has no time budget.') ? 'none' : 'nothing is said')
  }
  const left = async (name: string, ...more: readonly string[]) => {
    const id = await repository.submit('slow', ...more)
    const all: string[] = []
    // The second says the same, however much later it is written.
    for (const file of ['first', 'second']) {
      const where = ['--handoff', `out/${name}-${file}.md`, '--adr', 'ADR-0.0.99']
      const ended = await json('pause', id, ...where)
      expect(ended).toMatchObject({ code: 0, state: 'paused', handoff: { accepted: true } })
      all.push(timeIn(ended.handoff.path))
    }
    await repository.mission('cancel', id)
    return all
  }
  const all = await left('day', '--time-budget', '86400')
  expect(Number(all[0])).toBeLessThanOrEqual(86_400)
  expect(Number(all[0])).toBeGreaterThan(0)
  expect(all[1]).toBe(all[0])
  expect(await left('none')).toEqual(['none', 'none'])
  rmSync(join(repository.root, 'out'), { recursive: true })
})

test('a mission about placeholders is paused as any other: their words are spelled so that they are none', async () => {
  const goal = 'Find every TODO and fixme ... and say whose it is'
  const { mission: id } = await json('submit', 'slow', '--goal', goal)
  const ended = await json('pause', id, '--handoff', 'out/words.md', '--adr', 'ADR-0.0.99')
  expect(ended).toMatchObject({ code: 0, state: 'paused', handoff: { accepted: true } })
  const text = readFileSync(join(repository.root, 'out/words.md'), 'utf8')
  expect(text).toContain('Its goal: Find every T-O-D-O and f-i-x-m-e … and say whose it is')
  await repository.mission('cancel', id)
  rmSync(join(repository.root, 'out'), { recursive: true })
})

test('a mission is paused into a document that names its artifacts, its open tasks and the way on', async () => {
  const ended = await json('pause', mission, '--handoff', 'obpi-0.0.25-03', '--agent', 'Ada')
  expect(ended.handoff).toMatchObject({ accepted: true, findings: [] })
  expect(ended).toMatchObject({ code: 0, state: 'paused' })
  path = ended.handoff.path
  const text = readFileSync(join(repository.root, path), 'utf8')
  expect(text).toContain(`session_id: ${mission}`)
  expect(text).toContain('obpi_id: OBPI-0.0.25-03')
  expect(text).toContain(`\`waybill mission resume ${path}\``)
  expect(text).toMatch(/- Task decide of archetype-product-thinker is waiting for person/)
  const [research] = ended.artifacts
  expect(text).toContain(`- research_artifact ${research.id} sha256:${research.digest}`)
})

test('a document that names what the mission does not have is refused, and the mission stays paused', async () => {
  const file = join(repository.root, path)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(research_artifact \S+ sha256:)[0-9a-f]{8}/, '$100000000'))
  const ended = await json('resume', path)
  writeFileSync(file, text)
  expect(ended).toMatchObject({ code: 1, state: 'paused', handoff: { accepted: false } })
  expect(ended.handoff.findings[0].code).toBe('mission/evidence-differs')
})

test('a stale document needs a person, as for waybill resume', async () => {
  const later = new Date(Date.now() + 30 * 24 * 3600_000).toISOString()
  const ended = await json('resume', path, '--now', later)
  expect(ended).toMatchObject({ code: 1, state: 'paused', handoff: { accepted: false } })
  expect(ended.handoff.findings[0].code).toMatch(/^resume\//)
})

test.each([
  ['of another tenant', ['--tenant', 'other'], 'there is no mission'],
  ['that is about no mission', [], 'is not about a mission'],
])('a document %s resumes nothing', async (_, more, says) => {
  repository.write('plain.md', '# Plain\n')
  const named = more.length > 0 ? path : 'plain.md'
  const { code, err } = await repository.mission('resume', named, ...more)
  expect(code).toBe(2)
  expect(err).toContain(says)
})

test('the mission continues from the document', async () => {
  const ended = await json('resume', path, '--as', 'codex')
  expect(ended).toMatchObject({
    code: 0,
    state: 'running',
    handoff: { accepted: true, staleness: 'fresh' },
  })
})

test('where the mission already continues, no continuation from the document is recorded', async () => {
  const records = () => readdirSync(join(repository.root, '.waybill/records'))
  const before = records()
  const { code, err } = await repository.mission('resume', path)
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('is running') })
  expect(records()).toEqual(before)
})

test('the trace of the mission combines log, database and documents, as JSON, text and SVG', async () => {
  repository.write(
    'SESSION_STATE.yaml',
    `SESSION_STATE:\n  Next: "wait for ${mission}"\n  Phase: "4"\n`,
  )
  const traced = JSON.parse((await repository.waybill('trace', mission, '--format', 'json')).out)
  const { tasks, artifacts } = await repository.status(mission)
  expect(traced.kinds).toContain('mission')
  expect(traced.mission).toMatchObject({ mission, tenant: 'default' })
  expect(traced.mission.tasks.map(({ task }: { task: string }) => task)).toEqual(
    tasks.map(({ task }) => task),
  )
  const research = traced.mission.artifacts.find(
    ({ id }: { id: string }) => id === artifacts[0]?.id,
  )
  expect(research).toMatchObject({ schemaName: 'research_artifact', task: 'search', erased: false })
  const contracts = new Map(
    traced.documents.map(({ path: at, contract }: { path: string; contract: string }) => [
      at,
      contract,
    ]),
  )
  expect(contracts.get(path)).toBe('handoff-document')
  expect(contracts.get('SESSION_STATE.yaml')).toBe('session-state')
  const text = (await repository.waybill('trace', mission)).out
  expect(text).toMatch(/ {2}search {2}done/)
  expect(text).toContain(`research_artifact ${research.id}  ${research.digest.slice(0, 12)}`)
  const svg = (await repository.waybill('trace', mission, '--as', 'svg')).out
  expect(svg).toMatch(/^<svg /)
  expect(svg).toContain(`Trace of ${mission}`)
  expect(svg).toContain('handoff-accepted')
  const handoff = tasks.find(({ task }) => task === 'search')?.handoff ?? ''
  const byHandoff = JSON.parse((await repository.waybill('trace', handoff, '--format', 'json')).out)
  expect(byHandoff.mission.mission).toBe(mission)
  const other = await repository.waybill('trace', mission, '--tenant', 'other', '--format', 'json')
  expect(JSON.parse(other.out).mission).toBeNull()
})
