import { WaybillError } from '../../error.ts'
import { parsePolicy, type WitnessPolicy } from '../../ledger/index.ts'
import { hintOf, readOwnFile, reasonOf } from '../../workspace/index.ts'
import { digestBytes } from '../digest.ts'

const MOST_BYTES = 1_000_000

/** Reads a file that says which witnesses there are, and how many of them are enough (C2SP tlog-policy). */
export function readWitnessPolicy(file: string): WitnessPolicy {
  const policy = parsePolicy(digestBytes, readText(file))
  if (!('fault' in policy)) return policy
  throw new WaybillError('configuration', `${file} is no policy of witnesses: ${policy.fault}`, {
    hint: 'write lines of log, witness, group and quorum, as C2SP tlog-policy has them',
  })
}

function readText(file: string): string {
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(file, MOST_BYTES)
    // Replacing what is no UTF-8 could make one name of two.
    if (bytes) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new WaybillError(
      'configuration',
      `the policy of witnesses ${file} cannot be read: ${reasonOf(cause)}`,
      {
        ...hintOf(cause),
        cause,
      },
    )
  }
  throw new WaybillError('not-found', `there is no policy of witnesses at ${file}`, {
    hint: 'witnesses: in waybill.yaml names it, or --policy',
  })
}
