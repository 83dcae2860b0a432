import { counted, type Fact, type Facts, quote } from '../contract/index.ts'
import { agentsOf, type Manifest } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { openPromptFiles, type Quarantined, quarantineIn } from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import type { DocumentReport } from './check/output.ts'
import { type Judging, judge, type Opened, openGoverned, readPrompts } from './lock/opened.ts'
import { findPlaces, isThere, PLACES } from './lock/places.ts'
import { verified } from './lock-verify/by-agent.ts'
import type { LockFault, LockVerifyOutput } from './lock-verify/output.ts'
import { strayFiles } from './lock-verify/strays.ts'
import { storageOf } from './log/storage.ts'
import { type App, defineOperation } from './operation.ts'

const input = { type: 'object', properties: PLACES } as const

/** Finds out whether the prompts are those that were locked. */
export default defineOperation({
  name: 'lock verify',
  summary: 'Verify that the prompts are those that were locked',
  description:
    'Hashes every prompt anew and checks manifest and lock by all their rules: prompts that are missing, changed, not ' +
    'listed or entered as something else, compositions, ids, versions and totals; and names the agents in quarantine. All ' +
    'that is wrong is told at once, agent by agent. A manifest at fault keeps no prompt from being hashed: the entries of ' +
    'the lock are verified then. Files beside the prompts, in the same folders and with the same ending, that are the ' +
    'prompt of no agent are pointed at (lock/stray-file), and change nothing about the result.',
  examples: [
    { command: 'waybill lock verify', does: 'verify all prompts' },
    {
      command: 'waybill lock verify --format json',
      does: 'the same for a program, with counts',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => verify(given, app),
  failed: ({ accepted }) => !accepted,
})

async function verify(
  given: { readonly manifest?: string | undefined; readonly lock?: string | undefined },
  app: App,
): Promise<LockVerifyOutput> {
  const config = await loadConfig(app.root)
  const places = findPlaces(given, config, app)
  if (!isThere(places.lock, app)) {
    throw new WaybillError('not-found', `the lock ${places.lock} does not exist`, {
      hint: 'waybill lock writes it; or name another one with --lock',
    })
  }
  const manifest = await openGoverned('prompt-manifest', places.manifest, app)
  const lock = await openGoverned('prompt-lock', places.lock, app)
  const prompts = openPromptFiles(app.root)
  readPrompts(manifest, prompts, app)
  const files: Fact = { value: prompts }
  const judging = { app, config, excerpts: false }
  const ofManifest = await judge(manifest, { files }, judging)
  const ofLock = await judge(lock, { files, manifest: asFact(manifest) }, judging)
  const hashed = manifest.sound
    ? ofLock
    : await hashedAlone(ofLock, lock, { files }, judging, manifest)
  const kept = await quarantineIn(app.root, config, storageOf(app, config), app.stateHome)
  const agents = manifest.sound ? agentsOf(manifest.value as unknown as Manifest) : undefined
  return verified({
    manifest: { ...manifest, report: ofManifest },
    lock: { ...lock, report: hashed },
    agents,
    quarantined: kept,
    faultOf: (id, why) => faultOf(lock, id, why),
    strays: agents ? strayFiles(agents, manifest.path, prompts, app.root) : [],
  })
}

const HASHES = 'prompt-lock/hashes-match-files'

/** The hashes need of the manifest only where it stands: beside one that is at fault they are verified as well. */
async function hashedAlone(
  report: DocumentReport,
  lock: Opened,
  given: Facts,
  judging: Judging,
  { path }: Opened,
): Promise<DocumentReport> {
  const nobody = { value: { path, value: { domains: {}, archetypes: {} } } }
  const alone = await judge(lock, { ...given, manifest: nobody }, judging)
  const found = alone.diagnostics.filter(({ code }) => code === HASHES)
  return { ...report, diagnostics: [...report.diagnostics, ...found], accepted: false }
}

function faultOf({ path, document }: Opened, id: string, why: Quarantined): LockFault {
  const { start, end } = document.range(document.locate(['prompts', id], 'key'))
  return {
    document: path,
    code: 'lock/quarantined',
    severity: 'error',
    path: `/prompts/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    line: start.line + 1,
    column: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
    message: `${quote(id)} is in quarantine since ${why.since}: ${why.reason}`,
    hint: `let a person compare its prompt with the approved one: waybill lock reconcile ${id}`,
  }
}

function asFact({ path, value, sound, errors }: Opened): Fact {
  if (sound) return { value: { path, value } }
  return { missing: `${path} is itself faulty (${counted(errors, 'error')})` }
}
