import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue, processesOf } from '../processes.ts'

/** An agent that does what its objective says, and nothing that it should. */
const AGENT = `import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
const { task: { objective }, repair } = JSON.parse(readFileSync(0, 'utf8'))
const planned = (task_id, role_type, objective = 'swarms') => ({
  task_id, role_type, objective, depends_on: [], required_capabilities: [], allowed_tools: [], required_data_scopes: [],
  success_criteria: ['it is done'],
})
const result = { output_text: 'x', structured_output: {}, citations: [], confidence: 1, tool_trace_refs: [] }
const does = {
  hangs: () => setInterval(() => {}, 1000),
  floods: () => { const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more) }; more() },
  forks: () => {
    for (let i = 0; i < 3; i++) spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref()
    process.exit(3)
  },
  talks: () => process.stdout.write('I have done it, all is well'),
  stutters: () => {
    const half = '{"output_text": "x"'
    process.stdout.write(repair?.answer === half ? JSON.stringify(result) : half)
  },
  lies: () => process.stdout.write(JSON.stringify({ schema_name: 'worker_result', confidence: 7 })),
  plans: () => process.stdout.write(JSON.stringify({ tasks: [] })),
  reserves: () => process.stdout.write(JSON.stringify({ tasks: [planned('waybill:writeback:wb_1', 'worker')] })),
  invents: () => process.stdout.write(JSON.stringify({ tasks: [planned('p', 'engineer')] })),
  shirks: () => process.stdout.write(JSON.stringify({ tasks: [planned('p', 'librarian')] })),
  mends: () => {
    const role = repair?.diagnostics[0].code === 'mission/role-unfilled' ? 'worker' : 'librarian'
    process.stdout.write(JSON.stringify({ tasks: [planned('p', role, 'works')] }))
  },
  works: () => process.stdout.write(JSON.stringify(result)),
  swarms: () => process.stdout.write(JSON.stringify({ tasks: Array.from({ length: 64 }, (_, i) => planned('p' + i, 'planner')) })),
  names: () => process.stdout.write(JSON.stringify({ ...result, result_id: 'x'.repeat(3000) })),
  hides: () => process.stdout.write(JSON.stringify({ ...result, 'a\\0b': 1 })),
}
does[objective]()
`

const PLANNED = HEAD.replace('tasks:', 'agents: { bad: domain-05-product }\ntasks:')
const PLANNERS = ['plans', 'reserves', 'invents', 'shirks', 'swarms']
const ROLES: Readonly<Record<string, string>> = {
  hangs: 'researcher',
  ...Object.fromEntries(PLANNERS.map(does => [does, 'planner'])),
}

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  const { root } = repository
  const config = readFileSync(join(root, 'waybill.yaml'), 'utf8')
  const limited = config.replaceAll('mjs] }', 'mjs], bytes: 16384 }')
  // One alone has little time: the others are to come to their ends on a busy machine too.
  const hasted = limited.replace(/(02-analysis: .*) }/, '$1, seconds: 2 }')
  expect(hasted).not.toBe(limited)
  const planning = hasted.replace('  roles:\n', '  roles:\n    planner: domain-05-product\n')
  expect(planning).not.toBe(hasted)
  repository.write('waybill.yaml', planning)
  repository.write('agents/agent.mjs', AGENT)
  for (const does of ['hangs', 'floods', 'forks', 'talks', 'lies', 'names', 'hides', ...PLANNERS])
    repository.write(
      `missions/templates/${does}.yaml`,
      `${PLANNERS.includes(does) ? PLANNED : HEAD}${task('bad', ROLES[does] ?? 'worker', [], does)}${task('after', 'worker', ['bad'])}`,
    )
  repository.write(
    'missions/templates/mends.yaml',
    `${PLANNED}${task('bad', 'planner', [], 'mends')}`,
  )
  repository.write(
    'missions/templates/stutters.yaml',
    `${HEAD}${task('bad', 'worker', [], 'stutters')}`,
  )
  repository.commit()
  await repository.worker()
})
afterAll(() => repository?.remove())

test.each([
  ['hangs', 'mission/runner-timeout', 2],
  ['floods', 'mission/runner-overflow', 2],
  ['forks', 'mission/runner-failed', 2],
  ['talks', 'mission/answer-refused', 1, 'mission/runner-answer'],
  ['lies', 'mission/answer-refused', 1],
  ['plans', 'mission/answer-refused', 1, 'mission/no-tasks'],
  ['reserves', 'mission/answer-refused', 1, 'mission/id-not-free'],
  ['invents', 'mission/answer-refused', 1, 'schema/enum'],
  ['shirks', 'mission/answer-refused', 1, 'mission/role-unfilled'],
  ['swarms', 'mission/answer-refused', 1, 'mission/too-many-planners'],
  ['names', 'mission/answer-refused', 1, 'mission/id-too-long'],
  ['hides', 'mission/answer-refused', 1, 'worker-result/no-null-characters'],
])(
  'an agent that %s fails its task with %s, after its attempts, and leaves no process',
  async (does, code, attempts, found?: string) => {
    const status = await repository.reaches(await repository.begin(does), 'failed', 'finished')
    expect(status.state).toBe('failed')
    expect(status.reason?.code).toBe(code)
    const [bad, after] = status.tasks
    expect(bad).toMatchObject({ state: 'failed', failures: attempts, reason: { code } })
    if (found) expect(bad?.reason).toMatchObject({ diagnostics: [{ code: found }] })
    expect(after).toMatchObject({ state: 'blocked', attempt: 0 })
    expect(status.artifacts).toEqual([])
    const agents = () =>
      processesOf(repository.root).filter(({ command }) => !command.includes('mission-worker'))
    await comesTrue(() => agents().length === 0)
    expect(agents()).toEqual([])
  },
)

test('an agent is shown an answer that is no sound JSON, and may mend it', async () => {
  const status = await repository.reaches(await repository.begin('stutters'), 'failed', 'finished')
  const { state, attempt, failures } = status.tasks[0] ?? {}
  expect({ state, attempt, failures }).toEqual({ state: 'done', attempt: 1, failures: 0 })
})

test('a planner sees what is wrong with its plan, and its next plan is done', async () => {
  const status = await repository.reaches(await repository.begin('mends'), 'failed', 'finished')
  expect(status).toMatchObject({ state: 'finished', tasks: [{ task: 'bad' }, { task: 'p' }] })
  const { state, attempt, failures } = status.tasks[0] ?? {}
  expect({ state, attempt, failures }).toEqual({ state: 'done', attempt: 1, failures: 0 })
})
