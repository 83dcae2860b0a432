import type { Document, Format } from '../document/index.ts'
import type { Contract, Fields } from './contract.ts'
import type { Finding } from './diagnostic.ts'
import { flatten, listed } from './wording.ts'

/** A value recognised as a document of a contract: unwrapped, with the path of the removed keys. */
export interface Recognised {
  readonly contract: Contract
  readonly value: unknown
  readonly base: readonly string[]
}

/**
 * How much evidence recognition needs. `walk`: a declared name, a file name with a key, or a signature. `named`: a file
 * name or the most distinguishing keys suffice. `broken`: as `named`, with one key more, for texts that could only be
 * read in part.
 */
type Certainty = 'walk' | 'broken' | 'named'

/**
 * Finds the contract of a value.
 *
 * Tries its declared name (or `$schema`, or the file name), then a signature, then, for documents that the user named,
 * the most distinguishing keys (at least two, unless there is a wrapper). `titles` are those of a Markdown text's
 * headings.
 */
export function recognise(
  value: unknown,
  name: string,
  contracts: readonly Contract[],
  certainty: Certainty,
  titles: readonly string[] = [],
): Recognised | undefined {
  if (!isFields(value)) return byName(value, name, contracts, certainty)
  const wrapped = soleKey(value)
  if (wrapped !== undefined) {
    const contract = contracts.find(c => c.recognise.wrapper === wrapped)
    if (contract) return { contract, value: value[wrapped], base: [wrapped] }
  }
  const contract =
    contracts.find(
      c => value.$schema === c.schemaId || c.recognise.declares?.(value, name, titles),
    ) ??
    contracts.find(c => isNamed(c, name, certainty, value)) ??
    contracts.find(c => c.recognise.signature?.(value)) ??
    (certainty === 'walk'
      ? undefined
      : bestMatch(value, contracts, certainty === 'named' ? 2 : 3)) ??
    (certainty === 'named' ? lookalike(value, wrapped, contracts) : undefined)
  return contract && { contract, value, base: [] }
}

/** Whether the file name is that of a contract's documents; in a walk, together with one of their keys. */
function isNamed(
  { recognise }: Contract,
  name: string,
  certainty: Certainty,
  value: Fields = {},
): boolean {
  if (!recognise.isNamed?.(name)) return false
  return certainty !== 'walk' || recognise.keys.some(key => Object.hasOwn(value, key))
}

/**
 * The contract that the value resembles, or whose wrapper or keys match regardless of case and separators:
 * `sessionState`, `source-agent`.
 */
function lookalike(
  value: Fields,
  wrapped: string | undefined,
  contracts: readonly Contract[],
): Contract | undefined {
  const sole = flatten(wrapped ?? '')
  const flat = Object.fromEntries(Object.keys(value).map(key => [flatten(key), true]))
  return (
    contracts.find(c => c.recognise.resembles?.(value)) ??
    contracts.find(({ recognise: { wrapper } }) => wrapper && flatten(wrapper) === sole) ??
    bestMatch(flat, contracts, 3, flatten)
  )
}

/** Takes a value as a document of the given contract, whatever it declares. */
export function as(contract: Contract, value: unknown): Recognised {
  const { wrapper } = contract.recognise
  if (wrapper && isFields(value) && Object.hasOwn(value, wrapper)) {
    return { contract, value: value[wrapper], base: [wrapper] }
  }
  return { contract, value, base: [] }
}

const WRITTEN: Readonly<Record<Format, string>> = {
  json: 'JSON',
  yaml: 'YAML',
  markdown: 'Markdown',
}

/** The finding for a text that is no document of the wanted contract, or of any. */
export function unrecognised(
  { text, format, value }: Document,
  wanted: Contract | undefined,
): Finding {
  const finding = { path: [], span: { start: 0, end: Math.min(1, text.length) } }
  if (!wanted)
    return {
      ...finding,
      message: 'not a document of a known contract',
      hint: Array.isArray(value)
        ? 'this is a list: if its entries are documents, write each into its own file'
        : 'name the contract with --contract; list contracts with waybill schema',
    }
  const formats = listed(
    wanted.formats.map(f => WRITTEN[f]),
    'or',
  )
  return {
    ...finding,
    message: `this is ${WRITTEN[format]}, but ${wanted.name} must be ${formats}`,
    hint: `write it as ${formats}, in a file with that extension${format === 'markdown' ? ' or in a fenced block' : ''}`,
  }
}

/** The only key of an object, apart from `$schema`. */
function soleKey(value: Fields): string | undefined {
  let sole: string | undefined
  for (const key in value) {
    if (key === '$schema' || !Object.hasOwn(value, key)) continue
    if (sole !== undefined) return undefined
    sole = key
  }
  return sole
}

function byName(
  value: unknown,
  name: string,
  contracts: readonly Contract[],
  certainty: Certainty,
): Recognised | undefined {
  const contract = contracts.find(
    c => c.recognise.declares?.({}, name, []) || isNamed(c, name, certainty),
  )
  return contract && { contract, value, base: [] }
}

function bestMatch(
  value: Fields,
  contracts: readonly Contract[],
  fewest: number,
  spelling = (key: string) => key,
): Contract | undefined {
  let best: Contract | undefined
  let most = fewest - 1
  for (const contract of contracts) {
    const matches = contract.recognise.keys.filter(key =>
      Object.hasOwn(value, spelling(key)),
    ).length
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
