import type { Fields } from '../../contract/index.ts'
import {
  canonicalId,
  type Ending,
  type HandoffPlace,
  isPerson,
  LONGEST_PERSON,
  LONGEST_REASON,
  statementsOf,
} from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import {
  carryStatements,
  type HandoffContent,
  inForce,
  type LineageInForce,
  type StatementAnswers,
} from '../../session/index.ts'
import { cleansed, conflictOutput, statementOutput } from '../in-force/report.ts'
import type { MissingField, NewOutput } from './output.ts'

const ANSWER = /^([RDF]-[0-9a-z]{1,6})=(.*\S.*)$/i

/** Reads what a document ends from the command line: `D-012=the API is gone`. */
export function endingsIn(given: readonly string[], by: string | undefined): Ending[] {
  if (by !== undefined && !(isPerson(by) && by.length <= LONGEST_PERSON))
    throw new WaybillError('usage', `--by names no person: '${by}'`, {
      hint: `write a name of at most ${LONGEST_PERSON} characters, such as --by Ada`,
    })
  return given.map(text => {
    const [, id, reason] = ANSWER.exec(text.trim()) ?? []
    const why = reason?.trim()
    if (id === undefined || why === undefined)
      throw new WaybillError('usage', `'${text}' has no id and reason`, {
        hint: 'write it like D-012=the API is gone; waybill brief shows the ids',
      })
    if (why.length > LONGEST_REASON)
      throw new WaybillError('usage', `the reason for ${id} is too long`, {
        hint: `write at most ${LONGEST_REASON} characters`,
      })
    return { id: canonicalId(id), why }
  })
}

/** What holds before a document that continues nothing. */
const NOTHING = { items: [], ended: [], conflicts: [], documents: [] }

/** Carries the rules in force into a document, and writes what it ends. */
export function stateIn(
  content: HandoffContent,
  before: LineageInForce | undefined,
  answers: StatementAnswers,
): { readonly content: HandoffContent; readonly problems: readonly MissingField[] } {
  const carried = carryStatements(content, before ?? NOTHING, answers)
  const problems = carried.problems.map(({ id, what }) => ({ field: `supersedes ${id}`, what }))
  return { content: carried.content, problems }
}

/** A new document and what holds before it. */
interface Written extends HandoffPlace {
  readonly path: string
  readonly frontmatter: Fields
  readonly before: LineageInForce | undefined
}

/** Returns what is in force once a document is written. */
export function heldBy(
  text: string,
  { path, headings, before, frontmatter: { agent, timestamp } }: Written,
): Pick<NewOutput, 'inForce' | 'conflicts'> {
  const document = {
    path,
    ...(typeof timestamp === 'string' && { timestamp }),
    ...(typeof agent === 'string' && { agent }),
    ...{ verified: false, isElsewhere: false, statements: statementsOf(text, { path, headings }) },
  }
  const { items, conflicts } = inForce([...(before?.documents ?? []), document])
  return {
    inForce: cleansed(items).map(statementOutput),
    conflicts: conflicts.map(conflictOutput),
  }
}
