import type { Lineage, Member } from './lineage.ts'

/** Documents that links hold together. */
export interface Family {
  /** The one with which it begins; of a circle the oldest document. */
  readonly root: Member
  /** The oldest first. */
  readonly members: readonly Member[]
}

/** The families of a lineage, in the order of their oldest documents. */
export function familiesOf({ members }: Lineage): readonly Family[] {
  const roots = rootsOf(members)
  const families = new Map<Member, Member[]>()
  for (const member of members) {
    const root = roots.get(member) ?? member
    const family = families.get(root)
    if (family) family.push(member)
    else families.set(root, [member])
  }
  return [...families].map(([root, own]) => ({ root, members: own }))
}

/** Every document's first one; each link is followed once. Members must come in the order of their age. */
function rootsOf(members: readonly Member[]): Map<Member, Member> {
  const roots = new Map<Member, Member>()
  for (const start of members) {
    const walked = new Set<Member>()
    let end = start
    while (end.predecessor && !roots.has(end) && !walked.has(end)) {
      walked.add(end)
      end = end.predecessor
    }
    // Whoever closes a circle is not the oldest in it, but the first that was asked is: ages ascend.
    const root = roots.get(end) ?? (walked.has(end) ? start : end)
    for (const member of walked) roots.set(member, root)
    roots.set(end, root)
  }
  return roots
}

/** Where documents stand in a walk that goes from each one to all that carry it on: who descends from whom can be told. */
export interface Descent {
  readonly position: ReadonlyMap<Member, number>
  /** The position of the last document that descends from one. */
  readonly last: ReadonlyMap<Member, number>
}

/** Numbers the documents of families so that what descends from one follows it without a gap. */
export function descentOf(families: readonly Family[], { successors }: Lineage): Descent {
  const order: Member[] = []
  const position = new Map<Member, number>()
  const pending = families.map(({ root }) => root).reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (position.has(next)) continue
    position.set(next, order.length)
    order.push(next)
    for (const later of (successors.get(next) ?? []).toReversed()) pending.push(later)
  }
  const last = new Map<Member, number>()
  for (let i = order.length - 1; i >= 0; i--) {
    const member = order[i]
    if (!member) continue
    const end = Math.max(i, last.get(member) ?? i)
    last.set(member, end)
    const above = member.predecessor
    // The link that closes a circle leads forward, and is left out.
    if (above && (position.get(above) ?? i) < i)
      last.set(above, Math.max(end, last.get(above) ?? end))
  }
  return { position, last }
}
