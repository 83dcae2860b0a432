import { answer, inputsOf, readAssignment } from './assignment.ts'
import { putTogether } from './findings.ts'
import { counted } from './words.ts'

const assignment = await readAssignment()
const results = inputsOf(assignment, 'worker_result')
const together = putTogether(results)
const { evidence_matrix, contradictions, coverage_gaps } = together
const said = results
  .map(result => assignment.inputs.find(input => input === result))
  .flatMap(input => (input && 'output_text' in input ? [String(input.output_text)] : []))
answer({
  schema_name: 'aggregation_packet',
  summary: [
    ...said,
    `${counted(evidence_matrix.length, 'claim')} supported, ${counted(contradictions.length, 'contradiction')}, ${counted(coverage_gaps.length, 'question')} open.`,
  ].join(' '),
  ...together,
  recommended_output: { format: contradictions.length > 0 ? 'correction' : 'ticket_comment' },
})
