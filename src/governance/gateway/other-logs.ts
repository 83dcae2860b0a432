import { existsSync } from 'node:fs'
import type { Config } from '../../workspace/index.ts'
import type { Keys } from '../keys/open-keys.ts'
import type { Trust } from '../trust/trust.ts'
import { guardFiles } from './guards.ts'

/** The listed logs other than the one kept here. */
export interface OtherLogs {
  readonly listed: readonly string[]
  /** Those that this user wrote on this machine; empty if a log is kept here. One of them may be lost. */
  readonly missed: readonly string[]
  /** All of them, if the log is in a database and its keys are on another machine. */
  readonly shared: readonly string[]
}

/** Finds the listed logs that are not kept here. */
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
