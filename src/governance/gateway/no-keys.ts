import { WaybillError } from '../../error.ts'

/** The error of a repository without the keys of a gateway. */
export function noKeys(what: string): WaybillError {
  return new WaybillError('configuration', `${what}, so nothing can be signed or recorded`, {
    hint: 'waybill init makes keys, keeps them in .waybill/keys and lists them in waybill.yaml',
  })
}
