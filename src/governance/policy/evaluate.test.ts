import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CONFIG, handoff, policyRepositories, tool } from '../../../test/policies.ts'
import { anyPolicy, anyRequest } from '../../../test/policy-arbitraries.ts'
import { decideBy, evaluateEach, type PolicyOutcome, readConfigured } from './decide.ts'
import { type Inspected, inspectPolicies } from './inspect.ts'
import { inWords } from './read-policy.ts'
import type { PolicyRequest } from './request.ts'

const repository = policyRepositories()

/** What each policy says by itself, in as few words where that comes to nothing. */
function byEach(asked: PolicyRequest, inspected: Inspected): PolicyOutcome | readonly string[] {
  try {
    return evaluateEach(asked, inspected)
  } catch (error) {
    return [inWords((error as Error).message)]
  }
}

/** One of each outcome, whatever else is tried. */
const FAILING =
  'forbid (principal, action == Waybill::Action::"handoff", resource) when { context.ageSeconds + 9223372036854775805 < 0 };'
const NEEDING = '@needs("more") forbid (principal, action == Waybill::Action::"handoff", resource);'
const EXAMPLE = [FAILING, NEEDING.replace('handoff', 'writeBack')]
const restless: PolicyRequest = { ...handoff, facts: { ...handoff.facts, ageSeconds: 0 } }
const unsound = {
  ...handoff,
  facts: { ...handoff.facts, signed: 'yes' },
} as unknown as PolicyRequest
const shell: PolicyRequest = { ...tool, tool: 'shell' }

test('joined or each by itself, remembered or not, policies decide the same for the same reasons', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(
      fc.array(anyPolicy, { maxLength: 6 }),
      fc.array(anyRequest, { minLength: 1, maxLength: 6 }),
      (policies, requests) => {
        const root = repository({ 'a.cedar': policies.join('\n') })
        // Whatever is wrong with them: what is joined has to hold for those as well.
        const inspected = inspectPolicies(readConfigured(root, CONFIG))
        const fresh = decideBy(inspected, { remember: false })
        const remembering = decideBy(inspected, {})
        for (const asked of [...requests, ...requests]) {
          const each = byEach(asked, inspected)
          const outcome = fresh.decide(asked)
          expect(remembering.decide(structuredClone(asked))).toEqual(outcome)
          if ('decision' in each) expect(outcome).toEqual(each)
          else expect([outcome.decision, outcome.errors]).toEqual(['deny', each])
          const failed = 'decision' in each ? 'a policy fails' : 'the request fails'
          const kind = outcome.errors.length > 0 ? failed : outcome.decision
          seen.add(kind)
        }
      },
    ),
    {
      numRuns: 40,
      examples: [
        [EXAMPLE, [handoff, restless, tool]],
        [[NEEDING], [handoff, shell, unsound]],
      ],
    },
  )
  expect([...seen].sort()).toEqual(KINDS)
})

const KINDS = ['a policy fails', 'allow', 'deny', 'needs-input', 'the request fails']
