import { relative } from 'node:path'
import { counted, listed, spelled } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  BRING_KEYS,
  type Keys,
  keysFolder,
  openKeys,
  otherLogs,
  readTrust,
  standing,
  type Trust,
  whyUnusableKey,
} from '../../governance/index.ts'
import { CONFIG_FILE, type Config } from '../../workspace/index.ts'
import { manifestAgents } from '../init/manifest-agents.ts'
import type { App } from '../operation.ts'
import { error, ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

/** Checks the trust list, the private keys here and their permissions, and agents without a key. */
export async function examineKeys(app: App, config: Config): Promise<DoctorItem[]> {
  try {
    const trust = readTrust(config)
    const keys = openKeys(app.root, trust)
    return [
      examineTrust(trust, app),
      ...examineFiles(keys, trust, app),
      ...examineLogs(keys, trust, config, app),
      ...(await examineHolders(trust, config, app)),
    ]
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    const name = cause.code === 'configuration' ? 'trust' : 'keys'
    return [error(name, cause.message, cause.hint ?? `fix ${CONFIG_FILE}`)]
  }
}

const WHOSE = { gateway: 'the gateway', log: 'the log', agent: 'agents', person: 'people' }

function examineTrust(trust: Trust, { now }: App): DoctorItem {
  if (trust.keys.length === 0) {
    return ok('trust', `${CONFIG_FILE} lists no keys; run waybill init to create them`)
  }
  const count = (kind: string) => trust.keys.filter(key => key.holder.kind === kind).length
  const kinds = Object.entries(WHOSE)
    .filter(([kind]) => count(kind) > 0)
    .map(([kind, whose]) => `${count(kind)} of ${whose}`)
  const valid = trust.keys.filter(key => standing(key, now) === 'valid').length
  const total = counted(trust.keys.length, 'key')
  return ok('trust', `${CONFIG_FILE} lists ${total}, ${listed(kinds)}; ${valid} valid now`)
}

function examineFiles(keys: Keys, trust: Trust, { root }: App): DoctorItem[] {
  const shown = relative(root, keysFolder(root))
  const items: DoctorItem[] = []
  const { origin } = keys
  const logs = trust.keys.filter(({ holder }) => holder.kind === 'log')
  // Without any listed log key, the missing key is reported as unlisted.
  if (origin !== undefined && logs.length > 0 && logs.every(key => key.holder.name !== origin)) {
    const what = `${shown}/origin names a log without a key in ${CONFIG_FILE}: ${spelled(origin.slice(0, 100))}`
    const remedy = `restore what waybill init wrote there, or add the key of the log to ${CONFIG_FILE}`
    items.push(error('keys', what, remedy))
  }
  for (const [keyid, file] of keys.files) {
    const why = whyUnusableKey(file, keyid)
    if (why) items.push(error('keys', why.what, why.remedy))
  }
  const unlisted = [...keys.files.keys()].filter(keyid => !trust.byId(keyid)).length
  if (unlisted > 0) {
    const what = `${counted(unlisted, 'private key')} in ${shown} not listed under trust, and not used`
    items.push(warning('keys', what, 'run waybill key list; delete unneeded keys'))
  }
  if (items.length > 0) return items
  if (keys.files.size === 0) return [ok('keys', `none in ${shown}`)]
  const total = counted(keys.files.size, 'private key')
  return [ok('keys', `${total} in ${shown}, readable by the owner only`)]
}

function examineLogs(
  keys: Keys,
  trust: Trust,
  config: Config,
  { root, stateHome }: App,
): DoctorItem[] {
  const { missed, shared } = otherLogs(root, trust, keys, stateHome, config)
  if (shared.length > 0) {
    const what = `the log is in the database, but the keys of ${listed(shared)} are missing here`
    return [warning('log', what, BRING_KEYS)]
  }
  if (missed.length === 0) return []
  const what = `${listed(missed)} ${missed.length === 1 ? 'was' : 'were'} written on this machine, but no log is here: quarantines and accepted handoffs are unknown`
  return [warning('log', what, 'restore .waybill, or start a new log with waybill init --new-log')]
}

/** Maximum number of names shown. */
const MOST_NAMED = 5

async function examineHolders(trust: Trust, config: Config, app: App): Promise<DoctorItem[]> {
  const agents = await manifestAgents(app, config)
  const ids = 'ids' in agents ? agents.ids : []
  const without = ids.filter(
    id => !trust.of('agent', id).some(key => standing(key, app.now) === 'valid'),
  )
  if (without.length === 0) return []
  const rest = without.length - MOST_NAMED
  const names = [...without.slice(0, MOST_NAMED), ...(rest > 0 ? [`${rest} more`] : [])]
  const isRevoked = (id: string) =>
    trust.of('agent', id).some(({ revoked }) => revoked !== undefined)
  const remedy = without.every(isRevoked) ? 'waybill key rotate <agent>' : 'waybill init'
  const [verb, they] = without.length === 1 ? ['has', 'it sends'] : ['have', 'they send']
  return [
    warning(
      'agents',
      `${listed(names)} ${verb} no valid key: handoffs ${they} cannot be signed`,
      `run ${remedy}, or list them under unsigned in ${CONFIG_FILE}`,
    ),
  ]
}
