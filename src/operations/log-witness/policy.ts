import { relative, resolve, sep } from 'node:path'
import { WaybillError } from '../../error.ts'
import { readWitnessPolicy } from '../../governance/index.ts'
import type { WitnessPolicy } from '../../ledger/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** A policy of witnesses, and the file that it was read from. */
export interface NamedPolicy {
  readonly policy: WitnessPolicy
  /** From the root if it is below it. */
  readonly file: string
}

/** Reads the policy of witnesses that was given, or else the configured one; there may be none. */
export function policyOf(
  given: string | undefined,
  { witnesses }: Config,
  { root, cwd }: App,
): NamedPolicy | undefined {
  const file = given === undefined ? witnesses && resolve(root, witnesses) : resolve(cwd, given)
  if (file === undefined) return undefined
  const shown = relative(root, file).split(sep).join('/')
  return { policy: readWitnessPolicy(file), file: shown.startsWith('..') ? file : shown }
}

/** Reads the policy of witnesses, which there must be. */
export function mustHavePolicy(...args: Parameters<typeof policyOf>): NamedPolicy {
  const found = policyOf(...args)
  if (found) return found
  throw new WaybillError('configuration', 'nothing says which witnesses there are', {
    hint: 'write a policy file (C2SP tlog-policy) and name it as witnesses: in waybill.yaml, or with --policy',
  })
}
