import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { shellWord } from '../../contract/index.ts'
import { findContract, loadContract } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import {
  findRoot,
  hintOf,
  readOwnFile,
  reasonOf,
  sha256,
  writeAtomically,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import type { DocumentReport, ReportedDiagnostic } from './output.ts'
import type { DiagnosticForPeople, ReportForPeople } from './report.ts'

/** The committed file that lists the errors to excuse. */
export const BASELINE_FILE = '.waybill-baseline.json'

/** The reason given for an error excused by the baseline. */
export const IN_BASELINE = 'in the baseline'

/** Codes of incomplete checks, which may have missed a secret. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set([
  'document/more-findings',
  'document/unreadable',
  'internal/rule-failed',
])

/** Limit in bytes; enough for hundreds of thousands of errors. */
const MOST_BYTES = 64 * 1024 ** 2

/** Errors that later runs excuse, matched by code, path and message, so that moved lines do not matter. */
export interface Baseline {
  readonly version: 1
  readonly faults: readonly Fault[]
}

interface Fault {
  readonly code: string
  /** Path of the file without a block: line numbers change. */
  readonly path: string
  readonly fingerprint: string
}

/** The repository root and the current folder. */
type Place = Pick<App, 'root' | 'cwd'>

/** Reads the baseline at a root; returns undefined if there is none. */
export function readBaseline(place: Place): Baseline | undefined {
  const found = find(place)
  if (found !== 'none') return found
  throw new WaybillError('configuration', `${BASELINE_FILE} is not a baseline of version 1`, {
    hint: `rewrite it with ${rewriting(place)}`,
  })
}

/** Reads the baseline file; returns 'none' for invalid content, such as after a merge with conflicts. */
function find(place: Place): Baseline | 'none' | undefined {
  let text: string | undefined
  try {
    text = readOwnFile(join(place.root, BASELINE_FILE), MOST_BYTES)?.toString()
  } catch (error) {
    throw new WaybillError('configuration', `${BASELINE_FILE} cannot be read: ${reasonOf(error)}`, {
      ...hintOf(error),
      cause: error,
    })
  }
  return text === undefined ? undefined : parse(text, place)
}

function parse(text: string, place: Place): Baseline | 'none' {
  const { version, faults } = fieldsOf(text)
  // Do not replace a file written by a newer Waybill.
  if (Number.isInteger(version) && Number(version) > 1)
    throw new WaybillError('configuration', `${BASELINE_FILE} has the newer version ${version}`, {
      hint: `upgrade Waybill, or delete the file and rewrite it with ${rewriting(place)}`,
    })
  const isValid =
    version === 1 &&
    Array.isArray(faults) &&
    faults.every(f => [f?.code, f?.path, f?.fingerprint].every(v => typeof v === 'string'))
  return isValid ? { version, faults } : 'none'
}

/** Returns the command that writes the baseline with a check of the whole repository, for the current folder. */
function rewriting({ root, cwd }: Place): string {
  const folder = shellWord(relative(cwd, root) || '.')
  if ((findRoot(cwd) ?? cwd) !== root) return `waybill check --baseline --root ${folder} ${folder}`
  return `waybill check --baseline${root === cwd ? '' : ` ${folder}`}`
}

function fieldsOf(text: string): { readonly version?: unknown; readonly faults?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** The coverage of a run. */
interface Reach {
  readonly structureOnly: boolean
  readonly isWhole: boolean
  /** The contract given with --contract. */
  readonly contract: string | undefined
}

/**
 * Writes the excusable errors to the baseline and returns their number.
 *
 * Entries of existing documents that this run did not check stay. Only a run over the whole repository replaces an
 * invalid file.
 */
export async function writeBaseline(
  place: Place,
  documents: readonly DocumentReport[],
  reach: Reach,
): Promise<number> {
  const before = find(place)
  if (before === 'none' && !reach.isWhole)
    throw new WaybillError(
      'configuration',
      `${BASELINE_FILE} is not a baseline of version 1, so its other entries cannot be kept`,
      { hint: `rewrite it with ${rewriting(place)}` },
    )
  const wasChecked = checkedBy(reach, new Set(documents.map(fileOf)))
  const kept = (before === 'none' ? [] : (before?.faults ?? [])).filter(
    fault => !wasChecked(fault) && existsSync(join(place.root, fault.path)),
  )
  const found = await faultsIn(documents, reach.structureOnly)
  const faults = [...found, ...without(kept, found)]
  const lines = faults.map(fault => `    ${JSON.stringify(fault)}`).sort()
  const body = lines.length > 0 ? `[\n${lines.join(',\n')}\n  ]` : '[]'
  writeAtomically(join(place.root, BASELINE_FILE), `{\n  "version": 1,\n  "faults": ${body}\n}\n`)
  return faults.length
}

/** Returns a predicate that tells whether a run would have found an error again. */
function checkedBy(
  { structureOnly, contract }: Reach,
  checked: ReadonlySet<string>,
): (fault: Fault) => boolean {
  return ({ code, path }) => {
    const [origin = ''] = code.split('/')
    const isOfRule = findContract(origin) !== undefined
    if (!checked.has(path) || (structureOnly && isOfRule)) return false
    // With --contract, only that contract's rules ran, and structure errors cannot be attributed.
    return contract === undefined || (isOfRule ? origin === contract : origin !== 'schema')
  }
}

async function faultsIn(
  documents: readonly DocumentReport[],
  structureOnly: boolean,
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const document of documents) {
    if (!(await mayBeExcused(document, structureOnly))) continue
    for (const diagnostic of document.diagnostics) {
      const { code, severity } = diagnostic
      if (severity !== 'error' || (await isNeverExcused(code))) continue
      faults.push({ code, path: fileOf(document), fingerprint: fingerprint(diagnostic) })
    }
  }
  return faults
}

/** Removes one matching entry for each of the others. */
function without(faults: readonly Fault[], others: readonly Fault[]): Fault[] {
  const left = countsOf(others)
  return faults.filter(fault => {
    const count = left.get(keyOf(fault)) ?? 0
    if (count > 0) left.set(keyOf(fault), count - 1)
    return count === 0
  })
}

/** Counts equal entries. */
function countsOf(faults: readonly Fault[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const fault of faults) counts.set(keyOf(fault), (counts.get(keyOf(fault)) ?? 0) + 1)
  return counts
}

/** Suppresses the diagnostics listed in the baseline; each entry excuses one error. */
export async function excuse(
  documents: readonly ReportForPeople[],
  baseline: Baseline,
  structureOnly: boolean,
): Promise<ReportForPeople[]> {
  const left = countsOf(baseline.faults)
  const excused: ReportForPeople[] = []
  for (const document of documents) {
    const may = !document.accepted && (await mayBeExcused(document, structureOnly))
    excused.push(may ? await excuseDocument(document, left) : document)
  }
  return excused
}

/** Counts the entries that no error needs after a complete run: of documents without errors, and of deleted files. */
export function unneededIn(
  { faults }: Baseline,
  reports: readonly DocumentReport[],
  root: string,
): number {
  // In a document with other errors, the excused error may only be hidden.
  const open = new Set(reports.filter(({ accepted }) => !accepted).map(fileOf))
  const closed = new Set(reports.map(fileOf).filter(path => !open.has(path)))
  const isGone = (path: string) => !open.has(path) && !existsSync(join(root, path))
  const left = faults.filter(({ path }) => closed.has(path) || isGone(path))
  const excused = reports
    .filter(document => closed.has(fileOf(document)))
    .flatMap(({ suppressed }) => suppressed.filter(({ reason }) => reason === IN_BASELINE))
  return left.length - excused.length
}

async function excuseDocument(
  document: ReportForPeople,
  left: Map<string, number>,
): Promise<ReportForPeople> {
  const diagnostics: DiagnosticForPeople[] = []
  const suppressed = [...document.suppressed]
  for (const diagnostic of document.diagnostics) {
    const { code } = diagnostic
    const key = keyOf({ code, path: fileOf(document), fingerprint: fingerprint(diagnostic) })
    const count = left.get(key) ?? 0
    if (diagnostic.severity === 'error' && count > 0 && !(await isNeverExcused(diagnostic.code))) {
      left.set(key, count - 1)
      suppressed.push({ code: diagnostic.code, line: diagnostic.line, reason: IN_BASELINE })
    } else diagnostics.push(diagnostic)
  }
  const accepted = !diagnostics.some(d => d.severity === 'error')
  return { ...document, accepted, diagnostics, suppressed }
}

/** Tells whether errors may be excused: not where other errors kept the checks for secrets or hashes from running. */
async function mayBeExcused(
  { path, contract, notRun }: DocumentReport,
  structureOnly: boolean,
): Promise<boolean> {
  // An unrecognised document was not checked, and standard input has no stable name.
  if (contract === null || path === '-') return false
  // The caller asked for structure only, and the result states it.
  if (structureOnly) return true
  const rules = await rulesOf(contract)
  return !notRun.some(code => {
    const rule = rules[code.slice(contract.length + 1)]
    return rule?.unconditional === true && rule.phase === undefined
  })
}

const keyOf = ({ code, path, fingerprint }: Fault) => `${path}\n${code}\n${fingerprint}`

function fileOf({ path }: DocumentReport): string {
  return path.replace(/#L[0-9]+$/, '')
}

function fingerprint({ code, path, message }: ReportedDiagnostic): string {
  // Ignore parts that change by themselves: line numbers and the distance from now.
  const stable = message
    .replaceAll(/\bline [0-9]+/g, 'line')
    .replace(/ (?:is [^()]{1,40}|lies) after now \([^()]*\)$/, ' is after now')
  return sha256(`${code}\n${path}\n${stable}`).slice(0, 16)
}

async function isNeverExcused(code: string): Promise<boolean> {
  return NOT_LOOKED_AT.has(code) || (await isUnconditional(code))
}

/** Rules about secrets, hashes, replay and signatures are never excused. */
export async function isUnconditional(code: string): Promise<boolean> {
  const [contract = '', rule = ''] = code.split('/')
  return (await rulesOf(contract))[rule]?.unconditional === true
}

type RuleFacts = { readonly unconditional?: true; readonly phase?: string }

async function rulesOf(name: string): Promise<Readonly<Record<string, RuleFacts>>> {
  const contract = findContract(name)
  return contract ? ((await loadContract(contract)).rules as Record<string, RuleFacts>) : {}
}
