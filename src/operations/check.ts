import type { Facts } from '../contract/index.ts'
import { findContract, hintForContract } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { type Config, loadConfig } from '../workspace/index.ts'
import { excuse, readBaseline, unneededIn, writeBaseline } from './check/baseline.ts'
import { openFacts } from './check/facts.ts'
import { checkSource, type Settings } from './check/file.ts'
import type { CheckOutput } from './check/output.ts'
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
      description: 'Files and folders to check (default: this folder); - reads standard input.',
    },
    contract: {
      type: 'string',
      placeholder: 'name',
      description: 'Take every document as one of this contract instead of recognising it.',
    },
    changed: {
      type: ['string', 'boolean'],
      placeholder: 'ref',
      description: 'Only files that differ from a commit (default: HEAD), and new ones.',
    },
    staged: {
      type: 'boolean',
      description: 'Only what the next commit would hold, as it would hold it.',
    },
    stdinPath: {
      type: 'string',
      path: true,
      placeholder: 'path',
      description: 'The name of what stands on standard input.',
    },
    baseline: {
      type: 'boolean',
      // It excuses what is wrong: that is for somebody to answer for.
      actor: 'human',
      writes: true,
      description:
        'Write today’s errors to .waybill-baseline.json; later runs fail only on new ones.',
    },
    previous: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The session state before this one, for rules that compare the two.',
    },
    session: {
      type: 'string',
      placeholder: 'id',
      description: 'The current session, for rules that compare a context with it.',
    },
    structureOnly: { type: 'boolean', description: 'Leave every rule out and say so.' },
  },
} as const

/** Checks documents and says exactly what is wrong with each. */
export default defineOperation({
  name: 'check',
  summary: 'Check documents against their contracts and say exactly what is wrong',
  description:
    'Every document is recognised by what it declares, read strictly and checked against its contract. Folders are ' +
    'searched for documents, as .gitignore allows. A document with any error is rejected. Where waybill.yaml has missions, their templates are read too, and those at fault are told.',
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

/** The same check, with the source line and the reason that people want to read beside each diagnostic. */
export function checkForPeople(given: TypeOf<typeof input>, app: App) {
  return check(given, app, true)
}

async function check(
  given: TypeOf<typeof input>,
  app: App,
  excerpts: boolean,
): Promise<CheckForPeople> {
  const config = await loadConfig(app.root)
  const job = {
    config,
    settings: { ...(await settingsOf(given, config, app)), excerpts },
    given: await givenFacts(given, config, app),
  }
  const sources = await findSources(given, config, app)
  const templates = await templatesIn(sources, job)
  const { documents, ignored, passedOver } = await checkFiles(sources, job, app)
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
  const told = baseline ? await excuse(found, baseline, structureOnly) : found
  const unneeded = baseline && isWhole ? unneededIn(baseline, told, app.root) : 0
  return {
    ...{ summary: summarise(told), documents: told, ignored, structureOnly },
    ...(excused !== undefined && { baseline: excused }),
    ...(excerpts && passedOver.length > 0 && { passedOver }),
    ...(excerpts && unneeded > 0 && { unneeded }),
    ...(excerpts && templates.sound > 0 && { soundTemplates: templates.sound }),
  }
}

/** Whether nothing of a repository was left out. */
function isOfEverything(given: TypeOf<typeof input>, app: App): boolean {
  const { paths, contract, changed, staged, structureOnly } = given
  const isPart = changed || staged || structureOnly || contract !== undefined
  return !isPart && scopeOf(paths, app).includes(app.root)
}

/** What is said of templates of missions, which are taken from the sources, where the repository has missions. */
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
      throw new WaybillError('usage', `${given.previous} is not the state before`, {
        hint: 'name the file of one session state: it is compared with what is checked',
      })
    if (!checked?.report.accepted)
      throw new WaybillError(
        'usage',
        `the previous document ${given.previous} is itself at fault`,
        { hint: `see waybill check ${given.previous}` },
      )
    facts.previous = { value: checked.value }
  }
  return facts
}
