import type { EntryIds, Predicates } from '../entries/predicates.ts'
import { holdsSecret } from '../handoff/secrets.ts'

/** What an entry says of a record from before the ledger; one that holds a credential is named, and not repeated. */
export async function describeRecord(
  digest: string,
  value: Readonly<Record<string, unknown>> & { readonly type: string },
): Promise<{ says: Predicates['record']; ids: EntryIds }> {
  const isWithheld = await holdsSecret(JSON.stringify(value, null, 1))
  const session = textOf(value.session) ?? textOf(partOf(value.session, 'current'))
  return {
    says: isWithheld ? { type: value.type, record: null } : { type: value.type, record: value },
    ids: { record: digest, ...(session !== undefined && !isWithheld && { session }) },
  }
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
