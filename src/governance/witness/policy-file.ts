import { WaybillError } from '../../error.ts'
import { parsePolicy, type WitnessPolicy } from '../../ledger/index.ts'
import { hintOf, readOwnFile, reasonOf } from '../../workspace/index.ts'
import { digestBytes } from '../digest.ts'

const MOST_BYTES = 1_000_000

/** Reads a witness policy file: the witnesses, and how many must cosign (C2SP tlog-policy). */
export function readWitnessPolicy(file: string): WitnessPolicy {
  const policy = parsePolicy(digestBytes, readText(file))
  if (!('fault' in policy)) return policy
  throw new WaybillError(
    'configuration',
    `${file} is not a valid witness policy: ${policy.fault}`,
    {
      hint: 'write log, witness, group and quorum lines as in C2SP tlog-policy',
    },
  )
}

function readText(file: string): string {
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(file, MOST_BYTES)
    // Replacing invalid UTF-8 could make two names equal.
    if (bytes) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new WaybillError(
      'configuration',
      `cannot read the witness policy ${file}: ${reasonOf(cause)}`,
      {
        ...hintOf(cause),
        cause,
      },
    )
  }
  throw new WaybillError('not-found', `witness policy ${file} does not exist`, {
    hint: 'set witnesses: in waybill.yaml, or pass --policy',
  })
}
