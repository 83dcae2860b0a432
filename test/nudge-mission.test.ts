import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  AGENTS_ENVIRONMENT,
  copyNudge,
  NUDGE,
  type NudgeCopy,
  playMission,
} from './nudge-mission.ts'
import { toolGuards } from './tool-guard.ts'

const openGuard = toolGuards()
const copies: NudgeCopy[] = []
afterEach(() => {
  for (const copy of copies.splice(0)) copy.remove()
})

function openCopy(): NudgeCopy {
  const copy = copyNudge()
  copies.push(copy)
  return copy
}

const SCHEDULE = 'Where does the schedule ask outsideQuietHours when it may send?'
const BOOKED =
  'What is tested against RISK-QUIET-002, appointments that are booked at night for the early morning?'

describe('the agents of the example', () => {
  test('count, look up, and propose what the ticket should say; every call is traced', async () => {
    const played = await playMission(NUDGE, openGuard)
    expect(played.of('review_packet')).toMatchObject([
      {
        review_status: 'approved_with_edits',
        issues: [{ message: SCHEDULE }, { message: BOOKED }],
        approved_output: {
          summary: expect.stringContaining(
            "Of 31,480 reminders, 214 arrived at night by the recipient's clock: 171 from the retry queue; 43 from the schedule, 43 of them by day for the clinic.",
          ),
        },
      },
    ])
    expect(played.of('writeback_proposal')).toMatchObject([
      { target_entity_id: 'NUDGE-118', requires_approval: true },
    ])
    expect(played.of('aggregation_packet')).toMatchObject([{ contradictions: [] }])
    const refs = played.of('worker_result').flatMap(({ tool_trace_refs }) => tool_trace_refs)
    expect(refs.length).toBeGreaterThan(8)
    expect(played.traceRefs).toEqual(expect.arrayContaining(refs))
  })

  test('come to something else when the files say something else', async () => {
    const copy = openCopy()
    copy.change('logs/delivered-2026-01.csv', ',2,retry queue,8', ',2,retry queue,18')
    copy.write(
      'src/schedule.ts',
      "import { outsideQuietHours } from './quiet-hours.ts'\nexport const send = () => outsideQuietHours(new Date(), new Date(), 'UTC')\n",
    )
    const played = await playMission(copy.root, openGuard)
    const [packet] = played.of('aggregation_packet')
    expect(packet?.coverage_gaps).toEqual([BOOKED])
    expect(packet?.contradictions).toMatchObject([
      { subject: 'reminders delivered', values: [{ value: '31490' }, { value: '31480' }] },
      { subject: 'reminders at night', values: [{ value: '224' }, { value: '214' }] },
      {
        subject: expect.stringContaining('retry queue'),
        values: [{ value: '181' }, { value: '171' }],
      },
    ])
    expect(played.of('review_packet')).toMatchObject([{ review_status: 'changes_required' }])
    expect(played.of('writeback_proposal')).toEqual([])
  })

  test('leave nothing open when nothing is', async () => {
    const copy = openCopy()
    copy.write('src/schedule.ts', '// Asks outsideQuietHours( before it sends.\n')
    copy.change(
      'tests/quiet-hours.test.ts',
      'test(',
      "test('booked at night, early in the morning: appointments wait', () => {})\n\ntest(",
    )
    const played = await playMission(copy.root, openGuard)
    expect(played.of('aggregation_packet')).toMatchObject([{ coverage_gaps: [] }])
    expect(played.of('review_packet')).toMatchObject([{ review_status: 'approved' }])
  })
})

describe('a program of the example', () => {
  const program = (name: string, input: string) =>
    spawnSync(process.execPath, [join('agents', name)], {
      cwd: NUDGE,
      input,
      encoding: 'utf8',
      env: AGENTS_ENVIRONMENT,
    })

  test('does nothing beyond its pass', () => {
    const assignment = {
      mission: { normalized_goal: 'x' },
      task: { role_type: 'worker', success_criteria: [] },
      pass: { pass_id: 'pass_1', allowed_resource_families: ['repository.source'] },
      inputs: [],
    }
    const { status, stdout, stderr } = program('programs/causes.ts', JSON.stringify(assignment))
    expect(stderr).toContain('the pass pass_1 does not cover logs')
    expect([status, stdout]).toEqual([1, ''])
  })

  test.each([
    ['outside', '../nudge/../../package.json'],
    ['with keys', '.waybill/keys/gateway'],
    ['of agents', 'agents/prompt-lock.json'],
    ['of the system', '/etc/passwd'],
  ])('serves no file %s', (_, path) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
    const params = { name: 'read', arguments: { path } }
    const { stdout } = program('tools/repository.ts', `${JSON.stringify({ ...call, params })}\n`)
    expect(JSON.parse(stdout).result).toMatchObject({
      isError: true,
      content: [{ text: `'${path}' is not in contexts, docs, logs, migrations, src, tests` }],
    })
  })
})
