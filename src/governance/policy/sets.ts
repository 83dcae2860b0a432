import type { PreparedSet } from './engine.ts'
import { BUILT_IN_FORMS } from './forms.generated.ts'
import type { Inspected } from './inspect.ts'
import { type Forbid, joinForbids } from './join.ts'
import type { Policy, PolicyAction } from './policy.ts'

/** The policies to evaluate: all separately, the permits only, or all with the forbids joined. */
type Part = 'all' | 'permits' | 'joined'

/**
 * Returns the policies to evaluate for an action: fewer are faster.
 *
 * Repository permits are never among those for handoffs, so they cannot widen what the rules decide.
 */
export function setFor(action: PolicyAction, inspected: Inspected, part: Part): PreparedSet {
  const isAsked = ({ place, effect, actions }: Policy) =>
    actions.includes(action) &&
    (effect === 'permit' ? action !== 'handoff' || place === undefined : part !== 'permits')
  return {
    key: `${inspected.digest} ${action} ${part}`,
    policies: () => {
      // The engine copies the names at every decision, and long names cost a third more: use numbers.
      const asked = inspected.policies.flatMap((policy, number) =>
        isAsked(policy) ? [{ policy, number }] : [],
      )
      return part === 'joined' ? withJoined(asked, inspected) : eachOf(asked)
    },
  }
}

interface Asked {
  readonly policy: Policy
  readonly number: number
}

type PolicySet = ReturnType<PreparedSet['policies']>

function eachOf(asked: readonly Asked[]): PolicySet {
  return Object.fromEntries(
    asked.map(({ policy, number }) => [number, formOf(policy) ?? policy.text]),
  )
}

/** Built-in policies are parsed at build time. */
function formOf({ id, place }: Policy) {
  return place === undefined ? BUILT_IN_FORMS[id] : undefined
}

/** A joined set does not tell which forbid applies; evaluate each one for that. */
function withJoined(asked: readonly Asked[], { forms }: Inspected): PolicySet {
  const forbids: (Asked & Forbid)[] = []
  const others: Asked[] = []
  for (const one of asked) {
    const form = formOf(one.policy) ?? forms.get(one.policy.id)
    if (one.policy.effect === 'permit' || !form) others.push(one)
    else forbids.push({ ...one, text: one.policy.text, form })
  }
  const { joined, apart } = joinForbids(forbids)
  return joined === undefined ? eachOf(asked) : { ...eachOf([...others, ...apart]), joined }
}
