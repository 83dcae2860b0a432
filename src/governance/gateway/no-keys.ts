import { WaybillError } from '../../error.ts'
import type { Keys } from '../keys/open-keys.ts'

/** Returns the error for a repository without gateway keys. */
export function noKeys(what: string, hint = INIT): WaybillError {
  return new WaybillError('configuration', `${what}, so nothing can be signed or recorded`, {
    hint,
  })
}

const INIT = 'run waybill init: it creates keys in .waybill/keys and lists them in waybill.yaml'
/** The hint for a log that several machines share. */
export const BRING_KEYS =
  'copy .waybill/keys from a machine that has them; all machines share the log in the database'

/**
 * Returns an error if opened keys were rotated or revoked since, because their new signatures would never verify;
 * undefined if they are current.
 */
export function otherKeys(keys: Keys): WaybillError | undefined {
  try {
    if (keys.areCurrent()) return undefined
  } catch (error) {
    if (error instanceof WaybillError) return error
    throw error
  }
  return new WaybillError('conflict', 'keys in .waybill/keys were changed during this run', {
    hint: 'nothing was recorded: run this again; restart long-running commands such as waybill mission work',
  })
}
