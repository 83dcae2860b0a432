import type { ValidationError } from '@cedar-policy/cedar-wasm/nodejs'
import type { PolicyCode } from './codes.ts'
import { askCedar } from './engine.ts'
import type { Place, PolicyFault } from './fault.ts'
import type { Policy } from './policy.ts'
import { inWords, isTrap, type PieceFault, spanOf, tooComplex } from './read-policy.ts'
import type { Piece } from './split.ts'
import { POLICY_SCHEMA } from './texts.generated.ts'

/** A policy, with the place lookup for errors in it. */
export interface Placed {
  readonly policy: Policy
  readonly place: Place
  readonly piece: Piece
}

/** An error in a policy, with its place. */
export function toFault(
  { start, end, ...fault }: PieceFault,
  place: Place,
  piece: Piece,
): PolicyFault {
  const from = piece.start + (start ?? 0)
  // An error about a whole policy points to its first line.
  const firstLine = piece.text.search(/[\r\n]/)
  const whole = firstLine < 0 ? piece.text.length : firstLine
  return { ...fault, ...place({ start: from, end: piece.start + (end ?? whole) }) }
}
/** Validates the policies strictly against the schema. */
export function* validatePolicies(placed: readonly Placed[]): Generator<PolicyFault> {
  const byId = new Map(placed.map(one => [one.policy.id, one]))
  const said = new Set<string>()
  for (const { policyId, error, code } of findingsOf(placed)) {
    const found = byId.get(policyId)
    if (!found) continue
    const { policy, place, piece } = found
    const span = spanOf(error, policy.text)
    // The validator repeats an error for each action, and reports a dead policy in several ways.
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
    // One policy exceeds the engine; validate each separately to find it.
    if (placed.length > 1) return placed.flatMap(one => findingsOf([one]))
    const { message, hint } = tooComplex()
    const failure = { message, help: hint, code: null, url: null, severity: null }
    return placed.map(({ policy }) => ({
      policyId: policy.id,
      error: failure,
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
  // Do not also report an invalid policy as never applying.
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
      message: 'this policy never applies to any request that the schema allows',
      hint: 'correct its conditions, or remove it',
    } as const
  }
  const severity = code === 'policy/confusable' ? 'warning' : 'error'
  const what = inWords(message.replace(/^for policy `[^`]*`[,:] /, ''))
  const hint = inWords(
    (help ?? 'correct the name or the type').replace(/^for policy `[^`]*`, /, ''),
  )
  return { severity, message: what, hint } as const
}
