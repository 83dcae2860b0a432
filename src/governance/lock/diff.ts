import type { Json } from '../../document/index.ts'
import { fieldsOf } from './next.ts'

/** One prompt in a lockfile; null for missing values. */
export interface Pinned {
  readonly id: string
  readonly type: string | null
  readonly version: string | null
  readonly file: string | null
  readonly hash: string | null
}

/** The parts of an entry that can change. */
export type PinnedPart = 'hash' | 'version' | 'type' | 'file'

/** An agent whose entry changed, and which parts. */
export interface ChangedPrompt {
  readonly id: string
  /** The parts that differ; none if only parts changed that no rule checks. */
  readonly parts: readonly {
    readonly part: PinnedPart
    readonly from: string | null
    readonly to: string | null
  }[]
}

/** The difference between two lockfiles. */
export interface LockDiff {
  readonly added: readonly Pinned[]
  readonly removed: readonly Pinned[]
  readonly changed: readonly ChangedPrompt[]
  /** Changed parts other than entries and time, as JSON Pointers. */
  readonly other: readonly { readonly part: string; readonly from: Json; readonly to: Json }[]
  /** Whether entries in both are in a different order. */
  readonly reordered: boolean
}

const PARTS: readonly PinnedPart[] = ['hash', 'version', 'type', 'file']

/** Compares two lockfiles, agent by agent. */
export function diffLocks(before: Json | undefined, after: Json): LockDiff {
  const [old, next] = [fieldsOf(before), fieldsOf(after)]
  const [oldPrompts, nextPrompts] = [fieldsOf(old.prompts), fieldsOf(next.prompts)]
  const [oldIds, nextIds] = [Object.keys(oldPrompts), Object.keys(nextPrompts)]
  const shared = oldIds.filter(id => Object.hasOwn(nextPrompts, id))
  const stayed = nextIds.filter(id => Object.hasOwn(oldPrompts, id))
  return {
    added: nextIds
      .filter(id => !Object.hasOwn(oldPrompts, id))
      .map(id => pinned(id, nextPrompts[id])),
    removed: oldIds
      .filter(id => !Object.hasOwn(nextPrompts, id))
      .map(id => pinned(id, oldPrompts[id])),
    changed: stayed.flatMap(id => changedIn(id, oldPrompts[id], nextPrompts[id])),
    other: [
      ...othersIn('', old, next, ['prompts', 'generated', 'integrity']),
      ...othersIn('/integrity', fieldsOf(old.integrity), fieldsOf(next.integrity), []),
    ],
    reordered: shared.some((id, at) => stayed[at] !== id),
  }
}

function changedIn(id: string, before: Json | undefined, after: Json | undefined): ChangedPrompt[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const [from, to] = [pinned(id, before), pinned(id, after)]
  const parts = PARTS.filter(part => from[part] !== to[part])
  return [{ id, parts: parts.map(part => ({ part, from: from[part], to: to[part] })) }]
}

function pinned(id: string, entry: Json | undefined): Pinned {
  const { type, version, file, hash } = fieldsOf(entry)
  return {
    id,
    type: textOf(type),
    version: textOf(version),
    file: textOf(file),
    hash: textOf(hash),
  }
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function othersIn(
  above: string,
  before: Readonly<Record<string, Json>>,
  after: Readonly<Record<string, Json>>,
  without: readonly string[],
): LockDiff['other'] {
  return Object.entries(after).flatMap(([key, to]) => {
    const from = Object.hasOwn(before, key) ? before[key] : null
    const isSame = JSON.stringify(from) === JSON.stringify(to) || without.includes(key)
    return isSame ? [] : [{ part: `${above}/${key}`, from: from ?? null, to }]
  })
}
