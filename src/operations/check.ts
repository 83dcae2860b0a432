import type { Facts } from '../contract/index.ts'
import { findContract, hintForContract } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { type Config, type GitListing, loadConfig } from '../workspace/index.ts'
import { excuse, readBaseline, unneededIn, writeBaseline } from './check/baseline.ts'
import { openFacts } from './check/facts.ts'
import { checkSource, type Settings } from './check/file.ts'
import { mustKnowHeadings } from './check/headings.ts'
import type { CheckOutput } from './check/output.ts'
import { whyNothing, withNextCommand } from './check/passed-over.ts'
import { checkFiles, type Job } from './check/pool.ts'
import { type CheckForPeople, summarise } from './check/report.ts'
import { severitiesIn } from './check/severities.ts'
import type { Source } from './check/source.ts'
import { findSources, scopeOf } from './check/sources.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    paths: {
      type: 'array',
      items: { type: 'string' },
      positional: true,
      path: true,
      placeholder: 'path',
      inline: true,
      description: 'Files and folders to check (default: this folder); - reads standard input.',
    },
    contract: {
      type: 'string',
      placeholder: 'name',
      description: 'Check every document against this contract instead of detecting it.',
    },
    changed: {
      type: ['string', 'boolean'],
      placeholder: 'ref',
      description: 'Check only new files and those that differ from a commit (default: HEAD).',
    },
    staged: {
      type: 'boolean',
      description: 'Check only staged files, with their staged content.',
    },
    stdinPath: {
      type: 'string',
      path: true,
      placeholder: 'path',
      description: 'The file name to assume for standard input.',
    },
    baseline: {
      type: 'boolean',
      // Excusing errors is a decision for a person.
      actor: 'human',
      writes: true,
      description:
        'Write the current errors to .waybill-baseline.json; later runs fail only on new ones.',
    },
    previous: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The previous session state, for rules that compare the two.',
    },
    session: {
      type: 'string',
      placeholder: 'id',
      description: 'The current session, for rules that compare contexts with it.',
    },
    structureOnly: { type: 'boolean', description: 'Check structure only and skip all rules.' },
  },
} as const

/** Checks documents and reports every problem. */
export default defineOperation({
  name: 'check',
  summary: 'Check documents against their contracts',
  description:
    'Detects the contract of each document, parses it strictly and reports every violation. Searches folders as ' +
    '.gitignore allows, and checks mission templates if waybill.yaml has missions. Writes nothing without ' +
    '--baseline. Exits with 1 when a document has an error.',
  examples: [
    { command: 'waybill check', does: 'check everything below this folder' },
    {
      command: 'waybill check handoffs/2026-02-11T14-30-00Z-schema.md',
      does: 'check one document',
    },
    { command: 'waybill check --changed main --format github', does: 'annotate a pull request' },
    {
      command: 'git show :a.json | waybill check - --stdin-path a.json',
      does: 'check standard input',
    },
  ],
  actor: 'any',
  effect: 'read',
  rootOf: 'documents',
  input,
  run: (given, app): Promise<CheckOutput> => check(given, app, false),
  failed: output => output.summary.rejected > 0,
})

/** Runs the same check and adds the source line and the reason of each diagnostic, for text output. */
export function checkForPeople(given: TypeOf<typeof input>, app: App) {
  return check(given, app, true)
}

async function check(
  given: TypeOf<typeof input>,
  app: App,
  excerpts: boolean,
): Promise<CheckForPeople> {
  const config = await loadConfig(app.root)
  mustKnowHeadings(config)
  const listings: GitListing[] = []
  const job = {
    config,
    listings,
    settings: { ...(await settingsOf(given, config, app)), excerpts },
    given: await givenFacts(given, config, app),
  }
  const sources = await findSources(given, config, app, listings)
  const searched = sources.length
  const templates = await templatesIn(sources, job)
  const { documents, ignored, passedOver } = await checkFiles(sources, job, app)
  const passed = withNextCommand(passedOver, app)
  const found = [...templates.reports, ...documents]
  const structureOnly = given.structureOnly ?? false
  const isWhole = isOfEverything(given, app)
  const excused = given.baseline
    ? await writeBaseline(app, found, {
        structureOnly,
        isWhole,
        contract: job.settings.contract && findContract(job.settings.contract)?.name,
      })
    : undefined
  const baseline = readBaseline(app)
  const reports = baseline ? await excuse(found, baseline, structureOnly) : found
  const unneeded = baseline && isWhole ? unneededIn(baseline, reports, app.root) : 0
  return {
    ...{ summary: summarise(reports), documents: reports, ignored, structureOnly },
    ...(excused !== undefined && { baseline: excused }),
    ...(passed.length > 0 && { passedOver: passed }),
    ...(reports.length + templates.sound === 0 && {
      nothing: whyNothing(searched, Boolean(given.changed || given.staged), passed),
    }),
    ...(excerpts && unneeded > 0 && { unneeded }),
    ...(excerpts && templates.sound > 0 && { soundTemplates: templates.sound }),
  }
}

/** Tells whether a check covers the whole repository with all rules. */
function isOfEverything(given: TypeOf<typeof input>, app: App): boolean {
  const { paths, contract, changed, staged, structureOnly } = given
  const isPart = changed || staged || structureOnly || contract !== undefined
  return !isPart && scopeOf(paths, app).includes(app.root)
}

/** Checks mission templates, and removes them from the sources. */
async function templatesIn(sources: Source[], { config, settings }: Job) {
  if (!config.missions || settings.contract !== undefined) return { reports: [], sound: 0 }
  const { takeTemplates } = await import('./check/templates.ts')
  return takeTemplates(sources, config.missions, settings)
}

async function settingsOf(
  given: TypeOf<typeof input>,
  config: Config,
  app: App,
): Promise<Omit<Settings, 'excerpts'>> {
  const contract = given.contract === undefined ? undefined : mustFind(given.contract)
  return {
    now: app.now,
    root: app.root,
    structureOnly: given.structureOnly ?? false,
    severities: await severitiesIn(config),
    ...(contract && { contract: contract.id }),
  }
}

function mustFind(name: string) {
  const contract = findContract(name)
  if (contract) return contract
  throw new WaybillError('usage', `there is no contract '${name}'`, {
    hint: hintForContract(name),
  })
}

async function givenFacts(given: TypeOf<typeof input>, config: Config, app: App): Promise<Facts> {
  const facts: Record<string, { value: unknown }> = {}
  if (given.session !== undefined) facts.session = { value: given.session }
  if (given.previous !== undefined) {
    const [source, ...more] = await findSources({ paths: [given.previous] }, config, app)
    const settings = {
      now: app.now,
      root: app.root,
      structureOnly: true,
      excerpts: false,
      severities: new Map(),
    }
    const [checked, ...others] = source
      ? (await checkSource(source, settings, openFacts(app, config))).documents
      : []
    const isOne = more.length === 0 && others.length === 0
    if (checked && (!isOne || checked.report.contract !== 'session-state'))
      throw new WaybillError('usage', `${given.previous} is not a session state`, {
        hint: 'name a file with one session state',
      })
    if (!checked?.report.accepted)
      throw new WaybillError('usage', `the previous document ${given.previous} has errors`, {
        hint: `run waybill check ${given.previous}`,
      })
    facts.previous = { value: checked.value }
  }
  return facts
}
