import { nearest, quote } from '../contract/index.ts'
import { agentsOf, otherEnds, readPrompt } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import {
  type Gateway,
  type GovernanceFiles,
  openGovernanceFiles,
  ownHashes,
  quarantineSeen,
  type Reconciliation,
  reconciliationText,
  recordReconciliation,
  requirePerson,
} from '../governance/index.ts'
import type { SeenLast } from '../ledger/index.ts'
import { type Config, loadConfig } from '../workspace/index.ts'
import { withGateway } from './gateway/open.ts'
import { statedIn, tellUncommitted } from './gateway/stated.ts'
import { type PreparedLock, prepareLock } from './lock.ts'
import type { LockReconcileOutput } from './lock-reconcile/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['agent'],
  properties: {
    agent: {
      type: 'string',
      positional: true,
      description: 'The agent in quarantine, by its canonical id.',
    },
    by: {
      type: 'string',
      placeholder: 'person',
      description: 'The person who compared the prompt.',
    },
    why: {
      type: 'string',
      placeholder: 'reason',
      description: 'The finding, and why the current prompt is right.',
    },
    key: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The signing key of that person (SSH or P-256), listed under trust.',
    },
    dryRun: { type: 'boolean', description: 'Show both hashes, and record nothing.' },
  },
} as const

/** Releases an agent from quarantine after a person has compared its prompt. */
export default defineOperation({
  name: 'lock reconcile',
  summary: 'Release an agent from quarantine by confirming its prompt',
  description:
    'Shows the locked hash and the hash of the prompt file, records the signed statement of a named person, and ' +
    'locks the file if the two differ (only the entry of this agent; creates a missing lock). Until then every ' +
    'handoff with the agent is refused. A name without a key is accepted only if waybill.yaml says people: claimed.',
  examples: [
    { command: 'waybill lock reconcile domain-05-product --dry-run', does: 'compare the hashes' },
    {
      command:
        'waybill lock reconcile domain-05-product --by ada --why "edited on purpose, see review 12" --key ~/.ssh/id_ed25519',
      does: 'confirm the prompt, signed',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run: reconcile,
})

async function reconcile(given: TypeOf<typeof input>, app: App): Promise<LockReconcileOutput> {
  const { agent, dryRun = false } = given
  const config = await loadConfig(app.root)
  await requireListed(agent, app, config)
  const { by, why } = dryRun ? { by: '', why: '' } : statedIn(given, LACKING)
  return withGateway(app, config, async gateway => {
    const { since, seen } = await quarantineOfAgent(agent, gateway)
    const { hashes, lineEnds } = await comparedPrompt(agent, app)
    const stated = { agent, by, why, ...hashes }
    const about = {
      agent,
      since,
      old: stated.old,
      new: stated.new,
      changed: stated.old !== stated.new,
      lineEnds,
    }
    if (dryRun) {
      if (about.changed) await lockFor(stated, app)
      return {
        ...about,
        outcome: 'would-reconcile',
        by: null,
        standing: null,
        keyid: null,
        receipt: null,
      }
    }
    const at = gateway.time()
    const text = reconciliationText(stated, gateway.origin, at)
    const bytes = new TextEncoder().encode(text)
    const person = await requirePerson(
      gateway,
      { act: 'reconcile', by, bytes, keyFile: given.key },
      at,
    )
    await tellUncommitted(gateway, app)
    // Prepare the lock now, and write it only after the statement is recorded.
    const lock = about.changed ? await lockFor(stated, app) : undefined
    const receipt = await recordReconciliation(stated, person, text, { gateway, seen })
    if ('taken' in receipt) throw await overtaken(agent, gateway)
    if (lock?.write) writeAfter(lock.write, agent)
    const keyid = person.standing === 'proved' ? person.keyid : null
    return { ...about, outcome: 'reconciled', by, standing: person.standing, keyid, receipt }
  })
}

const LACKING = {
  message: 'reconciling needs --by <name> and --why <reason>',
  hint: 'name who compared the prompt and what was found; --dry-run shows the hashes',
}

/** Refuses a misspelled agent before asking for a statement. */
async function requireListed(agent: string, app: App, config: Config): Promise<void> {
  const { manifest } = await openGovernanceFiles(app.root, config)()
  if ('missing' in manifest) return
  const agents = agentsOf(manifest.value)
  if (agents.find(agent)) return
  const near = nearest(
    agent,
    agents.all.map(({ id }) => id),
  )
  throw new WaybillError('not-found', `${manifest.path} has no agent ${quote(agent)}`, {
    hint: near === undefined ? 'name an agent by its canonical id' : `did you mean ${near}?`,
  })
}

async function quarantineOfAgent(
  agent: string,
  gateway: Gateway,
): Promise<{ readonly since: string; readonly seen: readonly SeenLast[] }> {
  const { kept, seen } = await quarantineSeen(gateway, [agent])
  const entry = Object.hasOwn(kept, agent) ? kept[agent] : undefined
  if (entry) return { since: entry.since, seen }
  throw new WaybillError('usage', `${quote(agent)} is not in quarantine`, {
    hint: 'name an agent by its canonical id; to lock a prompt changed on purpose, run waybill lock',
  })
}

/** Returns the error after another process changed the quarantine: already released, or accused again. */
async function overtaken(agent: string, gateway: Gateway): Promise<WaybillError> {
  await quarantineOfAgent(agent, gateway)
  return new WaybillError('conflict', `${quote(agent)} was accused again in the meantime`, {
    hint: 'nothing was recorded; review its prompt and try again',
  })
}

/** Returns the locked and the current hash of a prompt, and whether only line ends differ. */
async function comparedPrompt(agent: string, app: App) {
  const config = await loadConfig(app.root)
  const governanceFiles = await openGovernanceFiles(app.root, config)()
  const { manifest } = governanceFiles
  if ('missing' in manifest)
    throw new WaybillError('configuration', `cannot reconcile: ${manifest.missing}`)
  mustBeUsable(governanceFiles.lock)
  const { expected } = ownHashes(agent, governanceFiles)
  const file = agentsOf(manifest.value).find(agent)?.file
  const { files } = governanceFiles
  const prompt = file === undefined ? undefined : readPrompt(manifest.path, file, files)
  if (prompt && 'hash' in prompt) {
    const isOther = expected !== null && expected !== prompt.hash
    const lineEnds = isOther ? otherEnds(prompt, expected, files) : undefined
    return { hashes: { old: expected, new: prompt.hash }, lineEnds: lineEnds ?? null }
  }
  throw new WaybillError('not-found', `the prompt of ${quote(agent)} cannot be read`, {
    hint: `restore its file, or fix ${manifest.path}`,
  })
}

/** Refuses an invalid lock; a missing one is created for this agent alone. */
function mustBeUsable(lock: GovernanceFiles['lock']): void {
  if (!('missing' in lock) || lock.absent) return
  throw new WaybillError('configuration', `cannot reconcile: ${lock.missing}`, {
    hint: 'restore the lock, for example from Git; without a copy, delete it and try again to lock the current prompt',
  })
}

/** Prepares the lock of exactly the prompt that the person read. */
async function lockFor({ agent, new: hash }: Reconciliation, app: App): Promise<PreparedLock> {
  const lock = await prepareLock({}, app, { only: new Set([agent]) })
  const { outcome, refused, documents } = lock.output
  if (outcome === 'refused') {
    const [first] = [...refused, ...documents.flatMap(({ diagnostics }) => diagnostics)]
    throw new WaybillError('configuration', `the prompt cannot be locked: ${first?.message}`, {
      hint: 'fix what waybill lock --check reports; the agent stays in quarantine',
    })
  }
  if (lock.hashOf(agent) === hash) return lock
  throw new WaybillError('conflict', 'the prompt changed during reconciliation', {
    hint: 'review it and try again; the agent stays in quarantine',
  })
}

/** Writes the lock after recording; a failure does not undo the recorded statement. */
function writeAfter(write: () => void, agent: string): void {
  try {
    write()
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    const message = `${quote(agent)} is out of quarantine, but its prompt is not locked: ${cause.message}`
    throw new WaybillError(cause.code, message, {
      hint: 'fix that, check that the prompt is still the one you read, and run waybill lock',
      cause,
    })
  }
}
