import type { PreparedSet } from './engine.ts'
import { BUILT_IN_FORMS } from './forms.generated.ts'
import type { Inspected } from './inspect.ts'
import { type Forbid, joinForbids } from './join.ts'
import type { Policy, PolicyAction } from './policy.ts'

/** Which policies are asked: all of them, each by itself; the permits alone; or all, with the forbids joined to one. */
type Part = 'all' | 'permits' | 'joined'

/**
 * The policies that are asked about an action: the fewer, the faster.
 *
 * Permits of a repository are never among those for handoffs, so that none of them can widen what the rules decide.
 */
export function setFor(action: PolicyAction, inspected: Inspected, part: Part): PreparedSet {
  const isAsked = ({ place, effect, actions }: Policy) =>
    actions.includes(action) &&
    (effect === 'permit' ? action !== 'handoff' || place === undefined : part !== 'permits')
  return {
    key: `${inspected.digest} ${action} ${part}`,
    policies: () => {
      // The engine copies the names at every decision, and long ones cost a third more: there they are numbers.
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

/** What is built in was parsed when this was built. */
function formOf({ id, place }: Policy) {
  return place === undefined ? BUILT_IN_FORMS[id] : undefined
}

/** Which of the joined ones applies nobody can say: whoever has to know asks each of them. */
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
