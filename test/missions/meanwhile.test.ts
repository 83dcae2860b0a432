import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { decisionText } from '../../src/mission/approvals/stated.ts'
import { insertDecision, listArtifacts, listProposals } from '../../src/store/index.ts'
import {
  type MissionRepository,
  openMissionRepository,
  type RunningWorker,
} from '../mission-repository.ts'
import { PROBE, REACHING, templateOf } from '../probing-agent.ts'
import { comesTrue } from '../processes.ts'

const ANALYSIS = 'domain-02-analysis'
/** A person. */
const THINKER = 'archetype-product-thinker'

const TEMPLATES = {
  plain: templateOf({ read: {} }),
  proposed: templateOf({
    read: {},
    join: { role: 'aggregator', after: ['read'] },
    review: { role: 'reviewer', after: ['join'] },
  }),
  asked: templateOf({ decide: { agent: THINKER } }),
  erased: templateOf({
    pass: { role: 'librarian', agent: ANALYSIS, does: 'read=documents' },
    decide: { after: ['pass'], agent: THINKER },
    read: { after: ['decide'], tools: ['read'], data: ['documents'], does: 'read:docs/a' },
  }),
}

async function open(): Promise<MissionRepository> {
  const made = await openMissionRepository(REACHING)
  made.write('agents/agent.mjs', PROBE)
  made.write('policies/missions.cedar', '')
  for (const [name, text] of Object.entries(TEMPLATES))
    made.write(`missions/templates/${name}.yaml`, text)
  made.commit()
  return made
}

let repository: MissionRepository
let worker: RunningWorker
beforeAll(async () => {
  repository = await open()
  worker = await repository.worker()
})
afterAll(() => repository?.remove())

/** Waits until a task waits for a person. */
const waits = (mission: string, name: string, { peek } = repository) =>
  comesTrue(async () => {
    const { tasks } = await peek(mission)
    return tasks.some(({ task, state }) => task === name && state === 'waiting')
  }, 60_000)

async function answer(mission: string, at = repository) {
  const result = { output_text: 'so', structured_output: {}, citations: [], confidence: 1 }
  at.write('answer.json', JSON.stringify({ ...result, tool_trace_refs: [] }))
  const given = ['--file', 'answer.json', '--by', 'ada']
  const { code, err } = await at.mission('answer', mission, 'decide', ...given)
  // Where the time of the gateway is ahead of the clock, a message says so.
  expect(code, err).toBe(0)
}

test('a pass that was erased is not taken for none', async () => {
  const mission = await repository.begin('erased')
  expect(await waits(mission, 'decide')).toBe(true)
  const { store } = repository.database
  const [pass] = await store.tenant('default', tx => listArtifacts(tx, 'librarian_pass', mission))
  const which = { tenant: 'default', artifact: 'librarian_pass', mission } as const
  await store.erase({ ...which, digest: pass?.digest ?? '', by: 'ada', why: 'a name' })
  await answer(mission)
  expect(await repository.reaches(mission, 'failed', 'finished')).toMatchObject({
    reason: { code: 'mission/erased', message: 'read: the pass of the task was erased' },
  })
})

test('a pass for less time than the time of the gateway is ahead of the clock is one', async () => {
  // Its own, since that time stays ahead; its workers end with it.
  const own = await open()
  onTestFinished(() => own.remove())
  const ahead = await own.worker({ clock: 2 * 3_600_000 })
  await own.reaches(await own.begin('plain'), 'finished')
  await ahead.stop()
  await own.worker()
  const mission = await own.begin('erased')
  expect(await waits(mission, 'decide', own)).toBe(true)
  await answer(mission, own)
  expect(await own.reaches(mission, 'failed', 'finished')).toMatchObject({
    state: 'finished',
    reason: null,
  })
})

test('what was decided and not recorded is, before a worker does anything else for a tenant', async () => {
  const mission = await repository.begin('proposed')
  await repository.reaches(mission, 'finished')
  const { store } = repository.database
  const list = () => store.tenant('default', tx => listProposals(tx, { mission }))
  const [found] = await list()
  const { proposal = '', digest = '' } = found ?? {}
  // As a process that was killed in between has left it.
  const said = { by: 'ada', why: 'no', decision: 'rejected', expiresAt: null } as const
  const decision = { mission, proposal, digest, ...said }
  const origin =
    /gateway: (\S+)/.exec(readFileSync(join(repository.root, 'waybill.yaml'), 'utf8'))?.[1] ?? ''
  const stated = decisionText({ ...decision, tenant: 'default', origin, at: Date.now() })
  const standing = { standing: 'claimed', statement: { stated } } as const
  await store.tenant('default', tx => insertDecision(tx, { ...decision, ...standing }))
  await worker.stop()
  worker = await repository.worker()
  await repository.reaches(await repository.begin('plain'), 'finished')
  expect((await list())[0]?.decision?.entry).toMatch(/^[0-9a-f]{64}$/)
})

test('an agent that was put into quarantine while its task waited does not go on with it', async () => {
  const mission = await repository.begin('asked')
  expect(await waits(mission, 'decide')).toBe(true)
  const file = `prompts/${THINKER}.md`
  repository.write(file, 'You do as you like.\n')
  const other = await repository.begin('asked')
  expect(await repository.reaches(other, 'failed')).toMatchObject({
    reason: { code: 'agent-handoff/prompt-hash-matches-lock' },
  })
  repository.write(file, `You are ${THINKER}.\n`)
  await answer(mission)
  expect(await repository.reaches(mission, 'failed', 'finished')).toMatchObject({
    reason: { code: 'mission/agent-kept-out' },
    tasks: [{ state: 'failed' }],
  })
})
