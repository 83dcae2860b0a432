import type { Finding, LoadedContract, Rule, Severity } from '../../../contract/index.ts'
import type { Json, Path } from '../../../document/index.ts'
import type { rules } from '../rules.ts'
import type { SessionState } from '../schema.ts'

/** The inputs for deciding on an operation. */
export interface Basis {
  /** The rules of the contract, loaded. */
  readonly rules: LoadedContract['rules']
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Codes of rules whose severity the configuration lowers; ignored for guard rules. */
  readonly excused?: ReadonlySet<string>
}

/** Why an operation is refused, by the rule that it violates; an error forbids it. */
export interface Objection {
  readonly code: string
  readonly severity: Severity
  /** The part of the state at fault. */
  readonly path: Path
  readonly message: string
  readonly hint?: string
}

/** The changes of an operation and the objections to it; allowed if there is no error. */
export interface Decision {
  readonly accepted: boolean
  readonly objections: readonly Objection[]
  /** The changes in writing order. */
  readonly changes: readonly StateChange[]
  /** The state after the changes. */
  readonly after: Readonly<Record<string, unknown>>
  /** What the new state is compared with, if not with the old one. */
  readonly before?: Readonly<Record<string, unknown>>
  /** Whether it moves forward, unblocks or passes a gate: then any error forbids it, otherwise only new errors do. */
  readonly leadsOn: boolean
}

/** One part of a state and its new value. */
export interface StateChange {
  readonly path: Path
  readonly value: Value
}

type Value = Json

const PREFIX = 'session-state/'

/** Rules about modes, gates and moves, whose severity cannot be lowered for operations. */
const GUARDS: ReadonlySet<string> = new Set([
  'no-advance-below-70',
  'no-code-below-70',
  'blocked-names-input',
  'next-skips-no-gate',
  'code-needs-gates',
  'refused-goes-back',
  'gate-has-artifacts',
  'no-pass-with-missing-artifacts',
  'required-artifacts-listed',
  'business-rules-gate-open',
  'missing-artifact-blocks',
  'approved-gate-has-decision',
  'ready-has-build-evidence',
  'ready-has-no-failed-run',
])

/** Rules about the target of `Next`. */
const OF_NEXT = ['next-skips-no-gate', 'code-needs-gates', 'refused-goes-back', 'no-code-below-70']

/** Whether a rule guards modes, gates or moves, so that configuration cannot lower it for operations. */
export function isGuard(code: string, rules: LoadedContract['rules']): boolean {
  const name = code.slice(PREFIX.length)
  const rule = Object.hasOwn(rules, name) ? (rules as Ruleset)[name] : undefined
  return code.startsWith(PREFIX) && (GUARDS.has(name) || rule?.phase === 'transition')
}

type AnyRule = Rule<SessionState, { previous: SessionState }>
type Ruleset = Readonly<Record<string, AnyRule>>

/** The errors of a structurally valid state; with a previous state, also those of the transition. */
export function errorsIn(basis: Basis, state: SessionState, previous?: SessionState): Objection[] {
  const context = contextOf(basis, previous)
  const found: Objection[] = []
  for (const [code, rule] of errorRules(basis)) {
    if (rule.phase && !previous) continue
    if (rule.applies?.(state, context) === false) continue
    for (const finding of rule.check(state, context)) found.push(objection(code, 'error', finding))
  }
  return found
}

/** The objections of the rules about `Next` to a value. */
export function errorsOfNext(basis: Basis, state: SessionState, next: string): Objection[] {
  const pointed = { ...state, Next: next }
  return OF_NEXT.flatMap(name => ask(basis, name, pointed))
}

/** The objections of one rule to a state. */
export function ask(basis: Basis, name: string, state: SessionState): Objection[] {
  const rule = (basis.rules as Ruleset)[name]
  if (!rule) return []
  const findings = [...rule.check(state, contextOf(basis))]
  return findings.map(finding => objection(PREFIX + name, rule.severity, finding))
}

/** An objection of an operation, under the rule that it follows from. */
export function against(
  rule: keyof typeof rules,
  path: Path,
  message: string,
  hint: string,
): Objection {
  return { code: PREFIX + rule, severity: 'error', path, message, hint }
}

/** The errors that a state did not have before. */
export function added(now: readonly Objection[], before: () => readonly Objection[]): Objection[] {
  if (now.length === 0) return []
  const known = new Set(before().map(placeOf))
  return now.filter(error => !known.has(placeOf(error)))
}

/** Removes duplicates: of two objections of one rule to one part, the later stays. */
export function once(objections: readonly Objection[]): Objection[] {
  const seen = new Map(objections.map(o => [`${placeOf(o)} ${o.severity}`, o]))
  return [...seen.values()]
}

const placeOf = ({ code, path }: Objection) => `${code} ${path.join('/')}`

function objection(code: string, severity: Severity, finding: Finding): Objection {
  const { path, message, hint } = finding
  return { code, severity, path, message, ...(hint === undefined ? {} : { hint }) }
}

function contextOf({ now }: Basis, previous?: SessionState) {
  const document = { text: '' } as Parameters<AnyRule['check']>[1]['document']
  return { now, document, facts: previous ? { previous } : {} }
}

const byBasis = new WeakMap<Basis, readonly (readonly [string, AnyRule])[]>()

function errorRules(basis: Basis): readonly (readonly [string, AnyRule])[] {
  const known = byBasis.get(basis)
  if (known) return known
  const { rules, excused } = basis
  const listed = Object.entries(rules as Ruleset)
    .map(([name, rule]) => [PREFIX + name, rule] as const)
    .filter(([code, rule]) => {
      const lighter = excused?.has(code) && !isGuard(code, rules)
      // Unblocking is judged by the state when the session was blocked, not by the last change.
      return rule.severity === 'error' && !lighter && code !== `${PREFIX}blocked-left-with-input`
    })
  byBasis.set(basis, listed)
  return listed
}
