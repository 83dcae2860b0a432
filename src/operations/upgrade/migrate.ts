import {
  type AppliedStep,
  as,
  type Checked,
  type Contract,
  checkDocument,
  type Fields,
  findUpgrade,
  type LoadedContract,
  majorVersion,
  newestUpgrade,
  type Recognised,
  recognise,
  runUpgrade,
  type UpgradeStep,
  versionOf,
} from '../../contract/index.ts'
import { titlesIn } from '../../contracts/index.ts'
import { type Document, decode, formatOf, MOST_BYTES, readDocuments } from '../../document/index.ts'
import { type Config, loadConfig, readOwnFile, reasonOf, sha256 } from '../../workspace/index.ts'
import type { FactSources } from '../check/fact-sources.ts'
import { gatherFacts, openFacts } from '../check/facts.ts'
import type { ReportedDiagnostic } from '../check/output.ts'
import { toReport } from '../check/report.ts'
import type { Source } from '../check/source.ts'
import type { App } from '../operation.ts'
import type { UpgradeCatalogue } from './catalogue.ts'
import { type DocumentWish, documentFromNote } from './note.ts'
import type { UpgradedDocument } from './output.ts'
import { rewrite } from './rewrite.ts'

interface Opened {
  readonly source: Source
  readonly text: string
  readonly mark: string
  readonly document: Document
  readonly recognised: Recognised
}

/** Migrates one document in memory; writes nothing. */
export async function migrate(
  source: Source,
  to: string | undefined,
  catalogue: UpgradeCatalogue,
  app: App,
): Promise<UpgradedDocument> {
  const bytes = bytesOf(source)
  const nothing = { ...UNKNOWN, path: source.path }
  if (typeof bytes === 'string') return refused(nothing, `cannot read the file: ${bytes}`)
  const digest = { ...nothing, sha256: sha256(bytes) }
  const opened = await open(source, bytes, catalogue, await loadConfig(app.root))
  if (typeof opened === 'string') return refused(digest, opened)
  const { contract, value } = opened.recognised
  const from = versionOf(contract, value)
  const known = { ...digest, contract: contract.name, from: from ?? null }
  if (from === undefined) return refused(known, 'it states no version')
  const wanted = to ?? newestUpgrade(catalogue.steps, contract.name, from)
  const target = { ...known, to: wanted }
  const steps = findUpgrade(catalogue.steps, contract.name, from, wanted)
  if (!steps) return refused(target, noWay(catalogue.steps, contract.name, from, wanted))
  if (steps.length === 0) return { ...target, outcome: 'current' }
  return takeThrough(opened, from, steps, target, { catalogue, app })
}

/** Makes a handoff document of a handoff note in memory; writes nothing. */
export async function promote(
  source: Source,
  wish: DocumentWish,
  catalogue: UpgradeCatalogue,
  app: App,
): Promise<UpgradedDocument> {
  const bytes = bytesOf(source)
  const nothing = { ...UNKNOWN, path: source.path }
  if (typeof bytes === 'string') return refused(nothing, `cannot read the file: ${bytes}`)
  const digest = { ...nothing, sha256: sha256(bytes) }
  const config = await loadConfig(app.root)
  const opened = await open(source, bytes, catalogue, config)
  if (typeof opened === 'string') return refused(digest, opened)
  const { contract, value } = opened.recognised
  const from = versionOf(contract, value) ?? null
  const known = { ...digest, contract: contract.name, from, to: TARGET }
  const target = contractOf(catalogue, 'handoff-document', '1.0')
  if (contract.name !== 'handoff-note' || !target)
    return refused(known, 'only a handoff note becomes a handoff document')
  const around = { catalogue, facts: openFacts(app, config) }
  const before = await checkText(opened.text, contract, opened, around)
  if (!before.accepted)
    return { ...refused(known, 'it is not a valid handoff note'), diagnostics: before.diagnostics }
  const text = documentFromNote(source, opened.document, wish, config, app)
  const after = await checkText(text, target, opened, around)
  if (!after.accepted)
    return {
      ...refused(known, 'it gives an invalid handoff document'),
      diagnostics: after.diagnostics,
    }
  return { ...known, outcome: 'upgradable', text: opened.mark + text }
}

const TARGET = 'handoff-document 1.0'

const UNKNOWN: UpgradedDocument = {
  path: '',
  contract: null,
  from: null,
  to: null,
  outcome: 'refused',
  reason: null,
  steps: [],
  diagnostics: [],
  sha256: null,
  text: null,
  output: null,
}

function refused(known: UpgradedDocument, reason: string): UpgradedDocument {
  return { ...known, outcome: 'refused', reason }
}

function noWay(steps: readonly UpgradeStep[], contract: string, from: string, to: string): string {
  const own = steps.filter(step => step.contract === contract)
  const known = own.map(step => `${step.from} → ${step.to}`).join(', ')
  const ways = own.length > 0 ? `only ${known} exist` : `${contract} has none`
  return `no migration from version ${from} to ${to}: ${ways}`
}

/** Returns the bytes of a file, or an error as text. */
function bytesOf({ file }: Source): Uint8Array | string {
  try {
    return readOwnFile(file, MOST_BYTES) ?? 'it does not exist'
  } catch (cause) {
    return reasonOf(cause)
  }
}

/** Opens the document of a file, or returns an error as text. */
async function open(
  source: Source,
  bytes: Uint8Array,
  { contracts }: UpgradeCatalogue,
  { headings }: Config,
): Promise<Opened | string> {
  const { text, faults } = decode(bytes)
  const mark = Buffer.from(bytes.subarray(0, 3)).toString() === '\ufeff' ? '\ufeff' : ''
  const format = formatOf(source.path, text)
  const { documents } = await readDocuments(text, format, faults)
  const [document] = documents
  if (!document) return 'it contains no document'
  const [fault] = document.faults
  if (fault) return `cannot parse it: ${fault.message}`
  const fitting = contracts.filter(c => c.formats.includes(format))
  const titles = titlesIn(document.markdown, headings)
  const recognised = recognise(document.value, source.path, fitting, 'named', titles)
  if (!recognised) return 'it has no known contract'
  return { source, text, mark, document, recognised }
}

async function takeThrough(
  opened: Opened,
  from: string,
  steps: readonly UpgradeStep[],
  target: UpgradedDocument,
  { catalogue, app }: { catalogue: UpgradeCatalogue; app: App },
): Promise<UpgradedDocument> {
  const { document, recognised, text, mark } = opened
  const { name } = recognised.contract
  const facts = openFacts(app, await loadConfig(app.root))
  const texts = new Map<unknown, string | undefined>([[recognised.value, text]])
  const outcome = await runUpgrade(recognised.value as Fields, from, steps, {
    states: (version, value) => {
      const contract = contractOf(catalogue, name, version)
      return contract?.states ? versionOf(contract, value) === version : contract !== undefined
    },
    check: async (version, value) => {
      const contract = contractOf(catalogue, name, version)
      const written = texts.get(value) ?? rewrite(document, text, recognised.base, value)
      texts.set(value, written)
      if (!contract)
        return uncheckable(`this release does not support version ${version} of ${name}`)
      if (written === undefined)
        return uncheckable('only the frontmatter of Markdown can be upgraded')
      return checkText(written, contract, opened, { catalogue, facts })
    },
  })
  const known = { ...target, steps: outcome.steps.map(plain) }
  if (!outcome.upgraded)
    return { ...refused(known, outcome.reason), diagnostics: outcome.diagnostics }
  return { ...known, outcome: 'upgradable', text: mark + (texts.get(outcome.value) ?? text) }
}

function plain(step: AppliedStep): UpgradedDocument['steps'][number] {
  return { ...step, moved: step.moved.map(m => ({ ...m })), lost: step.lost.map(l => ({ ...l })) }
}

function contractOf(
  { contracts }: UpgradeCatalogue,
  name: string,
  version: string,
): Contract | undefined {
  return contracts.find(c => c.name === name && c.version === `v${majorVersion(version)}`)
}

function uncheckable(reason: string): Checked<ReportedDiagnostic> {
  return { accepted: false, diagnostics: [], reason }
}

/** Checks a text against the contract of its version. */
async function checkText(
  text: string,
  contract: Contract,
  { source, document: { format } }: Opened,
  { catalogue, facts }: { catalogue: UpgradeCatalogue; facts: FactSources },
): Promise<Checked<ReportedDiagnostic>> {
  const [document] = (await readDocuments(text, format)).documents
  if (!document) return uncheckable('it contains no document')
  const loaded = await catalogue.load(contract)
  const recognised = as(contract, document.value)
  const subject = { source, contract, value: recognised.value }
  const result = checkDocument(document, recognised, loaded, {
    now: facts.now,
    path: source.path,
    facts: await gatherFacts(factsFor(loaded), subject, facts),
  })
  return toReport(source.path, contract, result)
}

function factsFor({ rules }: LoadedContract): string[] {
  const all = Object.values(rules) as { needs?: readonly string[]; uses?: readonly string[] }[]
  return [...new Set(all.flatMap(({ needs = [], uses = [] }) => [...needs, ...uses]))]
}
