import { WaybillError } from '../../error.ts'

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
