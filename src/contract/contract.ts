import type { Format } from '../document/index.ts'
import type { Rules } from './rule.ts'
import { minorVersion } from './version.ts'

/** Any object of a document. */
export type Fields = Readonly<Record<string, unknown>>

/** The uniform view of a document that ledger, store and console use. */
export interface Header {
  readonly id?: string
  readonly from?: string
  readonly to?: string
  readonly correlation?: string
  readonly createdAt?: string
  readonly continues?: string
}

/** How to recognise a document of a contract. */
export interface Recognition {
  /**
   * Whether the document or its file declares the contract.
   *
   * `name` is the path with forward slashes, maybe empty; `titles` are those of the headings of a Markdown text.
   */
  declares?(value: Fields, name: string, titles: readonly string[]): boolean
  /** Whether a file name is one that other tools use too, so that a directory walk needs one of the keys as well. */
  isNamed?(name: string): boolean
  /** Whether its distinguishing keys suffice to recognise it in a directory walk. */
  signature?(value: Fields): boolean
  /** Whether it looks like a document of the contract, which suffices for one named by the user. */
  resembles?(value: Fields): boolean
  /** Distinguishing keys; the best match wins for a document named by the user. */
  readonly keys: readonly string[]
  /** A sole root key that may wrap the document. */
  readonly wrapper?: string
}

/** The declaration in a contract's `contract.ts`. */
export interface ContractDefinition<T> {
  /** The folder's name: `<name>.v<major>`. */
  readonly id: string
  /** The display name. */
  readonly title: string
  readonly formats: readonly Format[]
  readonly recognise: Recognition
  header(value: T): { readonly [K in keyof Header]?: unknown }
  /** The version that a document states; without it, documents have the contract's version. */
  states?(value: T): unknown
}

/** The schema and rules of one document type in one major version. */
export interface Contract extends ContractDefinition<never> {
  readonly name: string
  readonly version: string
  /** The `$id` of its published JSON Schema. */
  readonly schemaId: string
}

/** One structural error as the generated validator reports it (Ajv's shape). */
export interface StructureError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Fields
}

/** The generated validator: `errors` holds the errors of the last call that returned false. */
export interface Validate {
  (value: unknown): boolean
  errors?: readonly StructureError[] | null
}

/** The keywords of a published JSON Schema that the engine reads. */
export interface Schema {
  readonly $id?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly definitions?: Readonly<Record<string, Schema>>
}

/** A contract with everything that checking it needs. */
export interface LoadedContract {
  readonly contract: Contract
  readonly validate: Validate
  readonly schema: Schema
  readonly rules: Rules<never, never>
}

/** Declares a contract; name, version and schema id follow from the id. */
export function defineContract<T>(definition: ContractDefinition<T>): Contract {
  const dot = definition.id.lastIndexOf('.')
  return {
    ...(definition as ContractDefinition<never>),
    name: definition.id.slice(0, dot),
    version: definition.id.slice(dot + 1),
    schemaId: `urn:waybill:schema:${definition.id}`,
  }
}

/** The header of a possibly invalid document: only fields that are text. */
export function headerOf(contract: Contract, value: unknown): Header {
  try {
    const fields = contract.header(value as never) as Record<string, unknown>
    const header: Record<string, string> = {}
    for (const key in fields) {
      const text = fields[key]
      if (typeof text === 'string' && text !== '') header[key] = text
    }
    return header
  } catch {
    // An invalid document may lack the objects that the header reads.
    return {}
  }
}

/** The major and minor version of a document, `1.0`; `undefined` if it should state one and does not. */
export function versionOf(contract: Contract, value: unknown): string | undefined {
  if (!contract.states) return minorVersion(contract.version)
  const stated = (value as Fields | null | undefined) && contract.states(value as never)
  return typeof stated === 'string' ? minorVersion(stated) : undefined
}
