import {
  as,
  type Contract,
  checkDocument,
  headerOf,
  type LoadedContract,
  type Override,
  type Recognised,
  recognise,
  refuse,
  shellWord,
  unrecognised,
} from '../../contract/index.ts'
import {
  contractsIn,
  findContract,
  loadContract,
  partNear,
  partOf,
  titlesIn,
} from '../../contracts/index.ts'
import { type Document, findSecrets, formatOf, readDocuments } from '../../document/index.ts'
import { configuredName } from './agent-facts.ts'
import type { FactSources } from './fact-sources.ts'
import { gatherFacts } from './facts.ts'
import { type PassedOver, whyPassedOver } from './passed-over.ts'
import { type CheckedDocument, type FileReport, type ReportForPeople, toReport } from './report.ts'
import { readSource, type Source } from './source.ts'

/** How files are checked; plain data, so that it can be sent to another thread. */
export interface Settings {
  readonly now: number
  readonly root: string
  /** The contract of every document. */
  readonly contract?: string
  readonly structureOnly: boolean
  /** Whether diagnostics include their source line. */
  readonly excerpts: boolean
  readonly severities: ReadonlyMap<string, Override>
  /** Maximum number of diagnostics per document; 1000 by default. */
  readonly most?: number
}

/** Checks every document in some files. */
export async function checkBatch(
  sources: readonly Source[],
  settings: Settings,
  facts: FactSources,
): Promise<FileReport> {
  const reports: ReportForPeople[] = []
  const passedOver: PassedOver[] = []
  let ignored = 0
  for (const source of sources) {
    const checked = await checkSource(source, settings, facts)
    for (const { report } of checked.documents) reports.push(report)
    if (checked.passedOver) passedOver.push(checked.passedOver)
    ignored += checked.ignored
  }
  return { documents: reports, ignored, passedOver }
}

/** Checks every document in one file, and returns their values too. */
export async function checkSource(
  source: Source,
  settings: Settings,
  facts: FactSources,
): Promise<{ documents: CheckedDocument[]; ignored: number; passedOver?: PassedOver }> {
  const read = readSource(source)
  if (typeof read === 'string') return { documents: [unreadable(source, read)], ignored: 0 }
  const wanted = settings.contract === undefined ? undefined : findContract(settings.contract)
  const format = formatOf(source.path, read.text, wanted?.formats)
  const { documents, ignored } = await readDocuments(read.text, format, read.faults)
  const excerptOf = settings.excerpts ? excerpts(read.text) : undefined
  const checked: CheckedDocument[] = []
  for (const document of documents) {
    const recognised = recogniseIn(source, document, wanted, facts)
    if (recognised)
      checked.push(
        await checkRecognised(source, document, recognised, { settings, facts, excerptOf }),
      )
  }
  const [whole] = documents
  if (checked.length > 0 || !whole) return { documents: checked, ignored }
  if (source.named) return { documents: [nothingIn(source, whole, wanted, excerptOf)], ignored }
  const passedOver = whyPassedOver(source.path, whole, resembles(source, whole, wanted, facts))
  return { documents: [], ignored, ...(passedOver && { passedOver }) }
}

/** Returns the contract that an unrecognised file, or the first entry of a list in it, looks like. */
function resembles(
  source: Source,
  whole: Document,
  wanted: Contract | undefined,
  facts: FactSources,
): Contract | undefined {
  const value = Array.isArray(whole.value) ? whole.value[0] : whole.value
  const named = { ...source, named: true }
  return recogniseIn(named, { ...whole, value }, wanted, facts)?.contract
}

function recogniseIn(
  source: Source,
  document: Document,
  wanted: Contract | undefined,
  { config }: FactSources,
): Recognised | undefined {
  const candidates = contractsIn(document.format)
  if (wanted) return candidates.includes(wanted) ? as(wanted, document.value) : undefined
  // A file name says nothing about the blocks in it.
  if (document.line !== undefined) return recognise(document.value, '', candidates, 'walk')
  const configured = configuredName(source.path, config)
  const isSure = source.named || configured !== undefined
  const certainty = isSure ? 'named' : document.faults.length > 0 ? 'broken' : 'walk'
  const titles = titlesIn(document.markdown, config.headings)
  return recognise(document.value, configured ?? source.path, candidates, certainty, titles)
}

type Excerpt = ((line: number) => string) | undefined

/** Checks a recognised document with the facts that its rules need. */
export async function checkRecognised(
  source: Source,
  document: Document,
  recognised: Recognised,
  { settings, facts, excerptOf }: { settings: Settings; facts: FactSources; excerptOf: Excerpt },
): Promise<CheckedDocument> {
  const { contract, value } = recognised
  const loaded = await loadContract(contract)
  const isReadable = document.faults.length === 0 && !settings.structureOnly
  const result = checkDocument(document, recognised, loaded, {
    now: settings.now,
    path: source.path,
    structureOnly: settings.structureOnly,
    severities: settings.severities,
    ...(settings.most !== undefined && { most: settings.most }),
    facts: isReadable
      ? await gatherFacts(neededBy(loaded), { source, contract, value }, facts)
      : {},
  })
  const path = document.line === undefined ? source.path : `${source.path}#L${document.line}`
  const people = excerptOf && { excerptOf, whyOf: (code: string) => whyOf(loaded, code) }
  return {
    report: toReport(path, contract, result, people),
    value,
    header: headerOf(contract, value),
  }
}

function whyOf({ rules, contract }: LoadedContract, code: string): string | undefined {
  const name = code.startsWith(`${contract.name}/`) ? code.slice(contract.name.length + 1) : ''
  return Object.hasOwn(rules, name)
    ? (rules as Record<string, { why: string }>)[name]?.why
    : undefined
}

const needed = new WeakMap<LoadedContract, readonly string[]>()

function neededBy(loaded: LoadedContract): readonly string[] {
  const known = needed.get(loaded)
  if (known) return known
  const rules = Object.values(loaded.rules) as {
    needs?: readonly string[]
    uses?: readonly string[]
  }[]
  const names = [...new Set(rules.flatMap(rule => [...(rule.needs ?? []), ...(rule.uses ?? [])]))]
  needed.set(loaded, names)
  return names
}

function unreadable(source: Source, reason: string): CheckedDocument {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
  const result = {
    accepted: false,
    diagnostics: [
      {
        code: 'document/unreadable',
        severity: 'error',
        path: '',
        range,
        message: `the file cannot be read: ${reason}`,
        hint: 'make it readable, or exclude it',
      },
    ],
    notRun: [],
    suppressed: [],
  } as const
  return { report: toReport(source.path, undefined, result), value: undefined, header: {} }
}

function nothingIn(
  source: Source,
  document: Document,
  wanted: Contract | undefined,
  excerptOf: Excerpt,
): CheckedDocument {
  const finding = unrecognised(document, wanted)
  const hint = wanted ? undefined : adoptHint(source, document)
  const result = refuse(document, 'document/unrecognised', { ...finding, ...(hint && { hint }) })
  const people = excerptOf && { excerptOf, whyOf: () => undefined }
  return {
    report: toReport(source.path, undefined, result, people),
    value: document.value,
    header: {},
  }
}

/** The hint for a text whose headings suggest a handoff. */
function adoptHint({ path }: Source, { markdown }: Document): string | undefined {
  const parts = titlesIn(markdown).map(title => partOf(title) ?? partNear(title))
  return parts.includes('state') || parts.includes('next')
    ? `to make a handoff note of it, run waybill adopt ${shellWord(path)}`
    : undefined
}

/** Returns a function that gives a source line by index, with secrets masked; masks lazily. */
export function excerpts(text: string): (line: number) => string {
  let lines: string[] | undefined
  return line => {
    lines ??= strikeOut(text).split(/\r\n|\r|\n/)
    return lines[line] ?? ''
  }
}

function strikeOut(text: string): string {
  let clean = ''
  let from = 0
  for (const { span } of findSecrets(text)) {
    clean +=
      text.slice(from, span.start) + text.slice(span.start, span.end).replace(/[^\r\n]/g, '*')
    from = span.end
  }
  return clean + text.slice(from)
}
