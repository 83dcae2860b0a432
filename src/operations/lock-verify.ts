import { counted, type Fact, type Facts, quote } from '../contract/index.ts'
import { agentsOf, type Manifest } from '../contracts/index.ts'
import type { Json } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { openPromptFiles, type Quarantined, quarantineIn } from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import type { ReportForPeople } from './check/report.ts'
import {
  type Judging,
  judgeLock,
  judgeManifest,
  type Opened,
  openGoverned,
  readPrompts,
  withMore,
} from './lock/opened.ts'
import { findPlaces, isThere, PLACES } from './lock/places.ts'
import type { SoundPart } from './lock/sound-part.ts'
import { verified } from './lock-verify/by-agent.ts'
import type { LockFault, LockVerifyOutput } from './lock-verify/output.ts'
import { strayFiles } from './lock-verify/strays.ts'
import { storageOf } from './log/storage.ts'
import { type App, defineOperation } from './operation.ts'

const input = { type: 'object', properties: PLACES } as const

/** Verifies the prompts against the lock. */
export default defineOperation({
  name: 'lock verify',
  summary: 'Verify the prompts against the lock',
  description:
    'Hashes every prompt and checks manifest and lock by all their rules: missing, changed, unlisted and differing ' +
    'prompts, compositions, ids, versions and totals. Names agents in quarantine. Checks the valid parts of an ' +
    'invalid manifest or lock; without a valid manifest, still verifies the entries of the lock. Reports unlisted ' +
    'files next to the prompts with the same extension (lock/stray-file), which do not change the result. Writes ' +
    'nothing. Exits with 1 when a prompt, the manifest or the lock has an error, or an agent is in quarantine.',
  examples: [
    { command: 'waybill lock verify', does: 'verify all prompts' },
    {
      command: 'waybill lock verify --format json',
      does: 'verify them, with counts as JSON',
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
      hint: 'run waybill lock to create it, or name another one with --lock',
    })
  }
  const manifest = await openGoverned('prompt-manifest', places.manifest, app)
  const lock = await openGoverned('prompt-lock', places.lock, app)
  const prompts = openPromptFiles(app.root)
  readPrompts(manifest, prompts, app)
  const files: Fact = { value: prompts }
  const judging = { app, config, excerpts: false }
  const { report: ofManifest, part } = await judgeManifest(manifest, { files }, judging)
  const ofLock = await judgeLock(lock, { files, manifest: asFact(manifest) }, judging)
  const hashed = manifest.sound
    ? ofLock
    : await judgeWithout(ofLock, lock, { files }, judging, { manifest, part })
  const kept = await quarantineIn(app.root, config, storageOf(app, config), app.stateHome)
  const agents = manifest.sound ? agentsIn(manifest.value) : undefined
  const withFiles = agents ?? (part?.knowsFiles ? agentsIn(part.value) : undefined)
  return verified({
    manifest: { ...manifest, report: ofManifest },
    lock: { ...lock, report: hashed, isRead: lock.document.faults.length === 0 },
    agents,
    quarantined: kept,
    faultOf: (id, why) => faultOf(lock, id, why),
    strays: withFiles ? strayFiles(withFiles, manifest.path, prompts, app.root) : [],
  })
}

const agentsIn = (value: Json) => agentsOf(value as unknown as Manifest)

const HASHES = 'prompt-lock/hashes-match-files'

/** Judges the lock without a valid manifest: by its valid part, or by hashing the entries of the lock. */
async function judgeWithout(
  report: ReportForPeople,
  lock: Opened,
  given: Facts,
  judging: Judging,
  { manifest: { path }, part }: { readonly manifest: Opened; readonly part: SoundPart | undefined },
): Promise<ReportForPeople> {
  const value = part?.value ?? { domains: {}, archetypes: {} }
  const more = await judgeLock(lock, { ...given, manifest: { value: { path, value } } }, judging)
  return withMore(report, more, ({ code, path: at }) =>
    part ? !part.isPutInLock(at) || code === HASHES : code === HASHES,
  )
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
    hint: `have a person compare its prompt with the approved one: waybill lock reconcile ${id}`,
  }
}

function asFact({ path, value, sound, faulty }: Opened): Fact {
  if (sound) return { value: { path, value } }
  return { missing: `${path} has ${counted(faulty.length, 'error')}` }
}
