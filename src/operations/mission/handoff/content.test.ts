import { expect, test } from 'vitest'
import { exampleOf, MISSION } from '../../../../test/mission-payloads.ts'
import { findSecrets, maskSecrets } from '../../../document/index.ts'
import type { MissionSnapshot } from '../../../store/index.ts'
import { sectionsOf } from './content.ts'

const decided = {
  ...{ name: 'policy_decision' as const, id: 'pol_001', digest: 'a'.repeat(64) },
  ...{ payload: exampleOf('policy-decision.v1'), tombstone: null },
}
const snapshot: MissionSnapshot = {
  mission: MISSION,
  artifacts: [decided, { ...decided, id: 'pol_002', payload: null, tombstone: {} }],
  run: {
    ...{ state: 'paused', template: null, deadline: null, tokenBudget: null, tokensUsed: 0 },
    ...{ openTasks: 0, activeTasks: 0, reason: null, startedAt: '', pausedAt: '', endedAt: null },
  },
  ...{ tasks: [], outputs: [], toolCalls: [], decisions: [] },
}
const sections = sectionsOf(snapshot, {
  resume: 'waybill mission resume left.md',
  tenant: ' --tenant acme',
})

test('the document of a mission says what policies decided, and why', () => {
  expect(sections['Decisions Made']).toEqual([
    'Policy decision: allow for external_search (pol_001): mission sensitivity permits public web search',
    'A policy decision was erased (pol_002)',
  ])
})

test('ids stand in the document as they are, and no markup does', () => {
  const goal = {
    ...decided,
    name: 'mission_envelope' as const,
    payload: { normalized_goal: '_do_ task_1, **a__b**' },
  }
  const sections = sectionsOf({ ...snapshot, artifacts: [goal] }, { resume: '', tenant: '' })
  expect(sections['Current State Summary']).toContain('Its goal: do  task_1,   a  b')
})

test.each([
  'api_key=abcdef123',
  'password = "hunter2"',
  'password == "hunter2"',
  'token=ghp_a1B2a1B2a1B2a1B2a1B2',
  'token => abc123',
  '`token`=abc123',
])(
  'nothing in the document looks like a credential where an agent has failed over %s',
  credential => {
    const reason = {
      code: 'mission/runner-failed',
      message: maskSecrets(`refused: ${credential} is old`),
    }
    const run = { ...snapshot.run, reason }
    const sections = JSON.stringify(sectionsOf({ ...snapshot, run }, { resume: '', tenant: '' }))
    expect(sections).toContain('The mission failed: refused: ')
    expect(sections).toMatch(/…\W* is old/)
    expect(findSecrets(sections)).toEqual([])
  },
)

test('every verb that the document of a mission names is for its tenant', () => {
  const text = JSON.stringify([
    sections['Immediate Next Steps'],
    sections['Verification Checklist'],
  ])
  expect(text.match(/waybill mission (?:resume|status) [^`]*/g)).toEqual([
    'waybill mission resume left.md --tenant acme',
    `waybill mission status ${MISSION} --tenant acme`,
    `waybill mission status ${MISSION} --tenant acme`,
  ])
})
