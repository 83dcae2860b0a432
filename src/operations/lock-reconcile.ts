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
    by: { type: 'string', placeholder: 'person', description: 'Who has compared the prompt.' },
    why: {
      type: 'string',
      placeholder: 'reason',
      description: 'What was found, and why the prompt is right as it is now.',
    },
    key: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The key of that person, an SSH key or a P-256 key, listed under trust.',
    },
    dryRun: { type: 'boolean', description: 'Show both hashes, and record nothing.' },
  },
} as const

/** Lets an agent out of quarantine: a person states that its prompt is right, and the lock follows. */
export default defineOperation({
  name: 'lock reconcile',
  summary: 'Let an agent out of quarantine: state that its prompt is right as it is now',
  description:
    'Shows the locked hash and that of the prompt file, pins the file if they differ (the entry of this agent alone, in a new lock where ' +
    'there is none), and records the statement of a named person, signed by their key. Until then every handoff with the agent is refused. ' +
    'A mere name is taken only where waybill.yaml says people: claimed.',
  examples: [
    { command: 'waybill lock reconcile domain-05-product --dry-run', does: 'compare the hashes' },
    {
      command:
        'waybill lock reconcile domain-05-product --by ada --why "edited on purpose, see review 12" --key ~/.ssh/id_ed25519',
      does: 'state that the prompt is right, signed',
    },
  ],
  // A person stands for the prompt.
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
    // A lock that is written first would stay where the statement is refused.
    const lock = about.changed ? await lockFor(stated, app) : undefined
    const receipt = await recordReconciliation(stated, person, text, { gateway, seen })
    if ('taken' in receipt) throw await overtaken(agent, gateway)
    if (lock?.write) writeAfter(lock.write, agent)
    const keyid = person.standing === 'proved' ? person.keyid : null
    return { ...about, outcome: 'reconciled', by, standing: person.standing, keyid, receipt }
  })
}

const LACKING = {
  message: 'somebody has to stand for the prompt, and say why',
  hint: 'name who has compared it and what was found: --by <who> --why <reason>; --dry-run shows the hashes',
}

/** Who misspells an agent is told so before being asked to stand for it. */
async function requireListed(agent: string, app: App, config: Config): Promise<void> {
  const { manifest } = await openGovernanceFiles(app.root, config)()
  if ('missing' in manifest) return
  const agents = agentsOf(manifest.value)
  if (agents.find(agent)) return
  const near = nearest(
    agent,
    agents.all.map(({ id }) => id),
  )
  throw new WaybillError('not-found', `${manifest.path} lists no agent ${quote(agent)}`, {
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
    hint: 'name an agent by its canonical id; a prompt that was changed on purpose is locked with waybill lock',
  })
}

/** Somebody else was faster, which is told as if they had been long before; or the agent was accused once more. */
async function overtaken(agent: string, gateway: Gateway): Promise<WaybillError> {
  await quarantineOfAgent(agent, gateway)
  return new WaybillError('conflict', `${quote(agent)} was accused again meanwhile`, {
    hint: 'nothing was recorded; look at its prompt and try again',
  })
}

/** The hashes of a prompt, locked and present, and whether line ends are all that differs. */
async function comparedPrompt(agent: string, app: App) {
  const config = await loadConfig(app.root)
  const governanceFiles = await openGovernanceFiles(app.root, config)()
  const { manifest } = governanceFiles
  if ('missing' in manifest)
    throw new WaybillError('configuration', `nothing can be reconciled: ${manifest.missing}`)
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
    hint: `put its file back, or correct ${manifest.path}`,
  })
}

/** Where there is no lock the person makes one, of this agent alone; what is wrong with one that is there nobody passes over. */
function mustBeUsable(lock: GovernanceFiles['lock']): void {
  if (!('missing' in lock) || lock.absent) return
  throw new WaybillError('configuration', `nothing can be reconciled: ${lock.missing}`, {
    hint: 'put the lock back as it was, from Git for one; where there is no copy of it, remove it and try again: the agent is then locked as it is now',
  })
}

/** The lock that pins the prompt that the person has read, and no other. */
async function lockFor({ agent, new: hash }: Reconciliation, app: App): Promise<PreparedLock> {
  const lock = await prepareLock({}, app, { only: new Set([agent]) })
  const { outcome, refused, documents } = lock.told
  if (outcome === 'refused') {
    const [first] = [...refused, ...documents.flatMap(({ diagnostics }) => diagnostics)]
    throw new WaybillError('configuration', `the prompt cannot be locked: ${first?.message}`, {
      hint: 'mend what waybill lock --check shows; the agent stays in quarantine',
    })
  }
  if (lock.hashOf(agent) === hash) return lock
  throw new WaybillError('conflict', 'the prompt was changed while it was being reconciled', {
    hint: 'look at it and try again; the agent stays in quarantine',
  })
}

/** Writes the lock when the statement is recorded; it is not taken back where that fails. */
function writeAfter(write: () => void, agent: string): void {
  try {
    write()
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    const message = `${quote(agent)} is out of quarantine, but its prompt is not locked: ${cause.message}`
    throw new WaybillError(cause.code, message, {
      hint: 'mend that, see that the prompt is still the one that was read, and lock it: waybill lock',
      cause,
    })
  }
}
