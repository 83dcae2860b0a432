import { formatPointer, type Path } from '../document/index.ts'
import type { Fields } from './contract.ts'
import { isNewer } from './version.ts'

/** A migration of the documents of one contract from one version to another. */
export interface UpgradeStep {
  /** The contract's name without its version. */
  readonly contract: string
  /** Two numbers such as `1.0`: what the third one changes needs no migration. */
  readonly from: string
  readonly to: string
  /** What it does, in one sentence. */
  readonly summary: string
  /** Gives the document of the new version; the one that it is given stays as it is. */
  upgrade(value: Fields): Upgraded
}

/** What a step made of a document, and what became of parts that are not where they were. */
export interface Upgraded {
  readonly value: Fields
  /** Parts that stand elsewhere now, by JSON Pointers. */
  readonly moved?: readonly { readonly from: string; readonly to: string }[]
  /** Parts that the new version has no place for. */
  readonly lost?: readonly { readonly path: string; readonly why: string }[]
}

/** What one step did with a document, as found by comparing the two. */
export interface AppliedStep {
  readonly from: string
  readonly to: string
  readonly summary: string
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  readonly lost: readonly { readonly path: string; readonly why: string }[]
}

/** What a chain of steps came to: the new document, or why there is none and at which version it ended. */
export type UpgradeOutcome<D> =
  | { readonly upgraded: true; readonly value: Fields; readonly steps: readonly AppliedStep[] }
  | {
      readonly upgraded: false
      readonly at: string
      readonly reason: string
      readonly diagnostics: readonly D[]
      readonly steps: readonly AppliedStep[]
    }

/** Whether a value is a sound document; if it could not even be checked, in words why. */
export interface Checked<D> {
  readonly accepted: boolean
  readonly diagnostics: readonly D[]
  readonly reason?: string
}

/** How a chain of steps knows whether what it has is a document of a version. */
export interface UpgradeChecks<D> {
  /** Whether a document states the version; one of a contract that states none always does. */
  states(version: string, value: Fields): boolean
  check(version: string, value: Fields): Promise<Checked<D>>
}

/**
 * The fewest steps that lead from a version to another; none where both are the same, `undefined` where no path leads.
 *
 * Of several equally short ways it is the one whose steps were listed first.
 */
export function findUpgrade(
  steps: readonly UpgradeStep[],
  contract: string,
  from: string,
  to: string,
): readonly UpgradeStep[] | undefined {
  return upgradesFrom(steps, contract, from).get(to)
}

/** The newest version that steps lead to from a version; the version itself where none does. */
export function newestUpgrade(
  steps: readonly UpgradeStep[],
  contract: string,
  from: string,
): string {
  const reached = [...upgradesFrom(steps, contract, from).keys()]
  return reached.reduce((newest, version) => (isNewer(version, newest) ? version : newest), from)
}

/** The ways to every version that can be reached. */
function upgradesFrom(
  steps: readonly UpgradeStep[],
  contract: string,
  from: string,
): Map<string, readonly UpgradeStep[]> {
  const ways = new Map<string, readonly UpgradeStep[]>([[from, []]])
  // A map is walked in the order of its entries, those added on the way included: nearest versions first.
  for (const [version, way] of ways) {
    for (const step of steps) {
      if (step.contract !== contract || step.from !== version || ways.has(step.to)) continue
      ways.set(step.to, [...way, step])
    }
  }
  return ways
}

/**
 * Takes a document through steps, each of which has to give a sound document of its version.
 *
 * Fails closed: a document that is faulty to begin with is not touched, and a step that drops a part without saying so
 * ends the chain.
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
      before.reason ?? `it is no sound document of version ${from}`,
      before.diagnostics,
    )
  let current = value
  for (const step of steps) {
    const result = applyStep(step, current, checks)
    if (typeof result === 'string')
      return refuse(step.from, `the step from ${step.from} to ${step.to} ${result}`)
    const after = await checks.check(step.to, result.value)
    if (!after.accepted) {
      const reason = `the step from ${step.from} to ${step.to} gives no sound document of version ${step.to}`
      return refuse(step.from, after.reason ?? reason, after.diagnostics)
    }
    applied.push(result.applied)
    current = result.value
  }
  return { upgraded: true, value: current, steps: applied }
}

/** What a step gives, or in words why that cannot be used. */
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
  if (silent.length > 0) return `drops ${silent.slice(0, 3).join(', ')} without saying so`
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

/** Which parts of a value that hold no others are new, different or gone, by their pointers. */
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

/** Every scalar and empty collection of a value, as JSON by its pointer. */
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
