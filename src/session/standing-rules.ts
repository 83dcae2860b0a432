import type { HouseHeadings } from '../contracts/index.ts'
import { readInForce } from './in-force-read.ts'
import { readLineage } from './lineage.ts'

/** A rule in force. */
export interface StandingRule {
  /** As its first document states it, with its id. */
  readonly text: string
  /** The path of that document. */
  readonly since: string
}

/** Reads the rules in force after the newest handoff document of a repository; none without one. */
export async function standingRules(
  root: string,
  options: {
    readonly ignore?: readonly string[] | undefined
    readonly headings?: HouseHeadings | undefined
  },
): Promise<readonly StandingRule[]> {
  const lineage = await readLineage(root, options)
  const handoffs = lineage.members.filter(({ handoff, fault }) => handoff && fault === undefined)
  // A document without a time is sorted last, but is not known to be the newest.
  const head = handoffs.findLast(({ time }) => time !== undefined) ?? handoffs.at(-1)
  if (!head) return []
  return readInForce(root, head, lineage).items.flatMap(item =>
    item.kind === 'rule' ? [{ text: item.source, since: item.since.path }] : [],
  )
}
