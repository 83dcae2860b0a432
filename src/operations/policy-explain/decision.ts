import { WaybillError } from '../../error.ts'
import {
  type Determining,
  describeDecision,
  type EntrySummary,
  type Inspected,
  inspectPolicies,
  type Policy,
  type PolicyOutcome,
  type ReadEntry,
  readConfigured,
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
  { codes }: EntrySummary,
  today: Today | undefined,
): ExplainedDecision {
  const { decision, determining, errors, setDigest: set } = outcome
  const same = today ? today.digest === set : null
  const policies = new Map(same ? today?.policies.map(policy => [policy.id, policy]) : [])
  const facts = recordedFacts(entry)
  // Errors come first among the codes.
  const found = codes.slice(
    0,
    facts.reduce((n, { name, value }) => (name === 'findings' ? Number(value) : n), 0),
  )
  return {
    decision,
    determining: determining.map(one => deciderOf(one, policies.get(one.id))),
    errors,
    set,
    same,
    facts,
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

/** What would have to be otherwise for another outcome. */
function wouldChange(
  { decision, determining, errors }: PolicyOutcome,
  found: readonly string[],
): readonly string[] {
  if (decision === 'allow') return ['a forbid that applies to it, or one of these facts otherwise']
  if (errors.length > 0)
    return ['policies that do not fail: waybill policy check shows what is wrong']
  const asked = determining.flatMap(({ id, needs, remedy }) => [
    ...(needs === undefined ? [] : [`${needs} (${id})`]),
    ...(remedy === undefined ? [] : [`${remedy} (${id})`]),
  ])
  return [...asked, ...found.map(code => `what ${code} asks for: waybill explain ${code}`)]
}
