import { nearest, type Override, quote } from '../../contract/index.ts'
import { contracts, findContract, loadContract } from '../../contracts/index.ts'
import { type Config, type ConfigFault, configurationError } from '../../workspace/index.ts'
import { isUnconditional } from './baseline.ts'

/** What rules weigh in a repository by its configuration; rules that are none, or that nothing may excuse, are an error. */
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
      message: `the weight of ${code} is changed, which nothing may excuse`,
      hint: 'remove it; a false alarm about a secret is silenced in its document with waybill-allow',
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
      : 'waybill explain lists the rules of contracts; faults of reading and structure weigh the same everywhere',
  }
}
