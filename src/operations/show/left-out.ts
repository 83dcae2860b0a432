import { unknownFields } from '../../contract/index.ts'
import { findContract, loadContract } from '../../contracts/index.ts'

/** Parts that are shown with all their keys. */
const SHOWN_WHOLE = /^\/(citations\/\*|issues\/\*|constraints)\/[^/]+$/

/**
 * Where a document holds keys that its contract ignores, which nobody shows; entries of a list count as one.
 *
 * Contracts that allow or forbid such keys tell of them by themselves.
 */
export async function leftOut(contract: string | null, value: unknown): Promise<string[]> {
  const known = contract === null ? undefined : findContract(contract)
  if (!known) return []
  const { schema } = await loadContract(known)
  const found = unknownFields(schema, value).map(at => at.replace(/\/[0-9]+(?=\/)/g, '/*'))
  return [...new Set(found)].filter(at => !SHOWN_WHOLE.test(at))
}
