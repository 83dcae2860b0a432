import { existsSync } from 'node:fs'
import type { Config } from '../../workspace/index.ts'
import type { Keys } from '../keys/open-keys.ts'
import type { Trust } from '../trust/trust.ts'
import { guardFiles } from './guards.ts'

/** The logs that trust lists beside the one that is here. */
export interface OtherLogs {
  readonly listed: readonly string[]
  /** Those of them that this user has written on this machine. Told only where no log is here: one of them may have been lost. */
  readonly missed: readonly string[]
  /** All of them, where the log is in a database and no key of it is here: another machine of the same repository has them. */
  readonly shared: readonly string[]
}

/** Finds the logs that trust lists and that are not here; what a log holds is known to no other. */
export function otherLogs(
  root: string,
  trust: Trust,
  { origin }: Pick<Keys, 'origin'>,
  stateHome: string | undefined,
  { ledger }: Pick<Config, 'ledger'>,
): OtherLogs {
  const logs = trust.keys.filter(({ holder }) => holder.kind === 'log')
  const listed = [...new Set(logs.map(({ holder }) => holder.name))].filter(name => name !== origin)
  const isKnown = (name: string) => guardFiles(root, name, stateHome).slice(1).some(existsSync)
  if (origin !== undefined) return { listed, missed: [], shared: [] }
  return { listed, missed: listed.filter(isKnown), shared: ledger === 'postgres' ? listed : [] }
}
