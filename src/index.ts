/**
 * Waybill as a library: check texts against contracts, in Node or in a browser.
 *
 * ```ts
 * import { check } from 'waybill'
 *
 * const { accepted, documents } = await check('{"schema_name": "mission_envelope"}', { path: 'mission.json' })
 * ```
 *
 * Nothing here reads files: pass facts from outside, such as which files exist. The operations of the command line are
 * in `waybill/operations`.
 */
import {
  as,
  type Contract,
  checkDocument,
  type Diagnostic,
  type Facts,
  type Header,
  headerOf,
  type Override,
  recognise,
  refuse,
  type Suppression,
  unrecognised,
} from './contract/index.ts'
import {
  contractsIn,
  findContract,
  hintForContract,
  loadContract,
  titlesIn,
} from './contracts/index.ts'
import { type Document, decoded, formatOf, parseInstant, readDocuments } from './document/index.ts'
import { WaybillError } from './error.ts'

/** Options of a check. */
export interface CheckOptions {
  /** The name of the file: decides format and recognition. */
  readonly path?: string
  /** Checks the text as a document of this contract, by name or id, instead of recognising it. */
  readonly contract?: string
  /** The current time: milliseconds since the epoch, or ISO 8601. */
  readonly now?: number | string
  /** Facts for rules, by name. */
  readonly facts?: Facts
  /** Runs no rules. */
  readonly structureOnly?: boolean
  readonly severities?: ReadonlyMap<string, Override>
}

/** One document of a text with its result. */
export interface CheckedDocument {
  readonly contract: string
  readonly version: string
  readonly accepted: boolean
  readonly header: Header
  readonly value: unknown
  readonly diagnostics: readonly Diagnostic[]
  readonly notRun: readonly string[]
  readonly suppressed: readonly Suppression[]
  /** One-based line of the opening fence, for a block inside Markdown. */
  readonly line?: number
}

/** The documents recognised in a text; accepted only if there is one and all are accepted. */
export interface CheckedText {
  readonly accepted: boolean
  readonly documents: readonly CheckedDocument[]
  readonly ignored: number
}

/**
 * Checks every document in a text against its contract; never throws on bad text.
 *
 * @throws {WaybillError} 'usage' when `text`, an option, the contract or `now` is invalid.
 */
export async function check(text: string, options: CheckOptions = {}): Promise<CheckedText> {
  mustBeOptions(options)
  const now = readNow(options.now)
  const name = options.path ?? ''
  const wanted = options.contract === undefined ? undefined : mustFind(options.contract)
  const { text: read, faults } = decoded(mustBeText(text))
  const { documents, ignored } = await readDocuments(
    read,
    formatOf(name, read, wanted?.formats),
    faults,
  )
  const checked: CheckedDocument[] = []
  for (const document of documents) {
    const recognised = recogniseIn(document, name, wanted)
    if (!recognised) continue
    const { contract, value } = recognised
    const result = checkDocument(document, recognised, await loadContract(contract), {
      ...options,
      now,
    })
    checked.push({
      contract: contract.name,
      version: contract.version,
      header: headerOf(contract, value),
      value,
      ...result,
      ...(document.line === undefined ? {} : { line: document.line }),
    })
  }
  const [whole] = documents
  if (wanted && whole && checked.length === 0) checked.push(noneOf(wanted, whole))
  return {
    accepted: checked.length > 0 && checked.every(d => d.accepted),
    documents: checked,
    ignored,
  }
}

function recogniseIn(document: Document, name: string, wanted: Contract | undefined) {
  const fitting = contractsIn(document.format)
  if (wanted) return fitting.includes(wanted) ? as(wanted, document.value) : undefined
  const whole = document.line === undefined ? name : ''
  return recognise(document.value, whole, fitting, 'named', titlesIn(document.markdown))
}

function noneOf(wanted: Contract, document: Document): CheckedDocument {
  const result = refuse(document, 'document/unrecognised', unrecognised(document, wanted))
  const { name: contract, version } = wanted
  return { contract, version, header: {}, value: document.value, ...result }
}

const isString = (given: unknown) => typeof given === 'string'
const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null
const isFact = (given: unknown) =>
  given === undefined ||
  // Rules find nothing in a promise and would pass.
  (isObject(given) && ('missing' in given || ('value' in given && !isPromise(given.value))))
const isPromise = (given: unknown) =>
  isObject(given) && 'then' in given && typeof given.then === 'function'

/** The type of each option, in words and as a test, since callers may not use TypeScript. */
const OPTIONS: Readonly<Record<keyof CheckOptions, [string, (given: unknown) => boolean]>> = {
  path: ['a string', isString],
  contract: ['the name of a contract as a string', isString],
  now: [
    'milliseconds or a time such as 2026-02-11T14:30:00Z',
    given => isString(given) || typeof given === 'number',
  ],
  facts: [
    'an object with { value } or { missing } for each fact, without promises',
    given => isObject(given) && !Array.isArray(given) && Object.values(given).every(isFact),
  ],
  structureOnly: ['true or false', given => typeof given === 'boolean'],
  severities: ['a Map', given => given instanceof Map],
}

function mustBeOptions(options: unknown): void {
  if (!isObject(options))
    throw new WaybillError('usage', 'the options of a check must be an object', {
      hint: "write them like { path: 'a.json' }, or omit them",
    })
  for (const [name, [expected, isValid]] of Object.entries(OPTIONS)) {
    const option: unknown = Reflect.get(options, name)
    if (option !== undefined && !isValid(option))
      throw new WaybillError('usage', `the option '${name}' has the wrong type`, {
        hint: `pass ${expected}, or omit it`,
      })
  }
}

function readNow(now: number | string | undefined): number {
  if (now === undefined) return Date.now()
  const instant = typeof now === 'string' ? parseInstant(now) : now
  // JavaScript dates end here.
  if (instant !== undefined && Math.abs(instant) <= 8.64e15) return instant
  throw new WaybillError('usage', `${String(now)} is not a time`, {
    hint: 'write it like 2026-02-11T14:30:00Z',
  })
}

function mustBeText(text: unknown): string {
  if (typeof text === 'string') return text
  throw new WaybillError('usage', 'the text to check must be a string', {
    hint: 'decode bytes as UTF-8 first',
  })
}

function mustFind(name: string) {
  const contract = findContract(name)
  if (contract) return contract
  throw new WaybillError('usage', `there is no contract '${name}'`, {
    hint: hintForContract(name),
  })
}

export type {
  Contract,
  Diagnostic,
  Fact,
  Facts,
  Files,
  Found,
  Header,
  Override,
  Severity,
  Suppression,
} from './contract/index.ts'
export type { Position, Range } from './document/index.ts'
export { type ErrorCode, WaybillError } from './error.ts'
