import { counted } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { examineTemplates, readMissions } from '../../mission/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

const NAME = 'missions'

/** Whether a mission could be begun: what waybill.yaml says of missions, and every template of one or of its prompts. */
export async function examineMissions(
  { root }: App,
  config: Config,
): Promise<readonly DoctorItem[]> {
  if (!config.missions) return []
  try {
    const { missions, prompts, faults } = await examineTemplates(root, readMissions(config))
    const there = `${counted(missions, 'template')} of missions, ${prompts} of prompts`
    if (faults.length === 0) return [ok(NAME, there)]
    return faults.map(fault => warning(NAME, fault, 'mend it: no mission of it can begin'))
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return [warning(NAME, error.message, 'mend the section missions of waybill.yaml')]
  }
}
