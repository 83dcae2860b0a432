import { counted } from '../../contract/index.ts'
import type { Determining, Policies, PolicyOutcome } from './decide.ts'

const HEADS: Readonly<Record<PolicyOutcome['decision'], string>> = {
  allow: 'Allowed',
  deny: 'Denied',
  'needs-input': 'Not yet: it needs input',
}

const ASKED: Readonly<Record<PolicyOutcome['action'], string>> = {
  handoff: 'handing work to another agent',
  useTool: 'using a tool',
  readData: 'reading data',
  writeBack: 'writing a result back',
}

/** Explains a decision to a person: each policy that decided, its place, and what to do. */
export function describeDecision(
  outcome: PolicyOutcome,
  { policies, setDigest }: Pick<Policies, 'policies' | 'setDigest'>,
): string {
  const { decision, action, determining } = outcome
  const same = outcome.setDigest === setDigest
  const places = new Map(policies.map(({ id, place }) => [id, place]))
  const lines = [`${HEADS[decision]}: ${ASKED[action]}.`]
  for (const one of determining) {
    const place = same ? places.get(one.id) : undefined
    const where = place ? `, ${place.file}:${place.line}` : ''
    lines.push(`- ${one.reason} (${one.id}${where})`, ...adviceOf(one).map(line => `  ${line}`))
  }
  if (!same) {
    lines.push(
      `The policies have changed since this decision (set ${short(outcome.setDigest)}, now ${short(setDigest)}).`,
    )
  } else if (decision === 'allow') {
    lines.push(`No forbid among ${counted(policies.length, 'policy', 'policies')} denies it.`)
  }
  return lines.join('\n')
}

function adviceOf({ needs, remedy }: Determining): string[] {
  return [
    ...(needs === undefined ? [] : [`it needs: ${needs}`]),
    ...(remedy === undefined ? [] : [`to do: ${remedy}`]),
  ]
}

function short(digest: string): string {
  return digest.slice(0, 12)
}
