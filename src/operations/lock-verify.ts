import { counted, type Fact } from '../contract/index.ts'
import { agentsOf, type Manifest } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { openPromptFiles } from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import { judge, type Opened, openGoverned, readPrompts } from './lock/opened.ts'
import { findPlaces, isThere, PLACES } from './lock/places.ts'
import { verified } from './lock-verify/by-agent.ts'
import type { LockVerifyOutput } from './lock-verify/output.ts'
import { type App, defineOperation } from './operation.ts'

const input = { type: 'object', properties: PLACES } as const

/** Finds out whether the prompts are those that were locked. */
export default defineOperation({
  name: 'lock verify',
  summary: 'Verify that the prompts are those that were locked',
  description:
    'Hashes every prompt anew and checks manifest and lock by all their rules: prompts that are missing, changed, not ' +
    'listed or entered as something else, compositions, ids, versions and totals. All that is wrong is told at once, ' +
    'agent by agent.',
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
  return verified({
    manifest: { ...manifest, report: ofManifest },
    lock: { ...lock, report: ofLock },
    agents: manifest.sound ? agentsOf(manifest.value as unknown as Manifest) : undefined,
  })
}

function asFact({ path, value, sound, errors }: Opened): Fact {
  if (sound) return { value: { path, value } }
  return { missing: `${path} is itself faulty (${counted(errors, 'error')})` }
}
