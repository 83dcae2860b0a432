import { spelled } from '../../contract/index.ts'
import type { ProposalDecisionParts } from '../../operations/mission-approve/output.ts'
import type { Style } from '../parse.ts'

/** The proposal, the decision and its evidence. */
export function decisionText(output: ProposalDecisionParts, style: Style): string {
  const { outcome, decision, mission, proposal, digest, payload, agents } = output
  const about = [
    `  mission  ${mission}`,
    `  agents   ${agents.length === 0 ? 'none' : agents.map(spelled).join(', ')}`,
    `  digest   ${style('dim', digest)}`,
  ]
  if (outcome === 'would-record')
    return [
      `${style('yellow', spelled(proposal))} would be ${decision}; nothing recorded`,
      ...about,
      '',
      ...JSON.stringify(payload, null, 2).split('\n').map(spelled),
      '',
      `Read it, then decide with --by <name> --why <reason> [--key <file>] --digest ${digest}`,
    ].join('\n')
  const mark = decision === 'approved' ? style('green', '✓') : style('red', '✗')
  return [
    `${mark} ${spelled(proposal)} is ${decision} by ${spelled(output.by ?? '')}`,
    ...about,
    ...(output.expires === null ? [] : [`  expires  ${output.expires}`]),
    '',
    style('dim', recordedLine(output)),
  ].join('\n')
}

function recordedLine({ standing, entry, decision }: ProposalDecisionParts): string {
  const shown = standing === 'proved' ? 'proved by their key' : 'by name only'
  const next = decision === 'approved' ? '; a worker (waybill mission work) delivers it' : ''
  return `stated (${shown}), recorded as entry ${entry}${next}`
}
