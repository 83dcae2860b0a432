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

/** The policies of today; `undefined` where they cannot be read, which leaves what was decided as it was. */
export function policiesOfToday(root: string, config: Config): Today | undefined {
  try {
    return inspectPolicies(readConfigured(root, config))
  } catch (error) {
    if (error instanceof WaybillError) return undefined
    throw error
  }
}

/** Explains a decision by what was recorded of it, with the text of its policies if those are still the same. */
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

const MEND = 'policies that do not fail on this handoff: mend what the failure names'

/** What would have to be otherwise for another outcome. */
function wouldChange(
  { decision, determining, errors }: PolicyOutcome,
  found: readonly string[],
): readonly string[] {
  if (decision === 'allow') return ['a forbid that applies to it, or one of these facts otherwise']
  // Why they failed decides what to mend: most of it is nothing that a check of the policies alone shows.
  if (errors.length > 0) return determining.flatMap(({ remedy }) => remedy ?? MEND)
  const asked = determining.flatMap(({ id, needs, remedy }) => [
    ...(needs === undefined ? [] : [`${needs} (${id})`]),
    ...(remedy === undefined ? [] : [`${remedy} (${id})`]),
  ])
  return [...asked, ...found.map(code => `what ${code} asks for: waybill explain ${code}`)]
}
