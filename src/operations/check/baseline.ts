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

/** The committed file that names the faults a repository started with. */
export const BASELINE_FILE = '.waybill-baseline.json'

/** Why a fault is excused that the baseline names. */
export const IN_BASELINE = 'in the baseline'

/** What says that something was not looked at: a secret may stand there. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set([
  'document/more-findings',
  'document/unreadable',
  'internal/rule-failed',
])

/** Enough for hundreds of thousands of faults. */
const MOST_BYTES = 64 * 1024 ** 2

/** Faults that later runs excuse: by code, document and what was said, so that moving lines changes nothing. */
export interface Baseline {
  readonly version: 1
  readonly faults: readonly Fault[]
}

interface Fault {
  readonly code: string
  /** Of the file: a block in Markdown moves with the lines above it. */
  readonly path: string
  readonly fingerprint: string
}

/** Where a repository is, and where somebody stands who is told of it. */
type Place = Pick<App, 'root' | 'cwd'>

/** Reads the baseline at a root; `undefined` where there is none. */
export function readBaseline(place: Place): Baseline | undefined {
  const found = find(place)
  if (found !== 'none') return found
  throw new WaybillError('configuration', `${BASELINE_FILE} is not a baseline of version 1`, {
    hint: `write it anew with ${rewriting(place)}`,
  })
}

/** What stands at a root; `none` says that it is no baseline at all, as after a merge with conflicts. */
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
  // What a later Waybill has written is not ours to replace.
  if (Number.isInteger(version) && Number(version) > 1)
    throw new WaybillError('configuration', `${BASELINE_FILE} is of the newer version ${version}`, {
      hint: `install a newer Waybill, or remove the file and write it anew with ${rewriting(place)}`,
    })
  const sound =
    version === 1 &&
    Array.isArray(faults) &&
    faults.every(f => [f?.code, f?.path, f?.fingerprint].every(v => typeof v === 'string'))
  return sound ? { version, faults } : 'none'
}

/** What to type where somebody stands, so that the baseline is written by a run over everything. */
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

/** How much of the documents a run has looked at. */
interface Reach {
  readonly structureOnly: boolean
  readonly isWhole: boolean
  /** The contract that every document was taken for, whatever it is. */
  readonly contract: string | undefined
}

/**
 * Writes every error that may be excused as the baseline; gives how many stand in it.
 *
 * What it says of documents that are there and that this run did not look at stays; a file that is no baseline is
 * replaced by a run over the whole repository alone.
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
      `${BASELINE_FILE} is not a baseline of version 1, so what it says of the rest cannot be kept`,
      { hint: `write it anew with ${rewriting(place)}` },
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

/** Tells whether a run would have found a fault, if it were there still. */
function checkedBy(
  { structureOnly, contract }: Reach,
  checked: ReadonlySet<string>,
): (fault: Fault) => boolean {
  return ({ code, path }) => {
    const [origin = ''] = code.split('/')
    const isOfRule = findContract(origin) !== undefined
    // A check of structure only says nothing of what rules have found.
    if (!checked.has(path) || (structureOnly && isOfRule)) return false
    // One by a named contract says nothing of another, and whose structure was at fault does not show.
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

/** What is left of faults when each of the others has taken one like it away. */
function without(faults: readonly Fault[], others: readonly Fault[]): Fault[] {
  const left = countsOf(others)
  return faults.filter(fault => {
    const count = left.get(keyOf(fault)) ?? 0
    if (count > 0) left.set(keyOf(fault), count - 1)
    return count === 0
  })
}

/** How often each fault is there. */
function countsOf(faults: readonly Fault[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const fault of faults) counts.set(keyOf(fault), (counts.get(keyOf(fault)) ?? 0) + 1)
  return counts
}

/** Moves what the baseline names from a document's diagnostics to its suppressed ones; each entry excuses one fault. */
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

/**
 * How many entries no fault needs any more, once a run has looked at everything and excused what it may: of documents
 * that were looked at, and of files that are gone, which are those that writing it anew leaves out.
 */
export function unneededIn(
  { faults }: Baseline,
  told: readonly DocumentReport[],
  root: string,
): number {
  // What else is wrong with a document may hide the fault that an entry stands for.
  const open = new Set(told.filter(({ accepted }) => !accepted).map(fileOf))
  const closed = new Set(told.map(fileOf).filter(path => !open.has(path)))
  const isGone = (path: string) => !open.has(path) && !existsSync(join(root, path))
  const left = faults.filter(({ path }) => closed.has(path) || isGone(path))
  const excused = told
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

/** A document whose secrets or hashes were not looked at, because something else is at fault, is excused nothing. */
async function mayBeExcused(
  { path, contract, notRun }: DocumentReport,
  structureOnly: boolean,
): Promise<boolean> {
  // Of what nobody knows nothing was looked at, and what has no name is another document tomorrow.
  if (contract === null || path === '-') return false
  // Whoever asks for structure only has said so, and the result says so too.
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
  // What changes by itself is left out: numbers of lines, and how far off now is.
  const said = message
    .replaceAll(/\bline [0-9]+/g, 'line')
    .replace(/ (?:is [^()]{1,40}|lies) after now \([^()]*\)$/, ' is after now')
  return sha256(`${code}\n${path}\n${said}`).slice(0, 16)
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
