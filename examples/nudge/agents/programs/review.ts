import { type Aggregation, answer, type Fact, inputsOf, readAssignment } from './assignment.ts'
import { putTogether } from './findings.ts'
import { openLibrary } from './library.ts'

interface Issue {
  readonly severity: 'low' | 'medium' | 'high'
  readonly message: string
}

const assignment = await readAssignment()
const library = openLibrary(assignment)
const results = inputsOf(assignment, 'worker_result')
const [packet] = inputsOf(assignment, 'aggregation_packet')
if (!packet) throw new Error('there is nothing to review')
const wrong = [
  ...strayReferences(packet),
  ...differences(packet),
  ...(await untrueFacts(results.flatMap(({ structured_output }) => structured_output.facts))),
  ...packet.contradictions.map(({ subject, values }) =>
    high(
      `${subject}: ${values.map(({ value, refs }) => `${value} (${refs.slice(1).join(', ')})`).join(' against ')}`,
    ),
  ),
]
const open = packet.coverage_gaps.map((gap): Issue => ({ severity: 'medium', message: gap }))
if (wrong.length > 0)
  answer({
    schema_name: 'review_packet',
    review_status: 'changes_required',
    issues: [...wrong, ...open],
    required_edits: wrong.map(({ message }) => `Clear up: ${message}`),
  })
else answer(approval(packet), proposal(packet))

function high(message: string): Issue {
  return { severity: 'high', message }
}

/** References that lead nowhere. */
function strayReferences({ evidence_matrix }: Aggregation): Issue[] {
  const known = new Set(
    results.flatMap(({ result_id, citations }) => [result_id, ...citations.map(({ ref }) => ref)]),
  )
  return evidence_matrix.flatMap(({ claim, support_refs }) => {
    const strays = support_refs.filter(ref => !known.has(ref))
    if (support_refs.length > 0 && strays.length === 0) return []
    return [high(`'${claim}' is not supported: ${strays.join(', ') || 'nothing is named'}`)]
  })
}

/** Whatever of the draft does not follow from the results. */
function differences(draft: Aggregation): Issue[] {
  const again = putTogether(results)
  const parts = ['evidence_matrix', 'contradictions', 'coverage_gaps'] as const
  return parts
    .filter(part => JSON.stringify(draft[part]) !== JSON.stringify(again[part]))
    .map(part => high(`the ${part} of the draft does not follow from the results`))
}

/** Facts that do not stand where they are said to stand. */
async function untrueFacts(facts: readonly Fact[]): Promise<Issue[]> {
  const files = new Map<string, Promise<readonly string[]>>()
  const issues = await Promise.all(
    facts.map(async ({ subject, ref, quote }) => {
      const [path = '', line] = ref.split('#L')
      const lines = files.get(path) ?? library.read(path)
      files.set(path, lines)
      const text = line ? (await lines)[Number(line) - 1] : (await lines).join('\n')
      const isThere = text?.includes(quote ?? '')
      return isThere ? [] : [high(`${ref} does not say '${quote}' (${subject})`)]
    }),
  )
  return issues.flat()
}

function approval({ summary, coverage_gaps }: Aggregation): object {
  return {
    schema_name: 'review_packet',
    review_status: coverage_gaps.length > 0 ? 'approved_with_edits' : 'approved',
    issues: open,
    required_edits: coverage_gaps.map(gap => `Say that this is open: ${gap}`),
    approved_output: { summary, open_questions: coverage_gaps },
  }
}

/** What the ticket should say; a person decides whether it will. */
function proposal({ summary, coverage_gaps }: Aggregation): object {
  const { ticket } = assignment.mission.context_refs ?? {}
  return {
    schema_name: 'writeback_proposal',
    target_entity_type: 'ticket',
    target_entity_id: String(ticket),
    action_type: 'ticket_comment',
    payload: { comment: summary, open_questions: coverage_gaps },
    requires_approval: true,
  }
}
