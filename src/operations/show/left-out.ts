import { unknownFields } from '../../contract/index.ts'
import { findContract, loadContract } from '../../contracts/index.ts'
import { formatPointer, type Path } from '../../document/index.ts'
import { cleanse } from './cleanse.ts'

/** Parts that are always shown in full. */
const SHOWN_WHOLE = ['citations/*', 'issues/*', 'constraints']

/**
 * Returns the pointers of unknown keys, which are not shown; entries of a list count as one.
 *
 * Contracts that define how to treat unknown keys report them themselves.
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
  // Mask before formatting: a pointer escapes the slashes that mark a secret.
  return [...new Set(cleanse<Path[]>(found, text).map(formatPointer))]
}
