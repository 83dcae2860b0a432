import { CONFIG_FILE, type Config } from '../workspace/index.ts'
import { examineCodingAgents } from './doctor/coding-agents.ts'
import { examineDatabase } from './doctor/database.ts'
import { examineDocuments } from './doctor/documents.ts'
import { examineInstallation, examineTools } from './doctor/installation.ts'
import { warning } from './doctor/item.ts'
import { examineKeys } from './doctor/keys.ts'
import { examineLog } from './doctor/log.ts'
import { examineMissions } from './doctor/missions.ts'
import type { DoctorItem, DoctorOutput } from './doctor/output.ts'
import { examinePolicies, examineWitnesses } from './doctor/policies.ts'
import {
  examineAgents,
  examineBaseline,
  examineConfig,
  examineGit,
  examineRecords,
  examineRoot,
  examineState,
} from './doctor/repository.ts'
import { type App, defineOperation } from './operation.ts'

const input = { type: 'object', properties: {} } as const

/** Checks the installation and the repository. */
export default defineOperation({
  name: 'doctor',
  summary: 'Check the installation and this repository, and suggest fixes',
  description:
    'Checks Node, the root, Git, waybill.yaml, the baseline, manifest and lockfile, local state, trust and keys, ' +
    'the log, its time, quarantined agents, policies, witnesses, templates of missions and prompts, webhook ' +
    'secrets, the database with its tenant isolation, the hooks of coding agents, and the documents. Skips what a broken waybill.yaml ' +
    'configures. Writes nothing. Warnings exit with 0; an error means that Waybill cannot work here, and exits ' +
    'with 2.',
  examples: [
    { command: 'waybill doctor', does: 'check everything' },
    { command: 'waybill doctor --quiet', does: 'show only warnings and errors' },
  ],
  actor: 'human',
  effect: 'read',
  input,
  run: (_, app) => examine(app),
  failed: ({ summary }) => summary.errors > 0 && 'configuration',
})

async function examine(app: App): Promise<DoctorOutput> {
  const { item: configuration, config } = await examineConfig(app)
  const state = examineState(app)
  const stateHolds = state.every(({ status }) => status !== 'error')
  const items = [
    ...examineInstallation({
      version: app.version,
      node: process.versions.node,
      executable: process.execPath,
    }),
    ...examineTools(),
    examineRoot(app),
    examineGit(app),
    configuration,
    examineBaseline(app),
    ...state,
    ...(stateHolds ? examineRecords(app) : NO_STATE),
    ...(configuration.status === 'error'
      ? UNKNOWN
      : await examineConfigured(app, config, stateHolds)),
    ...(stateHolds || app.databaseUrl !== undefined ? [await examineDatabase(app)] : []),
    ...(await examineCodingAgents(app)),
    await examineDocuments(app, config),
  ]
  const count = (status: DoctorItem['status']) =>
    items.filter(item => item.status === status).length
  return { summary: { ok: count('ok'), warnings: count('warning'), errors: count('error') }, items }
}

/** With a broken configuration, these checks would report misleading errors. */
const UNKNOWN: readonly DoctorItem[] = [
  warning(
    'not checked',
    `manifest and lock, trust, keys, log, policies, witnesses and missions: ${CONFIG_FILE}, which configures them, has errors`,
    `fix ${CONFIG_FILE} and run waybill doctor again`,
  ),
]

/** Without a usable state folder, each of these checks would fail for that reason. */
const NO_STATE: readonly DoctorItem[] = [
  warning(
    'not checked',
    'records, keys, log and an embedded database: the folder for local state is not usable',
    'fix local state and run waybill doctor again',
  ),
]

async function examineConfigured(
  app: App,
  config: Config,
  stateHolds: boolean,
): Promise<readonly DoctorItem[]> {
  return [
    ...(await examineAgents(app, config)),
    ...(stateHolds
      ? [...(await examineKeys(app, config)), ...(await examineLog(app, config))]
      : []),
    ...examinePolicies(app, config),
    ...examineWitnesses(app, config),
    ...(await examineMissions(app, config)),
  ]
}
