import { resolve } from 'node:path'
import { counted } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { inspectPolicies, readConfigured, readWitnessPolicy } from '../../governance/index.ts'
import { CONFIG_FILE, type Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { error, ok } from './item.ts'
import type { DoctorItem } from './output.ts'

/** Checks the configured policies; with an error in them nothing can be sent or received. */
export function examinePolicies({ root }: App, config: Config): DoctorItem[] {
  if (config.policies === undefined) return []
  return examined('own policies', () => {
    const { faults, files } = inspectPolicies(readConfigured(root, config))
    const errors = faults.filter(({ severity }) => severity === 'error').length
    const of = `${counted(files, 'file')} in ${config.policies}`
    if (errors === 0) return ok('own policies', of)
    return error('own policies', `${counted(errors, 'error')}, ${of}`, 'run waybill policy check')
  })
}

/** Checks that the configured witness policy can be read. */
export function examineWitnesses({ root }: App, { witnesses }: Config): DoctorItem[] {
  if (witnesses === undefined) return []
  return examined('witnesses', () => {
    const policy = readWitnessPolicy(resolve(root, witnesses))
    return ok(
      'witnesses',
      `${counted([...policy.witnesses].length, 'witness', 'witnesses')} in ${witnesses}`,
    )
  })
}

function examined(name: string, look: () => DoctorItem): DoctorItem[] {
  try {
    return [look()]
  } catch (cause) {
    if (!(cause instanceof WaybillError)) throw cause
    return [error(name, cause.message, cause.hint ?? `fix its setting in ${CONFIG_FILE}`)]
  }
}
