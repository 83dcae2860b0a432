import { existsSync } from 'node:fs'
import {
  type FirstKeys,
  type Holder,
  holdersText,
  keysFolder,
  makeFirstKeys,
  openTrustFile,
  planKeys,
} from '../../governance/index.ts'
import { CONFIG_FILE, readConfig } from '../../workspace/index.ts'
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
export async function planKeysAndConfig(app: App, statePath: string): Promise<KeyPlan> {
  const { root, now } = app
  const file = await openTrustFile(root, STARTER)
  const agents = await manifestAgents(app, file.config)
  const plan = planKeys(root, file, 'ids' in agents ? agents.ids : [], now)
  const isThere = readConfig(root) !== undefined
  const holders = [
    ...named(plan.missing, 'created'),
    ...named(plan.here, 'here'),
    ...named(plan.elsewhere, 'elsewhere'),
  ]
  return {
    config: configStep(plan, isThere),
    keys: keysStep(plan, app, statePath, 'missing' in agents ? agents.missing : undefined),
    holders,
    carryOut: async () => {
      if (plan.missing.length === 0 && isThere) return holders
      const made = await makeFirstKeys(root, file, plan.missing, now)
      const ids = new Map(made.map(({ holder, keyid }) => [`${holder.kind} ${holder.name}`, keyid]))
      return holders.map(key => ({
        ...key,
        keyid: ids.get(`${key.kind} ${key.name}`) ?? key.keyid,
      }))
    },
  }
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
  { missing, here, elsewhere }: FirstKeys,
  { root }: App,
  statePath: string,
  faulty: string | undefined,
): InitStep {
  const path = `${statePath}keys/`
  const keysOf = (holders: readonly Holder[]) =>
    `the ${holders.length === 1 ? 'key' : 'keys'} of ${holdersText(holders)}`
  const parts = [
    ...(missing.length > 0 ? [`holds ${keysOf(missing)}`] : []),
    ...(here.length > 0 && missing.length === 0 ? [`holds ${keysOf(here)}`] : []),
    ...(elsewhere.length > 0 ? [`${keysOf(elsewhere)} ${are(elsewhere)} held elsewhere`] : []),
    ...(faulty === undefined ? [] : [`no agent gets a key, for ${faulty}`]),
  ]
  const isThere = existsSync(keysFolder(root))
  const action = missing.length === 0 ? 'kept' : isThere ? 'changed' : 'created'
  return { path, action, note: parts.join('; ') }
}

const are = (holders: readonly Holder[]) => (holders.length === 1 ? 'is' : 'are')
