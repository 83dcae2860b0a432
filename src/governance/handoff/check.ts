import {
  as,
  checkDocument,
  type Diagnostic,
  type Facts,
  type LoadedContract,
  type Override,
} from '../../contract/index.ts'
import { type AgentHandoff, findContract, loadContract } from '../../contracts/index.ts'
import { type Decoded, type Document, type Format, readDocuments } from '../../document/index.ts'
import type { Config } from '../../workspace/index.ts'
import { finding } from './finding.ts'

/** A handoff as it was read: the document for places in it, and its value, whatever it is. */
export interface ReadHandoff {
  readonly document: Document
  readonly value: unknown
}

/** Reads the one handoff that a text holds; `undefined` when it holds none or several. */
export async function readHandoff(
  { text, faults }: Decoded,
  format: Format,
): Promise<ReadHandoff | undefined> {
  if (format === 'markdown') return undefined
  const { documents } = await readDocuments(text, format, faults)
  const [document, another] = documents
  return document && !another ? { document, value: document.value } : undefined
}

/** What is said of bytes that are not one handoff. */
export function notOneHandoff(): Diagnostic {
  return finding(
    'gateway/no-handoff',
    'this is not one agent handoff in JSON or YAML',
    'put the handoff into a file of its own, whose name ends in .json, .yaml or .yml',
  )
}

/** What the contract says of a handoff, and which of its rules said it. */
export interface CheckedHandoff {
  readonly diagnostics: readonly Diagnostic[]
  /** The value as a handoff, if its structure is sound. */
  readonly handoff: AgentHandoff | undefined
  /** Codes of the rules that ran, and of those that could not. */
  readonly checks: readonly string[]
  readonly notRun: readonly string[]
}

/** Checks a handoff against its contract in full, with the facts of the moment; nothing excuses an error. */
export async function checkHandoff(
  { document, value }: ReadHandoff,
  facts: Facts,
  { now, config }: { readonly now: number; readonly config: Config },
): Promise<CheckedHandoff> {
  const loaded = await loadHandoff()
  const { contract, rules } = loaded
  const result = checkDocument(document, as(contract, value), loaded, {
    now,
    facts,
    severities: raised(config),
  })
  const codes = Object.keys(rules).map(name => `${contract.name}/${name}`)
  const sound =
    document.faults.length === 0 &&
    !result.diagnostics.some(
      ({ code, severity }) => severity === 'error' && SAYS_UNSOUND.test(code),
    )
  return {
    diagnostics: result.diagnostics,
    handoff: sound ? (value as AgentHandoff) : undefined,
    checks: codes.filter(code => !result.notRun.includes(code)),
    notRun: result.notRun,
  }
}

/** What is found after the first thousand may be of any kind. */
const SAYS_UNSOUND = /^(?:schema\/|document\/)/

/** The contract of agent handoffs, with its rules. */
async function loadHandoff(): Promise<LoadedContract> {
  const contract = findContract('agent-handoff')
  if (!contract) throw new Error('agent-handoff is not in the catalogue')
  return loadContract(contract)
}

/**
 * The rules that a configuration makes errors. What it makes lighter counts for checks alone: whoever acts on a handoff
 * acts on all of its rules.
 */
function raised({ rules = {} }: Config): ReadonlyMap<string, Override> {
  const errors = Object.entries(rules).filter(([, { severity }]) => severity === 'error')
  return new Map(errors.map(([code, { reason }]) => [code, { severity: 'error', reason }]))
}
