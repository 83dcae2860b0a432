import type { EntityUidJson, PolicyJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'

/** The actions that policies decide on, named as in the schema. */
export type PolicyAction = 'handoff' | 'useTool' | 'readData' | 'writeBack'

/** The resource type of each action. */
const RESOURCES: Readonly<Record<PolicyAction, string>> = {
  handoff: 'Waybill::Agent',
  useTool: 'Waybill::Tool',
  readData: 'Waybill::Resource',
  writeBack: 'Waybill::Resource',
}

/** All actions. */
export const POLICY_ACTIONS = Object.keys(RESOURCES) as readonly PolicyAction[]

/** The annotations of a policy. */
export interface PolicyWords {
  /** Why it decides so. */
  readonly reason?: string
  /** What to do about it. */
  readonly remedy?: string
  /** What would stop a forbid from applying. */
  readonly needs?: string
}

/** One policy that decisions are made by. */
export interface Policy extends PolicyWords {
  /** `waybill/<name>` for a built-in one, else `<file>#<@id or number>`. */
  readonly id: string
  readonly effect: 'permit' | 'forbid'
  /** The actions that its head allows. */
  readonly actions: readonly PolicyAction[]
  /** A path from the root and a one-based line; absent for a built-in policy. */
  readonly place?: { readonly file: string; readonly line: number }
  readonly text: string
}

/** The actions that a policy's head allows; all if the head is not recognised. */
export function actionsOf({ action, resource }: PolicyJson): PolicyAction[] {
  const named = namesOf(action)
  const type = typeOf(resource)
  return POLICY_ACTIONS.filter(
    name =>
      (named === undefined || named.includes(name)) &&
      (type === undefined || type === RESOURCES[name]),
  )
}

function namesOf(action: PolicyJson['action']): string[] | undefined {
  if ('entities' in action) return action.entities.map(idOf)
  return 'entity' in action ? [idOf(action.entity)] : undefined
}

function typeOf(resource: PolicyJson['resource']): string | undefined {
  if ('entity_type' in resource) return resource.entity_type
  return 'entity' in resource ? plain(resource.entity).type : undefined
}

function idOf(entity: EntityUidJson): string {
  return plain(entity).id
}

function plain(entity: EntityUidJson): TypeAndId {
  return '__entity' in entity ? entity.__entity : entity
}

/** The nesting depth of a policy's conditions; a chain of operators counts by its length. */
export function depthOf({ conditions }: PolicyJson): number {
  let deepest = 0
  const pending: { value: unknown; depth: number }[] = [{ value: conditions, depth: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    deepest = Math.max(deepest, next.depth)
    if (typeof next.value !== 'object' || next.value === null) continue
    for (const value of Object.values(next.value)) pending.push({ value, depth: next.depth + 1 })
  }
  // Each operator adds two levels in this form, and conditions are joined by one operator each.
  return Math.ceil(deepest / 2) + conditions.length
}
