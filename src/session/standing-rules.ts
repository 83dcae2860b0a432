import { statementFrom } from '../contracts/index.ts'
import type { StatementInForce } from './in-force.ts'
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
  { ignore }: { readonly ignore?: readonly string[] | undefined },
): Promise<readonly StandingRule[]> {
  const lineage = await readLineage(root, { ignore })
  const handoffs = lineage.members.filter(({ handoff, fault }) => handoff && fault === undefined)
  // A document without a time is sorted last, but is not known to be the newest.
  const head = handoffs.findLast(({ time }) => time !== undefined) ?? handoffs.at(-1)
  if (!head) return []
  return readInForce(root, head, lineage).items.flatMap(item =>
    item.kind === 'rule' ? [{ text: textOf(item), since: item.since.path }] : [],
  )
}

/** A successor may have numbered a rule that its first document states without an id. */
function textOf({ id, numbered, source }: StatementInForce): string {
  return numbered && !statementFrom('rule', source).numbered ? `${id}: ${source}` : source
}
