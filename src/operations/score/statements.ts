import { quote } from '../../contract/index.ts'
import { decode, formatOf, readDocuments } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { SCORED_KINDS, type ScoredStatement } from '../../session/index.ts'

/** More would take long to look for. */
const MOST_STATEMENTS = 500

/** @throws {WaybillError} 'usage' when a file of statements cannot be read as one. */
export async function statementsIn(path: string, bytes: Uint8Array): Promise<ScoredStatement[]> {
  const { text, faults } = decode(bytes)
  const { documents } = await readDocuments(text, formatOf(path, text), faults)
  const [document] = documents
  const [fault] = document?.faults ?? []
  if (fault) throw unusable(path, fault.message, fault.hint)
  const list = fieldsOf(document?.value)?.statements
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_STATEMENTS)
    throw unusable(path, `statements must be a list of 1 to ${MOST_STATEMENTS}`)
  const statements = list.map((entry: unknown, i) =>
    statementFrom(entry, `${path}: statement ${i + 1}`),
  )
  const places = new Map(statements.map((statement, i) => [statement.id, i]))
  for (const [i, { id, supersedes }] of statements.entries()) {
    if (places.get(id) !== i) throw unusable(path, `the id ${quote(id)} is given twice`)
    if (supersedes !== undefined && (places.get(supersedes) ?? i) >= i)
      throw unusable(path, `${quote(id)} supersedes ${quote(supersedes)}, which is not above it`)
  }
  return statements
}

function statementFrom(entry: unknown, place: string): ScoredStatement {
  const { id, kind, text, round = 1, supersedes, done, value } = fieldsOf(entry) ?? {}
  const known = SCORED_KINDS.find(name => name === kind)
  if (!isWords(id)) throw unusable(place, 'id must be text')
  if (!known) throw unusable(place, `kind must be one of ${SCORED_KINDS.join(', ')}`)
  if (!isWords(text)) throw unusable(place, 'text must be text')
  if (!isRound(round)) throw unusable(place, 'round must be a whole number from 1')
  if (supersedes !== undefined && !isWords(supersedes))
    throw unusable(place, 'supersedes must be the id of a statement')
  if (done !== undefined && !isRound(done)) throw unusable(place, 'done must be a round')
  if (value !== undefined && !isWords(value)) throw unusable(place, 'value must be text')
  return {
    ...{ id, kind: known, text, round },
    ...(supersedes !== undefined && { supersedes }),
    ...(done !== undefined && { done }),
    ...(value !== undefined && { value }),
  }
}

/** Text without a letter or digit is found nowhere. */
function isWords(value: unknown): value is string {
  return typeof value === 'string' && /[\p{L}\p{N}]/u.test(value)
}

function isRound(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}

function unusable(place: string, why: string, hint?: string): WaybillError {
  return new WaybillError('usage', `${place}: ${why}`, {
    hint: hint ?? 'conformance/README.md describes the file',
  })
}
