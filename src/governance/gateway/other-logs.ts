import { existsSync } from 'node:fs'
import type { Keys } from '../keys/open-keys.ts'
import type { Trust } from '../trust/trust.ts'
import { guardFiles } from './guards.ts'

/** The logs that trust lists beside the one that is here. */
export interface OtherLogs {
  readonly listed: readonly string[]
  /** Those of them that this user has written on this machine. Told only where no log is here: one of them may have been lost. */
  readonly missed: readonly string[]
}

/** Finds the logs that trust lists and that are not here; what a log holds is known to no other. */
export function otherLogs(
  root: string,
  trust: Trust,
  { origin }: Pick<Keys, 'origin'>,
  stateHome: string | undefined,
): OtherLogs {
  const logs = trust.keys.filter(({ holder }) => holder.kind === 'log')
  const listed = [...new Set(logs.map(({ holder }) => holder.name))].filter(name => name !== origin)
  const isKnown = (name: string) => guardFiles(root, name, stateHome).slice(1).some(existsSync)
  return { listed, missed: origin === undefined ? listed.filter(isKnown) : [] }
}
