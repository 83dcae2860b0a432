import { isDeepStrictEqual } from 'node:util'
import type { EntityUidJson, Expr, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { askCedar } from './engine.ts'
import { depthOf } from './policy.ts'
import { conditionsIn } from './split.ts'

/** A forbid as written, with its parsed form. */
export interface Forbid {
  readonly text: string
  readonly form: PolicyJson
}

/** Joining adds a few levels of nesting; the engine supports three times this depth. */
const MOST_DEEP = 32

/**
 * Joins many forbids into one: if it neither applies nor fails, none of them does.
 *
 * Deeply nested ones stay `apart`. Returns nothing unless the engine parses the result as exactly their conditions.
 */
export function joinForbids<Given extends Forbid>(
  forbids: readonly Given[],
): { readonly joined?: string; readonly apart: readonly Given[] } {
  const within: Given[] = []
  const apart: Given[] = []
  for (const one of forbids) (depthOf(one.form) <= MOST_DEEP ? within : apart).push(one)
  const whole = anyOf(within.map(conditionOf))
  if (!whole) return { apart }
  const joined = `forbid (principal, action, resource) when { ${whole.text} };`
  return isReadAs(joined, whole.form) ? { joined, apart } : { apart }
}

/** The text for the engine, and the parsed form that proves the text was joined correctly. */
interface Condition {
  readonly text: string
  readonly form: Expr
}

function isReadAs(text: string, body: Expr): boolean {
  const answer = askCedar(cedar => cedar.policyToJson(text))
  if (answer.type === 'failure') return false
  return isDeepStrictEqual(answer.json.conditions, [{ kind: 'when', body }])
}

/** True whenever the forbid applies; types and actions are omitted, since all are forbids of one action. */
function conditionOf({ text, form }: Forbid): Condition {
  const written = conditionsIn(text)
  const parts = [...scopeOf('principal', form.principal), ...scopeOf('resource', form.resource)]
  for (const [i, { kind, body }] of form.conditions.entries()) {
    // A trailing comment would extend to the end of the line.
    const own = `(${written[i]?.body}\n)`
    parts.push(
      kind === 'when'
        ? { text: own, form: body }
        : { text: `!${own}`, form: { '!': { arg: body } } },
    )
  }
  const [first = { text: 'true', form: { Value: true } }, ...rest] = parts
  return rest.reduce((left, right) => joinBy('&&', left, right), first)
}

function scopeOf(name: 'principal' | 'resource', scope: PolicyJson['principal']): Condition[] {
  if (scope.op === '==' && 'entity' in scope) return comparison(name, '==', scope.entity)
  const within = scope.op === 'is' ? scope.in : scope.op === 'in' ? scope : undefined
  return within && 'entity' in within ? comparison(name, 'in', within.entity) : []
}

/** Ids of these characters need no escapes; without the comparison a forbid is only evaluated more often. */
const PLAIN = /^[\w .:@/-]*$/

function comparison(
  name: 'principal' | 'resource',
  operator: '==' | 'in',
  entity: EntityUidJson,
): Condition[] {
  const uid = '__entity' in entity ? entity.__entity : entity
  if (!PLAIN.test(uid.id)) return []
  const literal = { text: `${uid.type}::"${uid.id}"`, form: { Value: { __entity: uid } } }
  return [joinBy(operator, { text: name, form: { Var: name } }, literal)]
}

/** Joins by halves, to keep the nesting shallow. */
function anyOf(conditions: readonly Condition[]): Condition | undefined {
  const middle = conditions.length >> 1
  if (middle === 0) return conditions[0]
  const [left, right] = [anyOf(conditions.slice(0, middle)), anyOf(conditions.slice(middle))]
  return left && right && joinBy('||', left, right)
}

function joinBy(operator: '||' | '&&' | '==' | 'in', left: Condition, right: Condition): Condition {
  const form = { [operator]: { left: left.form, right: right.form } } as Expr
  return { text: `(${left.text} ${operator} ${right.text})`, form }
}
