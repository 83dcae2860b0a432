import { canonicalJson } from '../../ledger/index.ts'
import type { EntryIds, Predicates } from '../entries/predicates.ts'
import { holdsSecret } from '../handoff/secrets.ts'

const TYPE = /^urn:waybill:record:[a-z-]{1,64}$/
const DIGEST = /^[0-9a-f]{64}$/
/** Replaces an unknown record type, which may hold a credential. */
const WITHHELD = 'urn:waybill:record:withheld'

/**
 * Returns the statement and ids of an imported record. Only the digest is kept of a record that may hold a credential,
 * has an unknown type, or does not fit into an entry.
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

/** Returns the session that a record names, and the digest of its document's bytes. */
function idsIn({ session: given, subject }: Readonly<Record<string, unknown>>): EntryIds {
  const session = textOf(given) ?? textOf(partOf(given, 'current'))
  const document = textOf(partOf(subject, 'sha256'))
  return {
    ...(session !== undefined && { session }),
    ...(document !== undefined && DIGEST.test(document) && { document }),
  }
}

/** Whether a record fits into a statement: it has a canonical form, and is not nested too deeply. */
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
