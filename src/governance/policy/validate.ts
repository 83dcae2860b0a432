import type { ValidationError } from '@cedar-policy/cedar-wasm/nodejs'
import type { PolicyCode } from './codes.ts'
import { askCedar } from './engine.ts'
import type { Place, PolicyFault } from './fault.ts'
import type { Policy } from './policy.ts'
import { inWords, isTrap, type PieceFault, spanOf, tooComplex } from './read-policy.ts'
import type { Piece } from './split.ts'
import { POLICY_SCHEMA } from './texts.generated.ts'

/** A policy with what it takes to say where something in it stands. */
export interface Placed {
  readonly policy: Policy
  readonly place: Place
  readonly piece: Piece
}

/** A fault of a policy, where it stands in its file. */
export function toFault(
  { start, end, ...fault }: PieceFault,
  place: Place,
  piece: Piece,
): PolicyFault {
  const from = piece.start + (start ?? 0)
  // A policy that is at fault as a whole is shown by its first line.
  const firstLine = piece.text.search(/[\r\n]/)
  const whole = firstLine < 0 ? piece.text.length : firstLine
  return { ...fault, ...place({ start: from, end: piece.start + (end ?? whole) }) }
}
/** Compares the policies with the schema, strictly. */
export function* validatePolicies(placed: readonly Placed[]): Generator<PolicyFault> {
  const byId = new Map(placed.map(one => [one.policy.id, one]))
  const said = new Set<string>()
  for (const { policyId, error, code } of findingsOf(placed)) {
    const found = byId.get(policyId)
    if (!found) continue
    const { policy, place, piece } = found
    const span = spanOf(error, policy.text)
    // One fault is found once for each action that the policy leaves open, and a dead policy in several words.
    const key = `${policyId} ${code} ${code === 'policy/never-applies' ? '' : span.start}`
    if (said.has(key)) continue
    said.add(key)
    const fault = { code, ...wording(code, error) } as const
    yield toFault({ ...fault, ...(code === 'policy/type' && span) }, place, piece)
  }
}

interface ValidationFinding extends ValidationError {
  readonly code: PolicyCode
}

function findingsOf(placed: readonly Placed[]): ValidationFinding[] {
  try {
    return askValidator(placed)
  } catch (error) {
    if (!isTrap(error)) throw error
    // One of them is beyond the engine; alone each of them shows whether it is the one.
    if (placed.length > 1) return placed.flatMap(one => findingsOf([one]))
    const { message, hint } = tooComplex()
    const told = { message, help: hint, code: null, url: null, severity: null }
    return placed.map(({ policy }) => ({
      policyId: policy.id,
      error: told,
      code: 'policy/too-complex',
    }))
  }
}

function askValidator(placed: readonly Placed[]): ValidationFinding[] {
  const staticPolicies = Object.fromEntries(placed.map(({ policy }) => [policy.id, policy.text]))
  const answer = askCedar(cedar =>
    cedar.validate({ schema: POLICY_SCHEMA, policies: { staticPolicies } }),
  )
  if (answer.type === 'failure') throw new Error(answer.errors.map(e => e.message).join('; '))
  const errors = answer.validationErrors.map(e => ({ ...e, code: 'policy/type' as const }))
  const warnings = answer.validationWarnings.map(w => ({ ...w, code: warningCode(w) }))
  // What is wrong in itself is no longer told that it never applies.
  const faulty = new Set(errors.map(({ policyId }) => policyId))
  return [...errors, ...warnings.filter(({ policyId }) => !faulty.has(policyId))]
}

function warningCode({ error }: ValidationError): PolicyCode {
  return /impossible|applicable action/.test(error.message)
    ? 'policy/never-applies'
    : 'policy/confusable'
}

function wording(code: PolicyCode, { message, help }: ValidationError['error']) {
  if (code === 'policy/never-applies') {
    return {
      severity: 'warning',
      message: 'no request that the schema knows makes this policy apply',
      hint: 'correct what it asks for, or take it away',
    } as const
  }
  const severity = code === 'policy/confusable' ? 'warning' : 'error'
  const what = inWords(message.replace(/^for policy `[^`]*`[,:] /, ''))
  const hint = inWords(
    (help ?? 'correct the name or the type').replace(/^for policy `[^`]*`, /, ''),
  )
  return { severity, message: what, hint } as const
}
