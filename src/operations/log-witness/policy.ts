import { relative, resolve, sep } from 'node:path'
import { WaybillError } from '../../error.ts'
import { readWitnessPolicy } from '../../governance/index.ts'
import type { WitnessPolicy } from '../../ledger/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** A witness policy and its file. */
export interface NamedPolicy {
  readonly policy: WitnessPolicy
  /** Path of the file, from the root if below it. */
  readonly file: string
}

/** Reads the given witness policy, or the configured one; undefined if there is none. */
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

/**
 * Reads the witness policy.
 *
 * @throws {WaybillError} 'configuration' when there is none
 */
export function mustHavePolicy(...args: Parameters<typeof policyOf>): NamedPolicy {
  const found = policyOf(...args)
  if (found) return found
  throw new WaybillError('configuration', 'no witness policy', {
    hint: 'write a policy file (C2SP tlog-policy) and set witnesses: in waybill.yaml, or pass --policy',
  })
}
