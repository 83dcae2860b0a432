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
  originalOf,
  otherLogs,
  planKeys,
  refuseCopy,
  refuseGone,
  setLogAside,
} from '../../governance/index.ts'
import { CONFIG_FILE, type Config, readConfig } from '../../workspace/index.ts'
import { severitiesIn } from '../check/severities.ts'
import { recordChanges } from '../key/record.ts'
import { storageOf } from '../log/storage.ts'
import type { App } from '../operation.ts'
import { manifestAgents } from './manifest-agents.ts'
import type { InitKey, InitStep } from './output.ts'
import { STARTER } from './starter.ts'

/** The planned changes to configuration and keys. */
export interface KeyPlan {
  readonly config: InitStep
  readonly keys: InitStep
  /** The holders of new, present, absent and revoked keys. */
  readonly holders: readonly InitKey[]
  /** Creates and lists the keys; returns the holders with the ids of new keys. */
  carryOut(): Promise<readonly InitKey[]>
}

/** Plans changes to configuration and keys without writing; throws when either is invalid. */
export async function planKeysAndConfig(
  app: App,
  statePath: string,
  newLog: boolean,
): Promise<KeyPlan> {
  const { root, now } = app
  const file = await openTrustFile(root, STARTER)
  // Refuse an invalid configuration, as check does.
  await severitiesIn(file.config)
  const held = openKeys(root, file.trust)
  const isCopy = held.origin !== undefined && isCopied(app, held.origin, file.config)
  if (isCopy && !newLog) refuseCopy(root, held.origin, app.stateHome)
  const known: Keys = isCopy ? { ...held, origin: undefined } : held
  const others = otherLogs(root, file.trust, known, app.stateHome, file.config)
  if (!newLog) refuseSecond(others)
  // Never start a new log with the keys of a missing one.
  if (known.origin !== undefined)
    await refuseGone(root, known.origin, storageOf(app, file.config), app.stateHome)
  const agents = await manifestAgents(app, file.config)
  const plan = planKeys(file, known, 'ids' in agents ? agents.ids : [], now)
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
      ...('missing' in agents ? [`no keys for agents: ${agents.missing}`] : []),
      ...(isCopy ? [`the copied log moves to ${statePath}copied-…`] : []),
      ...aboutOthers(plan, others.listed),
    ]),
    holders,
    carryOut: async () => {
      if (plan.missing.length === 0 && isThere) return holders
      if (isCopy) setLogAside(root, held, file.trust)
      const made = await makeFirstKeys(root, file, plan.missing, now)
      // After a revocation, the new key must sign the log's head again.
      if (made.length > 0 && (await hasLog(app, file.config, known))) await recordChanges(made, app)
      const ids = new Map(made.map(({ holder, keyid }) => [`${holder.kind} ${holder.name}`, keyid]))
      return holders.map(key => ({
        ...key,
        keyid: ids.get(`${key.kind} ${key.name}`) ?? key.keyid,
      }))
    },
  }
}

/** Tells whether the log in files was copied here along with its repository. */
function isCopied({ root, stateHome }: App, origin: string, { ledger }: Config): boolean {
  return ledger !== 'postgres' && originalOf(root, origin, stateHome) !== undefined
}

/** Tells whether there is a log to record new keys in; without keys, a database holds no log of ours. */
async function hasLog(app: App, config: Config, { origin }: Keys): Promise<boolean> {
  const storage = storageOf(app, config)
  if (storage.kind === 'postgres' && origin === undefined) return false
  return (await storage.head()) !== undefined
}

/** Refuses to replace a missing log by default: its entries would be lost. */
function refuseSecond({ missed, shared }: OtherLogs): void {
  if (shared.length > 0)
    throw new WaybillError(
      'exists',
      `the log is in the database, but the keys of ${listed(shared)} are missing here: other keys cannot append to it`,
      { hint: `${BRING_KEYS}; if they are lost everywhere: waybill init --new-log` },
    )
  if (missed.length === 0) return
  throw new WaybillError(
    'exists',
    `${listed(missed)} ${missed.length === 1 ? 'is a log' : 'are logs'} written on this machine but missing here: a new log would lack quarantines and accepted handoffs`,
    {
      hint: 'restore the .waybill folder; if that log is lost or belongs to another clone: waybill init --new-log',
    },
  )
}

/** Notes which earlier logs a new log does not include. */
function aboutOthers({ missing }: FirstKeys, others: readonly string[]): readonly string[] {
  if (others.length === 0 || !missing.some(({ kind }) => kind === 'log')) return []
  return [`the log is new, without the entries of ${listed(others)}`]
}

function named(holders: readonly Holder[], where: InitKey['where']): readonly InitKey[] {
  return holders.map(({ kind, name }) => ({ kind, name, where, keyid: null }))
}

function configStep({ missing }: FirstKeys, isThere: boolean): InitStep {
  const path = CONFIG_FILE
  const trusts = `trusts the ${missing.length === 1 ? 'key' : 'keys'} of ${holdersText(missing)}`
  if (!isThere) {
    const says = 'configures Waybill; all options are optional'
    return { path, action: 'created', note: missing.length > 0 ? `${says}; ${trusts}` : says }
  }
  if (missing.length === 0) return { path, action: 'kept', note: 'already exists' }
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
