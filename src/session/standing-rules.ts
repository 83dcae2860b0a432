import type { HouseHeadings } from '../contracts/index.ts'
import type { StatementInForce } from './in-force.ts'
import { readInForce } from './in-force-read.ts'
import { type Lineage, readLineage } from './lineage.ts'

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
  const rules = rulesAfterNewest(root, await readLineage(root, options))
  return rules.map(({ source, since }) => ({ text: source, since: since.path }))
}

/** The rules in force after the newest handoff document of a lineage. */
export function rulesAfterNewest(root: string, lineage: Lineage): readonly StatementInForce[] {
  const handoffs = lineage.members.filter(({ handoff, fault }) => handoff && fault === undefined)
  // A document without a time is sorted last, but is not known to be the newest.
  const head = handoffs.findLast(({ time }) => time !== undefined) ?? handoffs.at(-1)
  if (!head) return []
  return readInForce(root, head, lineage).items.filter(({ kind }) => kind === 'rule')
}
