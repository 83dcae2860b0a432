import { WaybillError } from '../../error.ts'
import type { Keys } from '../keys/open-keys.ts'

/** The error of a repository without the keys of a gateway. */
export function noKeys(what: string, hint = INIT): WaybillError {
  return new WaybillError('configuration', `${what}, so nothing can be signed or recorded`, {
    hint,
  })
}

const INIT = 'waybill init makes keys, keeps them in .waybill/keys and lists them in waybill.yaml'
/** What brings the keys of a log that several machines share. */
export const BRING_KEYS =
  'copy .waybill/keys from a machine that has them; the log in the database is one for all machines'

/**
 * Why nothing may be signed any more with keys that were opened before; `undefined` if it may. What is signed with a key
 * that others have succeeded or revoked meanwhile is never verified.
 */
export function otherKeys(keys: Keys): WaybillError | undefined {
  try {
    if (keys.areCurrent()) return undefined
  } catch (error) {
    if (error instanceof WaybillError) return error
    throw error
  }
  return new WaybillError('conflict', 'keys in .waybill/keys were changed meanwhile', {
    hint: 'nothing was recorded: run this again; what works for long, as waybill mission work does, has to be started anew',
  })
}
