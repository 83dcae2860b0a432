import { type Document, formatPointer, type Path, type Span } from '../document/index.ts'
import type { LoadedContract } from './contract.ts'
import type { Diagnostic, Finding, Severity } from './diagnostic.ts'
import { discretion } from './discretion.ts'
import { existing, partAt, touches } from './path.ts'
import type { Recognised } from './recognise.ts'
import { type Context, type Facts, isKnown, knownFacts, type Rule } from './rule.ts'
import { checkStructure } from './structure.ts'
import { Unanswered, type Want, wantedBy, wantsOf } from './unanswered.ts'
import { counted, spelled } from './wording.ts'

/** Inputs of a check other than the document. */
export interface CheckOptions {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Path of the document relative to the root. */
  readonly path?: string
  readonly facts?: Facts
  /** Runs no rules; the only way to check less. */
  readonly structureOnly?: boolean
  /** Severities that the configuration overrides, by code. */
  readonly severities?: ReadonlyMap<string, Override>
  /** Maximum number of diagnostics; the rest is counted. Default: 1000. */
  readonly most?: number
}

/** A configured severity; `off` moves findings to `suppressed`. */
export interface Override {
  readonly severity: Severity | 'off'
  readonly reason: string
}

/** A finding that was suppressed, and why. */
export interface Suppression {
  readonly code: string
  /** One-based line in the file. */
  readonly line: number
  readonly reason: string
}

/** The result of a check: a document with any error is not accepted. */
export interface Result {
  readonly accepted: boolean
  readonly diagnostics: readonly Diagnostic[]
  /** Codes of rules that did not run: their facts were not supplied, or their input is structurally invalid. */
  readonly notRun: readonly string[]
  readonly suppressed: readonly Suppression[]
}

const MOST_DIAGNOSTICS = 1000

/** Checks one document against one contract: structure first, then each rule whose input is structurally valid. */
export function checkDocument(
  document: Document,
  { value, base }: Recognised,
  loaded: LoadedContract,
  options: CheckOptions,
): Result {
  const report = new Report(document, base, value, options)
  for (const fault of document.faults) report.add(fault.code, 'error', { path: [], ...fault })
  // What is recovered from a text with syntax errors is good for recognition only.
  if (document.faults.length > 0) return report.result(ruleCodes(loaded))
  const { findings: structure, rest } = checkStructure(loaded, value)
  for (const finding of structure) {
    const hint =
      finding.code === 'schema/required'
        ? document.absent?.(finding.path)
        : report.commentedOut(finding)
    report.add(finding.code, finding.severity, hint === undefined ? finding : { ...finding, hint })
  }
  // The findings left out may concern any rule.
  const notRun =
    options.structureOnly || rest > 0
      ? ruleCodes(loaded)
      : runRules(report, loaded, value, structure)
  return report.result(notRun, rest)
}

/** The result for a document that cannot be parsed or recognised. */
export function refuse(document: Document, code: string, finding: Finding): Result {
  const report = new Report(document, [], document.value, { now: 0 })
  for (const fault of document.faults) report.add(fault.code, 'error', { path: [], ...fault })
  if (document.faults.length === 0) report.add(code, 'error', finding)
  return report.result([])
}

function ruleCodes(loaded: LoadedContract): string[] {
  return rulesOf(loaded).map(({ code }) => code)
}

type AnyRule = Rule<unknown, Record<string, unknown>>
type AnyContext = Context<Record<string, unknown>>

function runRules(
  report: Report,
  loaded: LoadedContract,
  value: unknown,
  structure: readonly (Finding & { code: string })[],
): string[] {
  const faulty = structure.filter(f => f.code !== 'schema/additional-properties').map(f => f.path)
  const supplied = report.options.facts ?? {}
  const context = contextOf(report, supplied)
  const notRun: string[] = []
  const unanswered = new Unanswered()
  for (const { code, rule } of rulesOf(loaded)) {
    if (readsAny(rule, faulty)) {
      notRun.push(code)
      continue
    }
    if (rule.applies?.(value, context) === false) continue
    const missing = missingFor(rule, supplied)
    // Rules of later phases run only in operations that supply their facts; other rules must not be skipped.
    if (rule.phase && missing.length > 0) {
      notRun.push(code)
      continue
    }
    const wants =
      missing.length > 0 ? wantsOf(missing, supplied) : runRule(report, code, rule, value, context)
    if (wants.length === 0) continue
    notRun.push(code)
    unanswered.add(code.slice(loaded.contract.name.length + 1), wants)
  }
  const notChecked = `${loaded.contract.name}/not-checked`
  for (const finding of unanswered.findings()) report.add(notChecked, 'error', finding)
  return notRun
}

function readsAny({ reads = [''] }: AnyRule, faulty: readonly Path[]): boolean {
  return faulty.length > 0 && faulty.some(path => touches(path, reads))
}

const NONE: readonly string[] = []

function missingFor({ needs }: AnyRule, supplied: Facts): readonly string[] {
  return needs ? needs.filter(fact => !isKnown(supplied[fact])) : NONE
}

interface CodedRule {
  readonly code: string
  readonly rule: AnyRule
}

const rulesByContract = new WeakMap<LoadedContract, readonly CodedRule[]>()

/** The rules of a contract with their codes, cached. */
function rulesOf(loaded: LoadedContract): readonly CodedRule[] {
  const known = rulesByContract.get(loaded)
  if (known) return known
  const rules = Object.entries(loaded.rules as unknown as Record<string, AnyRule>)
  const listed = rules.map(([name, rule]) => ({ code: `${loaded.contract.name}/${name}`, rule }))
  rulesByContract.set(loaded, listed)
  return listed
}

function contextOf({ options, document }: Report, supplied: Facts): AnyContext {
  const { now, path } = options
  const facts = knownFacts(supplied)
  return path === undefined ? { now, document, facts } : { now, document, facts, path }
}

/** Runs a rule and returns what kept it from deciding. */
function runRule(
  report: Report,
  code: string,
  rule: AnyRule,
  value: unknown,
  context: AnyContext,
): readonly Want[] {
  const wants: Want[] = []
  try {
    for (const finding of rule.check(value, context)) {
      // Word only the findings that are shown.
      if (finding.undecided === undefined) report.add(code, rule.severity, finding, rule)
      else wants.push(wantedBy(finding, finding.undecided))
    }
  } catch (error) {
    // If a rule throws, its findings are unknown: do not accept the document.
    const reason = error instanceof Error ? error.message : String(error)
    report.add('internal/rule-failed', 'error', {
      path: [],
      message: `the rule ${code} failed: ${reason}`,
      hint: 'this is a bug in Waybill; please report it, with the document if you can share it',
    })
  }
  return wants
}

/** A finding with its place; position and words are computed only if it is shown. */
interface Found {
  readonly code: string
  readonly severity: Severity
  readonly span: Span
  readonly finding: Finding
}

type Worded = ReturnType<Report['inWords']>

/** Collects findings and gives them their position and severity. */
class Report {
  private readonly found: Found[] = []
  private readonly suppressed: Suppression[] = []
  readonly document: Document
  readonly base: Path
  readonly value: unknown
  readonly options: CheckOptions

  constructor(document: Document, base: Path, value: unknown, options: CheckOptions) {
    this.document = document
    this.base = base
    this.value = value
    this.options = options
  }

  add(code: string, severity: Severity, finding: Finding, rule?: AnyRule): void {
    const span = finding.span ?? this.spanOf(finding)
    const override = rule?.unconditional ? undefined : this.options.severities?.get(code)
    const reason = finding.allowed ?? (override?.severity === 'off' ? override.reason : undefined)
    if (reason !== undefined) {
      const line = this.document.range(span).start.line + 1
      this.suppressed.push({ code, line, reason })
      return
    }
    const weight = (override?.severity as Severity | undefined) ?? severity
    this.found.push({ code, severity: weight, span, finding })
  }

  result(notRun: readonly string[], further = 0): Result {
    if (this.found.length === 0 && this.suppressed.length === 0) {
      return { accepted: true, diagnostics: [], notRun, suppressed: [] }
    }
    const sorted = this.found.sort(
      (a, b) => a.span.start - b.span.start || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
    )
    const accepted = further === 0 && !sorted.some(d => d.severity === 'error')
    const { most = MOST_DIAGNOSTICS } = this.options
    const shown = sorted.slice(0, most).map(found => this.inWords(found))
    const discreet = this.discretionFor(shown)
    const diagnostics: Diagnostic[] = shown.map(({ path, message, hint, ...rest }) => ({
      ...rest,
      path: formatPointer(path.map(key => (typeof key === 'string' ? discreet(key) : key))),
      message: spelled(discreet(message)),
      ...(hint === undefined ? {} : { hint: spelled(discreet(hint)) }),
    }))
    const suppressed = this.suppressed.map(s => ({ ...s, reason: spelled(discreet(s.reason)) }))
    const last = diagnostics.at(-1)
    const rest = Math.max(0, sorted.length - most) + further
    if (rest > 0) {
      diagnostics.push({
        code: 'document/more-findings',
        severity: accepted ? 'info' : 'error',
        path: '',
        range: last?.range ?? this.document.range({ start: 0, end: 0 }),
        message: `${counted(rest, 'further finding')} not shown`,
        hint: 'fix the first ones and check again',
      })
    }
    return { accepted, diagnostics, notRun, suppressed }
  }

  /** The words of a shown finding, before secrets are masked. */
  private inWords({ code, severity, span, finding: { path, message, hint } }: Found) {
    const range = this.document.range(span)
    return { code, severity, range, path: [...this.base, ...path], message, hint }
  }

  private discretionFor(shown: readonly Worded[]): (text: string) => string {
    const words = shown.flatMap(({ message, hint = '', path }) => [
      message,
      hint,
      ...path.map(String),
    ])
    return discretion(this.document.text, [...words, ...this.suppressed.map(s => s.reason)])
  }

  /** The hint where a YAML comment has swallowed the value, as in `branch: #42`. */
  commentedOut({ path, atKey }: Finding): string | undefined {
    if (atKey) return undefined
    const { text, value, format } = this.document
    const full = [...this.base, ...path]
    if (format === 'json' || typeof full.at(-1) !== 'string') return undefined
    if (partAt(value, full) !== null) return undefined
    const { end } = this.document.locate(full, 'key')
    return /^["']?[ \t]*:[ \t]+#/.test(text.slice(end, end + 80))
      ? "write the value before the '#', or quote it: outside of quotes '#' starts a comment"
      : undefined
  }

  private spanOf({ path, atKey }: Finding): Span {
    const full = this.base.length === 0 ? path : [...this.base, ...path]
    const depth = existing(this.document.value, full)
    if (depth === full.length) return this.document.locate(full, atKey ? 'key' : 'value')
    // A missing part: point at the key of its nearest existing parent, else at the parent's first character.
    const parent = full.slice(0, depth)
    if (typeof parent.at(-1) === 'string') return this.document.locate(parent, 'key')
    const { start, end } = this.document.locate(parent)
    return { start, end: Math.min(start + 1, end) }
  }
}
