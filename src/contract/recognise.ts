import type { Contract, Fields } from './contract.ts'

/** A value as a document of a contract: unwrapped, with the path of keys that was taken off. */
export interface Recognised {
  readonly contract: Contract
  readonly value: unknown
  readonly base: readonly string[]
}

/** How sure recognition must be: `walk` needs a name or a signature, `named` takes the best match of distinguishing keys. */
export type Certainty = 'walk' | 'named'

/**
 * Finds the contract that a value claims or tries to be.
 *
 * First its declared name (or `$schema`, or its file's name), then a signature, then, for documents that the user
 * named, the most distinguishing keys (two at least, unless there is a wrapper).
 */
export function recognise(
  value: unknown,
  name: string,
  contracts: readonly Contract[],
  certainty: Certainty,
): Recognised | undefined {
  if (!isFields(value)) return byName(value, name, contracts)
  for (const contract of contracts) {
    const { wrapper } = contract.recognise
    if (wrapper && Object.keys(value).length === 1 && Object.hasOwn(value, wrapper)) {
      return { contract, value: value[wrapper], base: [wrapper] }
    }
  }
  const contract =
    contracts.find(c => value.$schema === c.schemaId || c.recognise.declares?.(value, name)) ??
    contracts.find(c => c.recognise.signature?.(value)) ??
    (certainty === 'named' ? bestMatch(value, contracts) : undefined)
  return contract && { contract, value, base: [] }
}

/** Takes a value as a document of the given contract, whatever it says itself. */
export function as(contract: Contract, value: unknown): Recognised {
  const { wrapper } = contract.recognise
  if (wrapper && isFields(value) && Object.hasOwn(value, wrapper)) {
    return { contract, value: value[wrapper], base: [wrapper] }
  }
  return { contract, value, base: [] }
}

function byName(
  value: unknown,
  name: string,
  contracts: readonly Contract[],
): Recognised | undefined {
  const contract = contracts.find(c => c.recognise.declares?.({}, name))
  return contract && { contract, value, base: [] }
}

function bestMatch(value: Fields, contracts: readonly Contract[]): Contract | undefined {
  let best: Contract | undefined
  let most = 1
  for (const contract of contracts) {
    const matches = contract.recognise.keys.filter(key => Object.hasOwn(value, key)).length
    if (matches > most) {
      best = contract
      most = matches
    }
  }
  return best
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
