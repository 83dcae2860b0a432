import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HandoffRequest } from '../../src/governance/index.ts'

/** Writes forbid policies, ten to a file, none of which matches the handoff below. */
export function writePolicies(root: string, count: number): void {
  const folder = join(root, 'policies')
  mkdirSync(folder, { recursive: true })
  for (let file = 0; file < count / 10; file++) {
    const numbers = Array.from({ length: Math.min(10, count - file * 10) }, (_, i) => file * 10 + i)
    writeFileSync(join(folder, `team-${file}.cedar`), numbers.map(forbid).join('\n'))
  }
}

function forbid(number: number): string {
  return `@id("rule-${number}")
@reason("restricted work of this sort is seen by team ${number} first")
@needs("an approval by team-${number}")
forbid (principal is Waybill::Agent, action == Waybill::Action::"handoff", resource is Waybill::Agent)
when {
  resource.version == "${number + 2}.0.0" ||
  (context has sensitivity && context.sensitivity == Waybill::Sensitivity::"restricted")
}
unless { context.approvals.contains("team-${number}") };
`
}

/** A handoff with all facts true; the first million are distinct. */
export function policyHandoff(number: number): HandoffRequest {
  return {
    action: 'handoff',
    source: { id: 'domain-05-product', type: 'domain', version: '1.0.0' },
    target: { id: 'domain-02-analysis', type: 'domain', version: '1.0.0' },
    facts: {
      sourceVerified: true,
      targetVerified: true,
      compositionValid: true,
      boundariesRespected: true,
      signed: true,
      fresh: true,
      replayed: false,
      quarantined: false,
      requestType: 'analysis',
      findings: 0,
      ageSeconds: number,
      sensitivity: 'confidential',
    },
  }
}
