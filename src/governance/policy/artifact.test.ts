import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { data, handoff, policyRepository, tool, writeBack } from '../../../test/policies.ts'
import { as, checkDocument } from '../../contract/index.ts'
import { findContract, loadContract } from '../../contracts/index.ts'
import { readDocuments } from '../../document/index.ts'
import { type DecisionIds, decisionArtifact } from './artifact.ts'
import { openPolicies } from './decide.ts'
import { describeDecision } from './describe.ts'
import type { PolicyRequest } from './request.ts'

const root = policyRepository({
  'legal.cedar': `@reason("restricted data goes nowhere without legal")
@needs("an approval by legal")
forbid (principal, action == Waybill::Action::"handoff", resource)
when { context has sensitivity && context.sensitivity == Waybill::Sensitivity::"restricted" };`,
})
afterAll(() => rmSync(root, { recursive: true }))
const policies = openPolicies(root, { policies: 'policies' })

const AT = Date.parse('2026-11-21T12:00:00Z')
const MISSION = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'
const HANDOFF = '550e8400-e29b-41d4-a716-446655440000'
const ids = { decisionId: 'pol_001', subject: 'external_search', mission: { id: MISSION }, at: AT }
const restricted = { ...handoff, facts: { ...handoff.facts, sensitivity: 'restricted' } }
const failing = { ...handoff, facts: { ...handoff.facts, findings: 0.5 } }

/** What the contract says to an artifact. */
async function faultsOf(artifact: unknown): Promise<string[]> {
  const contract = findContract('policy-decision')
  if (!contract) throw new Error('the contract is gone')
  const { documents } = await readDocuments(JSON.stringify(artifact), 'json', [])
  const [document] = documents
  if (!document) throw new Error('there is no document')
  const facts = { envelope: { missing: 'there is none' } }
  const options = { now: AT, facts }
  const result = checkDocument(
    document,
    as(contract, document.value),
    await loadContract(contract),
    options,
  )
  return result.accepted ? [] : result.diagnostics.map(({ code, message }) => `${code} ${message}`)
}

describe('every outcome passes the contract as an artifact', () => {
  test.each<readonly [string, PolicyRequest, Partial<DecisionIds>, object]>([
    [
      'an allowed tool',
      tool,
      {},
      {
        decision_type: 'tool_scope',
        decision: 'allow',
        reason: 'the task allows this tool (waybill/tool-scope)',
      },
    ],
    [
      'a tool that no policy permits',
      { ...tool, tool: 'x' },
      { subject: 'x' },
      { decision: 'deny', subject: 'x' },
    ],
    ['data', data, {}, { decision_type: 'data_scope', decision: 'allow' }],
    ['a write-back', writeBack, {}, { decision_type: 'writeback', decision: 'allow' }],
    [
      'a handoff outside of a mission',
      handoff,
      { mission: { handoff: HANDOFF } },
      { decision_type: 'handoff', mission_id: HANDOFF, decision: 'allow' },
    ],
    [
      'a handoff that needs input',
      restricted,
      {},
      {
        decision: 'deny',
        reason:
          'needs input: an approval by legal (legal.cedar#1: restricted data goes nowhere without legal)',
      },
    ],
    ['a decision that failed', failing, {}, { decision: 'deny' }],
    ['a subject that no database could hold', tool, { subject: 'a\0b' }, { subject: 'a␀b' }],
    ['an empty subject', tool, { subject: '' }, { subject: '-' }],
    ['a producer of its own', tool, { producer: 'gateway' }, { producer: 'gateway' }],
  ])('%s', async (_, request, more, wanted) => {
    const artifact = decisionArtifact(policies.decide(request), { ...ids, ...more })
    expect(artifact).toMatchObject({ created_at: '2026-11-21T12:00:00Z', ...wanted })
    expect(await faultsOf(artifact)).toEqual([])
  })

  test('which refuses what is none', async () => {
    const artifact = decisionArtifact(policies.decide(tool), ids)
    expect(await faultsOf({ ...artifact, mission_id: 'm-1' })).toHaveLength(1)
    expect(await faultsOf({ ...artifact, reason: 'a\0b' })).toHaveLength(1)
  })
})

describe('a person gets the reason', () => {
  test.each([
    [
      'it is allowed',
      handoff,
      'Allowed: handing work to another agent.\n- every fact that the rules have computed holds (waybill/handoff)\nNo forbid among 15 policies denies it.',
    ],
    [
      'it needs input, and of whom',
      restricted,
      'Not yet: it needs input: handing work to another agent.\n- restricted data goes nowhere without legal (legal.cedar#1, policies/legal.cedar:1)\n  it needs: an approval by legal',
    ],
    [
      'it is denied, and what to do',
      { ...handoff, facts: { ...handoff.facts, replayed: true } },
      'Denied: handing work to another agent.\n- a handoff with this id was accepted before (waybill/not-replayed)\n  to do: give every handoff an id of its own: waybill send does',
    ],
    [
      'no policy permits it',
      { ...tool, tool: 'shell' },
      "Denied: using a tool.\n- no policy permits it; the built-in ones permit tools that the agent's task allows (policy/no-permit)",
    ],
  ])('%s', (_, request, text) => {
    expect(describeDecision(policies.decide(request), policies)).toBe(text)
  })

  test('that other policies decided than there are now, whose lines would mislead', () => {
    const text = describeDecision(policies.decide(restricted), openPolicies('/', {}))
    expect(text).toContain('(legal.cedar#1)')
    expect(text).toContain(`(set ${policies.setDigest.slice(0, 12)}, now `)
  })
})
