import { existsSync } from 'node:fs'
import { listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  BRING_KEYS,
  type FirstKeys,
  type Holder,
  holdersText,
  type Keys,
  keysFolder,
  makeFirstKeys,
  type OtherLogs,
  openKeys,
  openTrustFile,
  otherLogs,
  planKeys,
  refuseGone,
} from '../../governance/index.ts'
import { CONFIG_FILE, type Config, readConfig } from '../../workspace/index.ts'
import { severitiesIn } from '../check/severities.ts'
import { recordChanges } from '../key/record.ts'
import { storageOf } from '../log/storage.ts'
import type { App } from '../operation.ts'
import { manifestAgents } from './agents.ts'
import type { InitKey, InitStep } from './output.ts'
import { STARTER } from './starter.ts'

/** What is to be done about configuration and keys, and what carries it out. */
export interface KeyPlan {
  readonly config: InitStep
  readonly keys: InitStep
  /** Whose key is to be made, is here, or is held elsewhere. */
  readonly holders: readonly InitKey[]
  /** Makes the keys and lists them; gives the holders again, with the ids of what was made. */
  carryOut(): Promise<readonly InitKey[]>
}

/** Plans the configuration with its list of keys; refuses when either is at fault, and writes nothing yet. */
export async function planKeysAndConfig(
  app: App,
  statePath: string,
  newLog: boolean,
): Promise<KeyPlan> {
  const { root, now } = app
  const file = await openTrustFile(root, STARTER)
  // A configuration that a check refuses is none to add to.
  await severitiesIn(file.config)
  const known = openKeys(root, file.trust)
  const others = otherLogs(root, file.trust, known, app.stateHome, file.config)
  if (!newLog) refuseSecond(others)
  // With the keys of a log that is gone nothing new begins, whatever was asked for.
  if (known.origin !== undefined)
    await refuseGone(root, known.origin, storageOf(app, file.config), app.stateHome)
  const agents = await manifestAgents(app, file.config)
  const plan = planKeys(root, file, 'ids' in agents ? agents.ids : [], now)
  const isThere = readConfig(root) !== undefined
  const holders = [
    ...named(plan.missing, 'created'),
    ...named(plan.here, 'here'),
    ...named(plan.elsewhere, 'elsewhere'),
    ...named(plan.revoked, 'revoked'),
  ]
  return {
    config: configStep(plan, isThere),
    keys: keysStep(plan, app, statePath, [
      ...('missing' in agents ? [`no agent gets a key, for ${agents.missing}`] : []),
      ...aboutOthers(plan, others.listed),
    ]),
    holders,
    carryOut: async () => {
      if (plan.missing.length === 0 && isThere) return holders
      const made = await makeFirstKeys(root, file, plan.missing, now)
      // The head of a log whose key was revoked counts again once the new key has signed the next.
      if (made.length > 0 && (await hasLog(app, file.config, known))) await recordChanges(made, app)
      const ids = new Map(made.map(({ holder, keyid }) => [`${holder.kind} ${holder.name}`, keyid]))
      return holders.map(key => ({
        ...key,
        keyid: ids.get(`${key.kind} ${key.name}`) ?? key.keyid,
      }))
    },
  }
}

/** Whether there is a log that tells of new keys; before the first keys none of ours is in any database. */
async function hasLog(app: App, config: Config, { origin }: Keys): Promise<boolean> {
  const storage = storageOf(app, config)
  if (storage.kind === 'postgres' && origin === undefined) return false
  return (await storage.head()) !== undefined
}

/** Whoever loses a log loses what it knows: that is never done in passing. */
function refuseSecond({ missed, shared }: OtherLogs): void {
  if (shared.length > 0)
    throw new WaybillError(
      'exists',
      `the log is in the database, and the keys of ${listed(shared)} are not here: with others nothing could be recorded there`,
      { hint: `${BRING_KEYS}; where they are lost on all of them: waybill init --new-log` },
    )
  if (missed.length === 0) return
  throw new WaybillError(
    'exists',
    `${listed(missed)} ${missed.length === 1 ? 'is a log' : 'are logs'} that you have written on this machine, and not here: a new one knows nothing of quarantines and of what was accepted`,
    {
      hint: 'put the .waybill folder back if it was here; if that log is lost, or stands in another clone: waybill init --new-log',
    },
  )
}

/** What a new log is told to begin without. */
function aboutOthers({ missing }: FirstKeys, others: readonly string[]): readonly string[] {
  if (others.length === 0 || !missing.some(({ kind }) => kind === 'log')) return []
  return [`the log is a new one, and holds nothing of ${listed(others)}`]
}

function named(holders: readonly Holder[], where: InitKey['where']): readonly InitKey[] {
  return holders.map(({ kind, name }) => ({ kind, name, where, keyid: null }))
}

function configStep({ missing }: FirstKeys, isThere: boolean): InitStep {
  const path = CONFIG_FILE
  const trusts = `trusts the ${missing.length === 1 ? 'key' : 'keys'} of ${holdersText(missing)}`
  if (!isThere) {
    const says = 'says how Waybill works here; all of it is optional'
    return { path, action: 'created', note: missing.length > 0 ? `${says}; ${trusts}` : says }
  }
  if (missing.length === 0) return { path, action: 'kept', note: 'is already there' }
  return { path, action: 'changed', note: `${trusts}; commit it` }
}

function keysStep(
  { missing, here, elsewhere, revoked }: FirstKeys,
  { root }: App,
  statePath: string,
  more: readonly string[],
): InitStep {
  const path = `${statePath}keys/`
  const keysOf = (holders: readonly Holder[]) =>
    `the ${holders.length === 1 ? 'key' : 'keys'} of ${holdersText(holders)}`
  const parts = [
    ...(missing.length > 0 ? [`holds ${keysOf(missing)}`] : []),
    ...(here.length > 0 && missing.length === 0 ? [`holds ${keysOf(here)}`] : []),
    ...(elsewhere.length > 0 ? [`${keysOf(elsewhere)} ${are(elsewhere)} held elsewhere`] : []),
    ...revoked.map(({ name }) => `the key of ${name} was revoked: waybill key rotate ${name}`),
    ...more,
  ]
  const isThere = existsSync(keysFolder(root))
  const action = missing.length === 0 ? 'kept' : isThere ? 'changed' : 'created'
  return { path, action, note: parts.join('; ') }
}

const are = (holders: readonly Holder[]) => (holders.length === 1 ? 'is' : 'are')
