import type { Lineage, Member } from './lineage.ts'

/** Documents connected by links. */
export interface Family {
  /** The first document; in a cycle, the oldest. */
  readonly root: Member
  /** Oldest first. */
  readonly members: readonly Member[]
}

/** The families of a lineage, ordered by their oldest documents. */
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

/** The root of every document; follows each link once. Members must be sorted by age. */
function rootsOf(members: readonly Member[]): Map<Member, Member> {
  const roots = new Map<Member, Member>()
  for (const start of members) {
    const walked = new Set<Member>()
    let end = start
    while (end.predecessor && !roots.has(end) && !walked.has(end)) {
      walked.add(end)
      end = end.predecessor
    }
    // In a cycle, the document visited first is the oldest, because ages ascend.
    const root = roots.get(end) ?? (walked.has(end) ? start : end)
    for (const member of walked) roots.set(member, root)
    roots.set(end, root)
  }
  return roots
}

/** Positions in a depth-first walk along the links, which answer whether one document descends from another. */
export interface Descent {
  readonly position: ReadonlyMap<Member, number>
  /** The position of the last descendant. */
  readonly last: ReadonlyMap<Member, number>
}

/** Numbers the documents of families so that descendants follow their ancestor without gaps. */
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
    // Skip the link that closes a cycle: it leads forward.
    if (above && (position.get(above) ?? i) < i)
      last.set(above, Math.max(end, last.get(above) ?? end))
  }
  return { position, last }
}
