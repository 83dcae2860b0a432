import { counted, nearest, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { examineTemplates, type Missions, readMissions, unfitSecrets } from '../../mission/index.ts'
import type { Config } from '../../workspace/index.ts'
import { manifestAgents } from '../init/manifest-agents.ts'
import { environmentFor } from '../mission/environment.ts'
import type { App } from '../operation.ts'
import { ok, warning } from './item.ts'
import type { DoctorItem } from './output.ts'

const NAME = 'missions'

/** Checks the configuration of missions, their templates and prompts, and the secrets of webhooks. */
export async function examineMissions(app: App, config: Config): Promise<readonly DoctorItem[]> {
  if (!config.missions) return []
  try {
    const settings = readMissions(config)
    const others = [
      ...(await examineAgents(settings, app, config)),
      ...examineSecrets(settings, app),
    ]
    const { missions, prompts, faults, strays } = await examineTemplates(app.root, settings)
    const there = `${counted(missions, 'template')} of missions, ${prompts} of prompts`
    const stray = strays.map(({ template, message, hint }) =>
      warning(NAME, `${template}: ${message}`, hint),
    )
    if (faults.length === 0) return [ok(NAME, there), ...stray, ...others]
    const faulty = faults.map(fault => warning(NAME, fault, 'fix it: it cannot start a mission'))
    return [...faulty, ...stray, ...others]
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return [warning(NAME, error.message, 'fix the section missions of waybill.yaml')]
  }
}

/** A task is a handoff: its agents must be in the manifest. */
async function examineAgents(
  { orchestrator, roles, runners }: Missions,
  app: App,
  config: Config,
): Promise<DoctorItem[]> {
  const agents = await manifestAgents(app, config)
  // An unreadable manifest is reported by its own item.
  if (!('ids' in agents)) return []
  if (agents.ids.length === 0)
    return [
      warning(
        NAME,
        'no manifest lists the agents that waybill.yaml uses for missions: no task can start',
        'list them in prompt-manifest.json, then run waybill lock and waybill init',
      ),
    ]
  const named = new Set([orchestrator, ...Object.values(roles), ...Object.keys(runners)])
  const strangers = [...named].filter(id => !agents.ids.includes(id))
  return strangers.map(id => {
    const meant = nearest(id, agents.ids)
    return warning(
      NAME,
      `waybill.yaml uses ${quote(id)} for missions, but the manifest has no such agent: its tasks cannot start`,
      `${meant ? `did you mean ${quote(meant)}? If not, ` : ''}list it in the manifest, then run waybill lock and waybill init`,
    )
  })
}

/** Without a valid secret, an approved write-back waits and finally fails; only its status shows the reason. */
function examineSecrets(settings: Missions, app: App): DoctorItem[] {
  if (!app.variable) return []
  const environment = environmentFor(settings, app)
  const unfit = unfitSecrets({ writebacks: settings.writebacks, environment })
  return [...unfit].map(([variable, why]) =>
    warning(
      NAME,
      `the webhook secret in the variable ${variable} is ${why}: its write-backs are not sent`,
      `set ${variable} where workers run, to at least 24 bytes, or 24 bytes in base64 after whsec_`,
    ),
  )
}
