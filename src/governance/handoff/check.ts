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

/** A parsed handoff: the document, for positions, and its value. */
export interface ReadHandoff {
  readonly document: Document
  readonly value: unknown
}

/** Parses the one handoff in a text; returns `undefined` for none or several. */
export async function readHandoff(
  { text, faults }: Decoded,
  format: Format,
): Promise<ReadHandoff | undefined> {
  if (format === 'markdown') return undefined
  const { documents } = await readDocuments(text, format, faults)
  const [document, another] = documents
  return document && !another ? { document, value: document.value } : undefined
}

/** The diagnostic for bytes that are not one handoff. */
export function notOneHandoff(): Diagnostic {
  return finding(
    'gateway/no-handoff',
    'not a single agent handoff in JSON or YAML',
    'put the handoff in its own file with the extension .json, .yaml or .yml',
  )
}

/** The diagnostics of the contract for a handoff, and the rules that ran. */
export interface CheckedHandoff {
  readonly diagnostics: readonly Diagnostic[]
  /** The value as a handoff, if its structure is valid. */
  readonly handoff: AgentHandoff | undefined
  /** Codes of the rules that ran, and of those that could not. */
  readonly checks: readonly string[]
  readonly notRun: readonly string[]
}

/** Checks a handoff against its full contract with current facts; suppressions do not apply. */
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

/** Diagnostics after the first thousand are not sorted. */
const SAYS_UNSOUND = /^(?:schema\/|document\/)/

/** The contract of agent handoffs, with its rules. */
async function loadHandoff(): Promise<LoadedContract> {
  const contract = findContract('agent-handoff')
  if (!contract) throw new Error('agent-handoff is not in the catalogue')
  return loadContract(contract)
}

/**
 * The rules that a configuration raises to errors. Lowered severities apply to checks only: gateways enforce every
 * rule.
 */
function raised({ rules = {} }: Config): ReadonlyMap<string, Override> {
  const errors = Object.entries(rules).filter(([, { severity }]) => severity === 'error')
  return new Map(errors.map(([code, { reason }]) => [code, { severity: 'error', reason }]))
}
