import { describe, expect, test } from 'vitest'
import { data, handoff, tool, writeBack } from '../../../test/policies.ts'
import { openPolicies } from './decide.ts'
import { loadCedar } from './engine.ts'
import { BUILT_IN_FORMS, SCHEMA_FORM } from './forms.generated.ts'
import type { DataRequest, HandoffPolicyFacts } from './request.ts'
import { BUILT_IN_POLICIES, POLICY_SCHEMA } from './texts.generated.ts'

const policies = openPolicies('/', {})
const ids = (request: Parameters<typeof policies.decide>[0]) =>
  policies.decide(request).determining.map(({ id }) => id)

test('the schema and the built-in policies are sound by the strictest validation', () => {
  const staticPolicies = Object.fromEntries(BUILT_IN_POLICIES.map(({ id, text }) => [id, text]))
  const answer = loadCedar().validate({ schema: POLICY_SCHEMA, policies: { staticPolicies } })
  expect(answer).toEqual({
    type: 'success',
    validationErrors: [],
    validationWarnings: [],
    otherWarnings: [],
  })
})

test('their parsed forms are those of their texts', () => {
  const cedar = loadCedar()
  expect(cedar.schemaToJson(POLICY_SCHEMA)).toMatchObject({ json: SCHEMA_FORM })
  const forms = BUILT_IN_POLICIES.map(({ id, text }) => [id, cedar.policyToJson(text)] as const)
  expect(forms.map(([, answer]) => answer.type)).not.toContain('failure')
  expect(forms.map(([id, answer]) => [id, 'json' in answer && answer.json])).toEqual(
    Object.entries(BUILT_IN_FORMS),
  )
})

test('each action has exactly one permit', () => {
  const permits = BUILT_IN_POLICIES.filter(({ effect }) => effect === 'permit')
  expect(permits.map(({ id, actions }) => [id, ...actions])).toEqual([
    ['waybill/handoff', 'handoff'],
    ['waybill/tool-scope', 'useTool'],
    ['waybill/data-scope', 'readData'],
    ['waybill/write-back', 'writeBack'],
  ])
})

test('every forbid says why and what to do', () => {
  const silent = BUILT_IN_POLICIES.filter(p => !p.reason || (p.effect === 'forbid' && !p.remedy))
  expect(silent).toEqual([])
})

test.each([
  ['a handoff', handoff, 'waybill/handoff'],
  ['the use of a tool', tool, 'waybill/tool-scope'],
  ['reading data', data, 'waybill/data-scope'],
  ['writing back', writeBack, 'waybill/write-back'],
])('%s is allowed when every fact holds, by its permit', (_, request, id) => {
  const { decision, determining, errors } = policies.decide(request)
  expect({ decision, ids: determining.map(d => d.id), errors }).toEqual({
    decision: 'allow',
    ids: [id],
    errors: [],
  })
})

const FLIPS: readonly (readonly [Partial<HandoffPolicyFacts>, string])[] = [
  [{ sourceVerified: false }, 'waybill/source-verified'],
  [{ targetVerified: false }, 'waybill/target-verified'],
  [{ compositionValid: false }, 'waybill/composition-valid'],
  [{ boundariesRespected: false }, 'waybill/boundaries-respected'],
  [{ signed: false }, 'waybill/signed'],
  [{ fresh: false }, 'waybill/fresh'],
  [{ replayed: true }, 'waybill/not-replayed'],
  [{ quarantined: true }, 'waybill/not-quarantined'],
  [{ findings: 1 }, 'waybill/no-findings'],
  [{ findings: -1 }, 'waybill/no-findings'],
]

describe('a handoff', () => {
  test.each(FLIPS)('with %o is denied by the one policy that says so', (facts, id) => {
    const request = { ...handoff, facts: { ...handoff.facts, ...facts } }
    expect(policies.decide(request).decision).toBe('deny')
    expect(ids(request)).toEqual([id])
  })

  test('is denied by every combination of facts but the one', () => {
    for (let bits = 0; bits < 2 ** FLIPS.length; bits++) {
      const flips = FLIPS.filter((_, i) => (bits >> i) & 1)
      const facts = Object.assign({}, handoff.facts, ...flips.map(([flip]) => flip))
      const wanted = [...new Set(flips.map(([, id]) => id))].sort()
      const request = { ...handoff, facts }
      expect(ids(request)).toEqual(wanted.length > 0 ? wanted : ['waybill/handoff'])
      expect(policies.decide(request).decision).toBe(wanted.length > 0 ? 'deny' : 'allow')
    }
  })

  test('without a signature is allowed where bare documents of its source are taken', () => {
    const facts = { ...handoff.facts, signed: false, unsignedAllowed: true }
    expect(ids({ ...handoff, facts })).toEqual(['waybill/handoff'])
  })
})

test.each([
  ['a tool beyond the task', { ...tool, tool: 'shell' }, ['policy/no-permit']],
  [
    'a tool for an agent in quarantine',
    { ...tool, facts: { ...tool.facts, quarantined: true } },
    ['waybill/not-quarantined'],
  ],
  [
    'data for an agent in quarantine',
    { ...data, facts: { ...data.facts, quarantined: true } },
    ['waybill/not-quarantined'],
  ],
  [
    'writing back what is not approved',
    { ...writeBack, facts: { ...writeBack.facts, approved: false } },
    ['policy/no-permit'],
  ],
  [
    'writing back by an agent in quarantine',
    { ...writeBack, facts: { ...writeBack.facts, quarantined: true } },
    ['waybill/not-quarantined'],
  ],
  [
    'writing back by a worker',
    { ...writeBack, agent: { ...writeBack.agent, roles: ['reviewer', 'worker'] } },
    ['waybill/workers-propose-only'],
  ],
])('%s is denied', (_, request, wanted) => {
  expect(policies.decide(request).decision).toBe('deny')
  expect(ids(request)).toEqual(wanted)
})

test('data is read up to the sensitivity of the mission, and without one only what is public', () => {
  const classes = ['public', 'internal_business', 'confidential', 'restricted']
  for (const [most, clearance] of [...classes, undefined].entries()) {
    for (const [own, sensitivity] of classes.entries()) {
      const { clearance: _, ...facts } = data.facts
      const request: DataRequest = {
        ...data,
        resource: { id: 'x', sensitivity },
        facts: clearance === undefined ? facts : { ...facts, clearance },
      }
      const may = own <= (clearance === undefined ? 0 : most)
      expect([clearance, sensitivity, policies.decide(request).decision]).toEqual([
        clearance,
        sensitivity,
        may ? 'allow' : 'deny',
      ])
    }
  }
})
