import type { Aggregation, Contradiction, WorkerResult } from './assignment.ts'

/** What follows from the results of workers taken together. */
export type Together = Pick<Aggregation, 'evidence_matrix' | 'contradictions' | 'coverage_gaps'>

/** Puts results together: what they agree on, where they contradict each other, and what none of them answers. */
export function putTogether(results: readonly WorkerResult[]): Together {
  const facts = results.flatMap(({ result_id, structured_output }) =>
    structured_output.facts.map(fact => ({ ...fact, result: result_id })),
  )
  const subjects = [...new Set(facts.map(({ subject }) => subject))].map(subject => {
    const its = facts.filter(fact => fact.subject === subject)
    const values = [...new Set(its.map(({ value }) => value))].map(value => {
      const same = its.filter(fact => fact.value === value)
      return {
        value,
        refs: [...new Set([...same.map(({ result }) => result), ...same.map(({ ref }) => ref)])],
      }
    })
    return { subject, values }
  })
  const questions = results.flatMap(({ result_id, structured_output }) =>
    structured_output.questions.map(question => ({ ...question, result: result_id })),
  )
  return {
    evidence_matrix: [
      ...subjects.flatMap(({ subject, values }) => {
        const [only] = values
        return only && values.length === 1
          ? [{ claim: `${subject}: ${only.value}`, support_refs: only.refs }]
          : []
      }),
      ...questions.flatMap(({ question, answered_by, result }) =>
        answered_by.length > 0
          ? [{ claim: `Answered: ${question}`, support_refs: [result, ...answered_by] }]
          : [],
      ),
    ],
    contradictions: subjects.filter(({ values }) => values.length > 1) satisfies Contradiction[],
    coverage_gaps: questions.flatMap(({ question, answered_by }) =>
      answered_by.length === 0 ? [question] : [],
    ),
  }
}
