import { counted } from '../../contract/index.ts'
import type { StatementKind } from '../../contracts/index.ts'
import { findSecrets, maskSecrets } from '../../document/index.ts'
import type { EndedStatement, StatementConflict, StatementInForce } from '../../session/index.ts'
import { maskFor, visible } from '../show/cleanse.ts'
import type { ConflictOutput, OpenItemOutput, StatementOutput, SupersededOutput } from './output.ts'

const KINDS: readonly StatementKind[] = ['rule', 'decision', 'fact']

/** Counts statements by kind: `6 rules, 7 decisions, 4 facts`. */
export function countedByKind(kinds: readonly StatementKind[]): string {
  const counts = KINDS.flatMap(kind => {
    const count = kinds.filter(one => one === kind).length
    return count > 0 ? [counted(count, kind)] : []
  })
  return counts.length > 0 ? counts.join(', ') : 'nothing'
}

/** Returns statements that are safe to show; see `cleanse`. */
export function cleansed(statements: readonly StatementInForce[]): readonly StatementInForce[] {
  const all = statements.map(({ source, by = '' }) => `${source}\n${by}`).join('\n')
  // Most lineages have no secrets, and looking for them in each statement takes long.
  const mask = findSecrets(all).length === 0 ? (text: string) => text : maskFor([], all)
  const clean = (text: string) => visible(mask(text))
  return statements.map(statement => ({
    ...statement,
    text: clean(statement.text),
    source: clean(statement.source),
    ...(statement.scope !== undefined && { scope: clean(statement.scope) }),
    ...(statement.by !== undefined && { by: clean(statement.by) }),
  }))
}

/** The open items as outputs list them, numbered as the next handoff answers them. */
export function openOutput(items: readonly string[]): OpenItemOutput[] {
  return items.map((text, i) => ({ number: i + 1, text: visible(maskSecrets(text)) }))
}

/** The statement as outputs list it. */
export function statementOutput(statement: StatementInForce): StatementOutput {
  const { id, kind, text, scope, since, by = null, verified } = statement
  const { path, line, timestamp = null } = since
  return {
    ...{ id, kind, text },
    ...(scope !== undefined && { scope }),
    ...{ since: { path, timestamp, line }, by, verified },
  }
}

/** What no longer holds, as outputs list it. */
export function supersededOutput(ended: readonly EndedStatement[]): SupersededOutput[] {
  const statements = cleansed(ended.map(({ statement }) => statement))
  return statements.flatMap((statement, i) => {
    const { id, kind, text, since } = statementOutput(statement)
    const { at, by = null, why = null } = ended[i] ?? {}
    if (!at) return []
    const { path, line, timestamp = null } = at
    const [person, reason] = [by, why].map(said => said && visible(maskSecrets(said)))
    return [
      {
        ...{ id, kind, text, since, at: { path, timestamp, line } },
        ...{ by: person ?? null, why: reason ?? null },
      },
    ]
  })
}

/** The contradiction as outputs list it. */
export function conflictOutput({ id, why, places }: StatementConflict): ConflictOutput {
  return { id, why, places: places.map(({ path, line }) => ({ path, line })) }
}

/** The contradiction in words. */
export function conflictInWords(
  { id, why, places }: ConflictOutput,
  shown: (path: string) => string,
): string {
  const [first, second] = places.map(({ path, line }) => `${shown(path)}:${line}`)
  switch (why) {
    case 'worded differently':
      return `${id} is worded differently in ${second}; the words in ${first} hold until they are superseded`
    case 'worded differently in a fork':
      return `${id} is worded differently in ${first} and, on another line, in ${second}; both hold until they are superseded`
    case 'superseded twice':
      return `${id} is superseded in ${first} and again in ${second}`
    case 'ended by no person':
      return `${id} still holds: ${second} supersedes it without naming a person`
  }
}
