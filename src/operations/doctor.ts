import { examineDatabase } from './doctor/database.ts'
import { examineDocuments } from './doctor/documents.ts'
import { examineInstallation, examineTools } from './doctor/installation.ts'
import { examineKeys } from './doctor/keys.ts'
import { examineLog } from './doctor/log.ts'
import { examineMissions } from './doctor/missions.ts'
import type { DoctorItem, DoctorOutput } from './doctor/output.ts'
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
    'Node, the root, Git, waybill.yaml, the baseline, manifest and lockfile, local state, trust and keys, where the log is kept, agents in quarantine, templates of missions and prompts, the database and what keeps tenants apart in it, and the documents ' +
    'that there are. Warnings do not fail; an error means that Waybill cannot work here and exits with 2.',
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
    ...(await examineAgents(app, config)),
    ...examineState(app),
    ...examineRecords(app),
    ...(await examineKeys(app, config)),
    ...(await examineLog(app, config)),
    ...(await examineMissions(app, config)),
    await examineDatabase(app),
    await examineDocuments(app, config),
  ]
  const count = (status: DoctorItem['status']) =>
    items.filter(item => item.status === status).length
  return { summary: { ok: count('ok'), warnings: count('warning'), errors: count('error') }, items }
}
