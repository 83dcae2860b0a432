import { formatPointer, type Path } from '../document/index.ts'
import type { Fields } from './contract.ts'
import { isNewer } from './version.ts'

/** A migration of the documents of one contract from one version to another. */
export interface UpgradeStep {
  /** The contract's name without its version. */
  readonly contract: string
  /** Major and minor version, such as `1.0`; patch versions need no migration. */
  readonly from: string
  readonly to: string
  /** What the step does, in one sentence. */
  readonly summary: string
  /** Returns the document of the new version; must not change its input. */
  upgrade(value: Fields): Upgraded
}

/** The document that a step returns, with the parts it moved or dropped. */
export interface Upgraded {
  readonly value: Fields
  /** Moved parts, by JSON Pointers. */
  readonly moved?: readonly { readonly from: string; readonly to: string }[]
  /** Parts that the new version cannot hold. */
  readonly lost?: readonly { readonly path: string; readonly why: string }[]
}

/** What one step changed, found by comparing the documents. */
export interface AppliedStep {
  readonly from: string
  readonly to: string
  readonly summary: string
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  readonly lost: readonly { readonly path: string; readonly why: string }[]
}

/** The outcome of a chain of steps: the new document, or the version at which it stopped and why. */
export type UpgradeOutcome<D> =
  | { readonly upgraded: true; readonly value: Fields; readonly steps: readonly AppliedStep[] }
  | {
      readonly upgraded: false
      readonly at: string
      readonly reason: string
      readonly diagnostics: readonly D[]
      readonly steps: readonly AppliedStep[]
    }

/** Whether a value is a valid document; `reason` says why it could not be checked. */
export interface Checked<D> {
  readonly accepted: boolean
  readonly diagnostics: readonly D[]
  readonly reason?: string
}

/** How a chain checks each version. */
export interface UpgradeChecks<D> {
  /** Whether a document states the version; always true for a contract without versions. */
  states(version: string, value: Fields): boolean
  check(version: string, value: Fields): Promise<Checked<D>>
}

/**
 * The shortest chain of steps between two versions, preferring steps listed first; empty if the versions are equal,
 * `undefined` if no chain exists.
 */
export function findUpgrade(
  steps: readonly UpgradeStep[],
  contract: string,
  from: string,
  to: string,
): readonly UpgradeStep[] | undefined {
  return upgradesFrom(steps, contract, from).get(to)
}

/** The newest version that steps reach from a version; itself if there is none. */
export function newestUpgrade(
  steps: readonly UpgradeStep[],
  contract: string,
  from: string,
): string {
  const reached = [...upgradesFrom(steps, contract, from).keys()]
  return reached.reduce((newest, version) => (isNewer(version, newest) ? version : newest), from)
}

/** The chains to every reachable version. */
function upgradesFrom(
  steps: readonly UpgradeStep[],
  contract: string,
  from: string,
): Map<string, readonly UpgradeStep[]> {
  const ways = new Map<string, readonly UpgradeStep[]>([[from, []]])
  // A map iterates over entries added on the way, so nearest versions come first.
  for (const [version, way] of ways) {
    for (const step of steps) {
      if (step.contract !== contract || step.from !== version || ways.has(step.to)) continue
      ways.set(step.to, [...way, step])
    }
  }
  return ways
}

/**
 * Runs steps on a document. Fails closed: the input and the result of each step must be valid, and a step that drops a
 * part without declaring it ends the chain.
 */
export async function runUpgrade<D>(
  value: Fields,
  from: string,
  steps: readonly UpgradeStep[],
  checks: UpgradeChecks<D>,
): Promise<UpgradeOutcome<D>> {
  const applied: AppliedStep[] = []
  const refuse = (at: string, reason: string, diagnostics: readonly D[] = []) =>
    ({ upgraded: false, at, reason, diagnostics, steps: applied }) as const
  const before = await checks.check(from, value)
  if (!before.accepted)
    return refuse(
      from,
      before.reason ?? `it is not a valid document of version ${from}`,
      before.diagnostics,
    )
  let current = value
  for (const step of steps) {
    const result = applyStep(step, current, checks)
    if (typeof result === 'string')
      return refuse(step.from, `the step from ${step.from} to ${step.to} ${result}`)
    const after = await checks.check(step.to, result.value)
    if (!after.accepted) {
      const reason = `the step from ${step.from} to ${step.to} gives an invalid document of version ${step.to}`
      return refuse(step.from, after.reason ?? reason, after.diagnostics)
    }
    applied.push(result.applied)
    current = result.value
  }
  return { upgraded: true, value: current, steps: applied }
}

/** The result of a step, or why it cannot be used. */
function applyStep<D>(
  step: UpgradeStep,
  value: Fields,
  checks: UpgradeChecks<D>,
): { value: Fields; applied: AppliedStep } | string {
  const { from, to, summary } = step
  let upgraded: Upgraded
  try {
    upgraded = step.upgrade(structuredClone(value))
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`
  }
  if (!checks.states(to, upgraded.value)) return 'gives a document that states another version'
  const { moved = [], lost = [] } = upgraded
  const { added, changed, removed } = compare(value, upgraded.value)
  const explained = [...moved.map(move => move.from), ...lost.map(loss => loss.path)]
  const silent = removed.filter(path => !explained.some(above => isWithin(path, above)))
  if (silent.length > 0) return `drops ${silent.slice(0, 3).join(', ')} without declaring it`
  const arrived = new Set(moved.map(move => move.to))
  const isNew = (path: string) => ![...arrived].some(above => isWithin(path, above))
  return {
    value: upgraded.value,
    applied: { from, to, summary, added: added.filter(isNew), changed, moved, lost },
  }
}

function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`)
}

/** The pointers of leaves that are added, changed or removed. */
function compare(before: unknown, after: unknown) {
  const old = leavesOf(before)
  const now = leavesOf(after)
  const pointers = [...now.keys()]
  return {
    added: pointers.filter(path => !old.has(path)),
    changed: pointers.filter(path => old.has(path) && old.get(path) !== now.get(path)),
    removed: [...old.keys()].filter(path => !now.has(path)),
  }
}

/** Every scalar and empty collection as JSON, by pointer. */
function leavesOf(root: unknown): Map<string, string> {
  const leaves = new Map<string, string>()
  const pending: { value: unknown; path: Path }[] = [{ value: root, path: [] }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path } = next
    const parts = typeof value === 'object' && value !== null ? Object.entries(value) : []
    if (parts.length === 0) leaves.set(formatPointer(path), JSON.stringify(value) ?? '')
    for (const [key, part] of parts.toReversed())
      pending.push({ value: part, path: [...path, key] })
  }
  return leaves
}
