import {
  type Contract,
  type LoadedContract,
  nearest,
  type Rules,
  type Schema,
} from '../contract/index.ts'
import type { Format } from '../document/index.ts'
import { entries } from './catalogue.generated.ts'
import type { Explanations } from './explanation.ts'

/** All contracts; schema, rules and validator of each are loaded on use. */
export const contracts: readonly Contract[] = entries.map(([contract]) => contract)

const byFormat = new Map<Format, readonly Contract[]>()

/** The contracts whose documents can have a format. */
export function contractsIn(format: Format): readonly Contract[] {
  const known = byFormat.get(format) ?? contracts.filter(c => c.formats.includes(format))
  byFormat.set(format, known)
  return known
}

const loaded = new Map<string, Promise<LoadedContract>>()

/** Returns the contract with an id (`handoff-document.v1`) or name (`handoff-document`, its newest version). */
export function findContract(idOrName: string): Contract | undefined {
  return contracts.find(c => c.id === idOrName) ?? contracts.findLast(c => c.name === idOrName)
}

/** The hint for an unknown contract: the name probably meant, or all names. */
export function hintForContract(name: string): string {
  const names = contracts.map(contract => contract.name)
  const meant = nearest(name, names)
  return meant === undefined ? `use one of ${names.join(', ')}` : `did you mean ${meant}?`
}

/** Loads a contract's structure check, rules and schema; once per process. */
export function loadContract(contract: Contract): Promise<LoadedContract> {
  const known = loaded.get(contract.id)
  if (known !== undefined) return known
  const loading = load(contract)
  loaded.set(contract.id, loading)
  return loading
}

/** Loads the explanations of a contract's rules, without what checking needs. */
export async function loadExplanations(contract: Contract): Promise<Explanations> {
  const { default: explanations } = await entryOf(contract)[2]()
  return explanations as Explanations
}

async function load(contract: Contract): Promise<LoadedContract> {
  const [{ validate }, { rules }, schema] = await entryOf(contract)[1]()
  return {
    contract,
    validate,
    rules: rules as Rules<never, never>,
    schema: schema.default as Schema,
  }
}

function entryOf(contract: Contract): (typeof entries)[number] {
  const entry = entries.find(([c]) => c === contract)
  if (entry) return entry
  throw new Error(`${contract.id} is not in the catalogue`)
}
