import { nearest, type Override, quote } from '../../contract/index.ts'
import { contracts, findContract, loadContract } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import type { Config } from '../../workspace/index.ts'
import { isUnconditional } from './baseline.ts'

/** What rules weigh in a repository by its configuration; a rule that is none, or that nothing may excuse, is an error. */
export async function severitiesIn(config: Config): Promise<ReadonlyMap<string, Override>> {
  const severities = new Map<string, Override>()
  for (const [code, override] of Object.entries(config.rules ?? {})) {
    await mustBeRule(code)
    if (await isUnconditional(code)) {
      throw new WaybillError(
        'configuration',
        `waybill.yaml changes the weight of ${code}, which nothing may excuse`,
        {
          hint: 'remove it; a false alarm about a secret is silenced in its document with waybill-allow',
        },
      )
    }
    severities.set(code, override)
  }
  return severities
}

async function mustBeRule(code: string): Promise<void> {
  const [name = '', rule = ''] = code.split('/')
  const contract = findContract(name)
  const known = contract ? Object.keys((await loadContract(contract)).rules) : []
  if (known.includes(rule)) return
  const meant = contract
    ? nearest(rule, known)
    : nearest(
        name,
        contracts.map(c => c.name),
      )
  throw new WaybillError(
    'configuration',
    `waybill.yaml names the rule ${quote(code)}, which does not exist`,
    {
      hint: meant
        ? `did you mean ${contract ? `${name}/${meant}` : `${meant}/…`}?`
        : 'waybill explain lists the rules of contracts; faults of reading and structure weigh the same everywhere',
    },
  )
}
