import { canonicalId, type Statement, statementFrom } from './statements.ts'

/** The standing rules among the constraints of a session context, agent handoff or prompt package. */
export function rulesIn(document: unknown): Statement[] {
  const { payload, context, constraints } = fieldsOf(document)
  return [
    fieldsOf(fieldsOf(payload).context).constraints,
    fieldsOf(fieldsOf(context).request).constraints,
    fieldsOf(constraints).standing_rules,
  ]
    .flatMap(listOf)
    .flatMap(one => (typeof one === 'string' ? [statementFrom('rule', one)] : []))
}

/** The rules that constraints do not hold yet, by neither words nor id. */
export function missingRules(constraints: unknown, rules: readonly string[]): string[] {
  const held = new Set(
    listOf(constraints).flatMap(one => (typeof one === 'string' ? namesOf(one) : [])),
  )
  return rules.filter(rule => !namesOf(rule).some(name => held.has(name)))
}

function namesOf(rule: string): string[] {
  const { id, key } = statementFrom('rule', rule)
  return [canonicalId(id), key]
}

/** A single constraint counts as a list of one. */
export function listOf(constraints: unknown): readonly unknown[] {
  if (Array.isArray(constraints)) return constraints
  return constraints === undefined || constraints === null ? [] : [constraints]
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
