import { canonicalJson } from '../../ledger/index.ts'
import type { EntryIds, Predicates } from '../entries/predicates.ts'
import { holdsSecret } from '../handoff/secrets.ts'

const TYPE = /^urn:waybill:record:[a-z-]{1,64}$/
const DIGEST = /^[0-9a-f]{64}$/
/** The type of a record whose own could be anything, a credential too. */
const WITHHELD = 'urn:waybill:record:withheld'

/**
 * What an entry says of a record from before the ledger. One that holds a credential, is of no type that a record can
 * have, or cannot stand in an entry is named by its digest, and not repeated.
 */
export async function describeRecord(
  digest: string,
  value: Readonly<Record<string, unknown>> & { readonly type: string },
): Promise<{ says: Predicates['record']; ids: EntryIds }> {
  const isNamed = TYPE.test(value.type)
  const isWithheld = !isNamed || !fits(value) || (await holdsSecret(JSON.stringify(value, null, 1)))
  return {
    says: { type: isNamed ? value.type : WITHHELD, record: isWithheld ? null : value },
    ids: { record: digest, ...(!isWithheld && idsIn(value)) },
  }
}

/** The session that a record names, and the document that it is about, by the bytes that this had. */
function idsIn({ session: given, subject }: Readonly<Record<string, unknown>>): EntryIds {
  const session = textOf(given) ?? textOf(partOf(given, 'current'))
  const document = textOf(partOf(subject, 'sha256'))
  return {
    ...(session !== undefined && { session }),
    ...(document !== undefined && DIGEST.test(document) && { document }),
  }
}

/** Whether a record can be written where it stands in a statement: that has one canonical form, and is not too deep. */
function fits(record: unknown): boolean {
  return typeof canonicalJson({ predicate: { record } }) === 'string'
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
