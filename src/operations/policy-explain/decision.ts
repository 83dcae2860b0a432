import { WaybillError } from '../../error.ts'
import {
  type Determining,
  describeDecision,
  type Inspected,
  inspectPolicies,
  type Policy,
  type PolicyOutcome,
  type ReadEntry,
  readConfigured,
  recordedErrors,
  recordedFacts,
} from '../../governance/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { ExplainedDecision } from './output.ts'

type Today = Pick<Inspected, 'digest' | 'policies'>

/** Reads the current policies; `undefined` when unreadable, which does not affect the recorded decision. */
export function policiesOfToday(root: string, config: Config): Today | undefined {
  try {
    return inspectPolicies(readConfigured(root, config))
  } catch (error) {
    if (error instanceof WaybillError) return undefined
    throw error
  }
}

/** Explains a recorded decision, with the policy texts when the policies are unchanged. */
export function explained(
  outcome: PolicyOutcome,
  entry: ReadEntry,
  today: Today | undefined,
): ExplainedDecision {
  const { decision, determining, errors, setDigest: set } = outcome
  const same = today ? today.digest === set : null
  const policies = new Map(same ? today?.policies.map(policy => [policy.id, policy]) : [])
  const found = recordedErrors(entry)
  return {
    decision,
    determining: determining.map(one => deciderOf(one, policies.get(one.id))),
    errors,
    set,
    same,
    facts: recordedFacts(entry),
    found,
    would: wouldChange(outcome, found),
    explanation: describeDecision(outcome, {
      policies: today?.policies ?? [],
      setDigest: today?.digest ?? 'unknown',
    }),
  }
}

function deciderOf(
  { id, effect, reason, needs, remedy }: Determining,
  policy: Policy | undefined,
): ExplainedDecision['determining'][number] {
  const place = policy?.place
  const [file, line] = [place?.file ?? null, place?.line ?? null]
  const words = { reason, needs: needs ?? null, remedy: remedy ?? null }
  return { id, effect, ...words, file, line, text: policy?.text ?? null }
}

const MEND = 'policies that do not fail on this handoff: fix what the failure names'

/** Returns what would lead to another outcome. */
function wouldChange(
  { decision, determining, errors }: PolicyOutcome,
  found: readonly string[],
): readonly string[] {
  if (decision === 'allow')
    return ['a forbid that applies, or a different value of one of these facts']
  // The failures say what to fix; a check of the policies alone would not show most of them.
  if (errors.length > 0) return determining.flatMap(({ remedy }) => remedy ?? MEND)
  const asked = determining.flatMap(({ id, needs, remedy }) => [
    ...(needs === undefined ? [] : [`${needs} (${id})`]),
    ...(remedy === undefined ? [] : [`${remedy} (${id})`]),
  ])
  return [...asked, ...found.map(code => `fixing ${code}: waybill explain ${code}`)]
}
