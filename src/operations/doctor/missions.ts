import { counted, nearest, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { examineTemplates, type Missions, readMissions, unfitSecrets } from '../../mission/index.ts'
import type { Config } from '../../workspace/index.ts'
import { manifestAgents } from '../init/agents.ts'
import { environmentFor } from '../mission/environment.ts'
import type { App } from '../operation.ts'
import { ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

const NAME = 'missions'

/**
 * Whether a mission could be begun, and what it proposes be sent: what waybill.yaml says of missions, every template of one
 * or of its prompts, and secrets of webhooks.
 */
export async function examineMissions(app: App, config: Config): Promise<readonly DoctorItem[]> {
  if (!config.missions) return []
  try {
    const said = readMissions(config)
    const others = [...(await examineAgents(said, app, config)), ...examineSecrets(said, app)]
    const { missions, prompts, faults, strays } = await examineTemplates(app.root, said)
    const there = `${counted(missions, 'template')} of missions, ${prompts} of prompts`
    const stray = strays.map(({ template, message, hint }) =>
      warning(NAME, `${template}: ${message}`, hint),
    )
    if (faults.length === 0) return [ok(NAME, there), ...stray, ...others]
    const faulty = faults.map(fault => warning(NAME, fault, 'mend it: no mission of it can begin'))
    return [...faulty, ...stray, ...others]
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return [warning(NAME, error.message, 'mend the section missions of waybill.yaml')]
  }
}

/** A task is handed over as everything else is: only to an agent that the manifest has, and only from one. */
async function examineAgents(
  { orchestrator, roles, runners }: Missions,
  app: App,
  config: Config,
): Promise<DoctorItem[]> {
  const agents = await manifestAgents(app, config)
  // A manifest that cannot be read is told of where it is looked at.
  if (!('ids' in agents)) return []
  if (agents.ids.length === 0)
    return [
      warning(
        NAME,
        'no manifest lists the agents that waybill.yaml names for missions: no task can start',
        'list them in prompt-manifest.json, then waybill lock and waybill init',
      ),
    ]
  const named = new Set([orchestrator, ...Object.values(roles), ...Object.keys(runners)])
  const strangers = [...named].filter(id => !agents.ids.includes(id))
  return strangers.map(id => {
    const meant = nearest(id, agents.ids)
    return warning(
      NAME,
      `waybill.yaml names ${quote(id)} for missions, which is no agent of the manifest: no task of it can start`,
      `${meant ? `did you mean ${quote(meant)}? If not, ` : ''}list it in the manifest, then waybill lock and waybill init`,
    )
  })
}

/** An approved write-back waits for its secret, and is given up in the end; only whoever asks for its status would learn why. */
function examineSecrets(said: Missions, app: App): DoctorItem[] {
  if (!app.variable) return []
  const environment = environmentFor(said, app)
  const unfit = unfitSecrets({ writebacks: said.writebacks, environment })
  return [...unfit].map(([variable, why]) =>
    warning(
      NAME,
      `the secret of a webhook in the variable ${variable} is ${why}: no write-back is sent there`,
      `set ${variable} where workers run: 24 bytes at least, or 24 bytes in base64 behind whsec_`,
    ),
  )
}
