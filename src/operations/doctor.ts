import { CONFIG_FILE, type Config } from '../workspace/index.ts'
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

/** Looks at the installation and the repository, and says what to do about what is not well. */
export default defineOperation({
  name: 'doctor',
  summary: 'Look at the installation and this repository, and say what to do',
  description:
    'Node, the root, Git, waybill.yaml, the baseline, manifest and lockfile, local state, trust and keys, where the log is kept, whether its time is ahead of the clock, agents in quarantine, policies and witnesses, templates of missions and prompts, secrets of webhooks, the database and what keeps tenants apart in it, and the documents ' +
    'that there are; while waybill.yaml is at fault, not what it says. Warnings do not fail; an error means that Waybill cannot work here and exits with 2.',
  examples: [
    { command: 'waybill doctor', does: 'look at everything' },
    { command: 'waybill doctor --quiet', does: 'show only what is not well' },
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
    await examineDocuments(app, config),
  ]
  const count = (status: DoctorItem['status']) =>
    items.filter(item => item.status === status).length
  return { summary: { ok: count('ok'), warnings: count('warning'), errors: count('error') }, items }
}

/** By a configuration that is at fault, keys that are listed would seem to be nobody's, and a whole log tampered with. */
const UNKNOWN: readonly DoctorItem[] = [
  warning(
    'not looked at',
    `manifest and lock, trust, keys, log, policies, witnesses and missions: ${CONFIG_FILE}, which says what they are, is at fault`,
    `mend ${CONFIG_FILE} and run waybill doctor again`,
  ),
]

/** Where local state cannot stand, each of these would say so once more. */
const NO_STATE: readonly DoctorItem[] = [
  warning(
    'not looked at',
    'records, keys, log and an embedded database: there is no folder that they could be in',
    'mend local state and run waybill doctor again',
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
