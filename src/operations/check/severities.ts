import { nearest, type Override, quote } from '../../contract/index.ts'
import { contracts, findContract, loadContract } from '../../contracts/index.ts'
import { type Config, type ConfigFault, configurationError } from '../../workspace/index.ts'
import { isUnconditional } from './baseline.ts'

/**
 * Returns the severities of rules configured in waybill.yaml.
 *
 * @throws {WaybillError} 'configuration' when a rule does not exist or may not be excused
 */
export async function severitiesIn(config: Config): Promise<ReadonlyMap<string, Override>> {
  const severities = Object.entries(config.rules ?? {})
  const faults = await Promise.all(severities.map(([code]) => faultOf(code)))
  const found = faults.flatMap(fault => fault ?? [])
  if (found.length > 0) throw configurationError(config, found)
  return new Map(severities)
}

async function faultOf(code: string): Promise<ConfigFault | undefined> {
  const [name = '', rule = ''] = code.split('/')
  const contract = findContract(name)
  const known = contract ? Object.keys((await loadContract(contract)).rules) : []
  const path = ['rules', code]
  if (known.includes(rule)) {
    if (!(await isUnconditional(code))) return undefined
    return {
      path,
      message: `the severity of ${code} cannot be changed`,
      hint: 'remove it; to allow a false alarm about a secret, use waybill-allow in the document',
    }
  }
  const meant = contract
    ? nearest(rule, known)
    : nearest(
        name,
        contracts.map(c => c.name),
      )
  return {
    path,
    message: `the rule ${quote(code)} does not exist`,
    hint: meant
      ? `did you mean ${contract ? `${name}/${meant}` : `${meant}/…`}?`
      : 'run waybill explain to list the rules; parse and schema errors always have the same severity',
  }
}
