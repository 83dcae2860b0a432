import { unknownFields } from '../../contract/index.ts'
import { findContract, loadContract } from '../../contracts/index.ts'
import { formatPointer, type Path } from '../../document/index.ts'
import { cleanse } from './cleanse.ts'

/** Parts that are shown with all their keys. */
const SHOWN_WHOLE = ['citations/*', 'issues/*', 'constraints']

/**
 * Where a document holds keys that its contract ignores, which nobody shows; entries of a list count as one.
 *
 * Contracts that allow or forbid such keys tell of them by themselves.
 */
export async function leftOut(
  contract: string | null,
  value: unknown,
  text = '',
): Promise<string[]> {
  const known = contract === null ? undefined : findContract(contract)
  if (!known) return []
  const { schema } = await loadContract(known)
  const found = unknownFields(schema, value)
    .map(path => path.map(key => (typeof key === 'number' ? '*' : key)))
    .filter(path => !SHOWN_WHOLE.includes(path.slice(0, -1).join('/')))
  // The slashes by which a secret is known are no longer there in a pointer.
  return [...new Set(cleanse<Path[]>(found, text).map(formatPointer))]
}
